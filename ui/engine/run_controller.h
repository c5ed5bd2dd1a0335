// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/protocol.h"
#include "ui/engine/device_choices.h"
#include "ui/engine/engine_client.h"
#include "ui/workbench/workbench.h"

#include <QObject>
#include <QString>

#include <memory>
#include <optional>
#include <vector>

namespace plumb::ui {

/// Connects engine and workbench: turns what the user asks for into commands and events into the document.
/// What-if changes of the workbench during a run never reach the engine; apply() does that.
class RunController final : public QObject {
    Q_OBJECT
public:
    RunController(Workbench& workbench, EngineClient& engine, QObject* parent = nullptr);

    [[nodiscard]] protocol::EngineState engineState() const { return m_state; }
    [[nodiscard]] bool busy() const { return m_state != protocol::EngineState::Idle; }
    [[nodiscard]] bool training() const {
        return m_state == protocol::EngineState::Running || m_state == protocol::EngineState::Paused;
    }
    [[nodiscard]] bool engineReady() const { return m_engine.state() == EngineClient::State::Ready; }
    /// Configuration of the training that goes on, else empty.
    [[nodiscard]] std::optional<RunConfig> runningConfig() const;
    /// The same, or of the newest one that this engine has finished, whose weights can still be looked at.
    [[nodiscard]] const std::optional<RunConfig>& learnedConfig() const { return m_learned; }
    [[nodiscard]] bool hasLearned() const { return engineReady() && m_learned.has_value(); }
    /// True when a training goes on with another configuration than the sliders show.
    [[nodiscard]] bool canApply() const;
    /// Empty when run() would work; else why not, as a sentence.
    [[nodiscard]] QString whyNotRun() const;

    [[nodiscard]] DeviceChoices& devices() { return m_devices; }
    [[nodiscard]] const DeviceChoices& devices() const { return m_devices; }
    /// Asks the engine for its devices again, or starts one where none runs; noticed() says what was found.
    void rescanDevices();
    /// Shows a file in the place of all there is, in one change. Its machine is chosen with it: a device that
    /// is exactly that one, else an entry of its own, on which runs go to the engine's device of the same id,
    /// if there is one. What the engine works on for the document of before is stopped, and its results are
    /// dropped. With `keepsRuns` the runs of before stay to be compared with.
    void showFile(OpenedScene opened, bool keepsRuns = false);

    [[nodiscard]] std::int64_t stepsWanted() const { return m_stepsWanted; }
    void setStepsWanted(std::int64_t steps) { m_stepsWanted = steps; }  ///< of the next run; 0: until stopped

    /// How much the next profile counts; empty: nothing. Stays as it is while a device without counters is
    /// chosen, which is then profiled without.
    [[nodiscard]] std::optional<CounterDetail> countersWanted() const { return m_countersWanted; }
    void setCountersWanted(std::optional<CounterDetail> detail);
    /// Empty when the device that profiles has counters; else why not, as a sentence.
    [[nodiscard]] QString whyNoCounters() const;
    /// How many steps more a profile of the scene takes with that much; empty: not known, or no counters.
    [[nodiscard]] std::optional<std::int64_t> countingSteps(CounterDetail detail) const;

    /// Where the next run keeps its state, and what it goes on from (empty: nothing).
    [[nodiscard]] const CheckpointOptions& checkpoints() const { return m_checkpoints; }
    void setCheckpoints(const CheckpointOptions& options) { m_checkpoints = options; }
    [[nodiscard]] const QString& resumeFrom() const { return m_resumeFrom; }
    void setResumeFrom(const QString& path) { m_resumeFrom = path; }
    /// The newest one that the run wrote.
    [[nodiscard]] const std::optional<CheckpointReport>& newestCheckpoint() const {
        return m_newestCheckpoint;
    }

    void run();
    void pauseOrResume();
    void stop();
    void profile();  ///< of the scene, with the counters that are wanted and there
    /// Profiles `config` beside the document: the scene keeps what it has, measuredAside() brings the
    /// reading. False when it cannot begin, which failed() says.
    bool profileAside(const RunConfig& config, std::int64_t steps);
    void calibrate();
    void apply();  ///< restarts the training with the sliders' configuration
    void restartEngine();

    /// Progress of the long work that goes on: "calibrating · fp32 4 of 12"; empty when there is none.
    [[nodiscard]] QString progressText() const { return m_progress; }
    [[nodiscard]] bool hasUnsavedResults() const { return m_unsaved; }
    void setSaved();

signals:
    void changed();   ///< engine state, devices or progress
    void stopping();  ///< stop() was asked for
    void measuredAside(const plumb::Reading& reading, const plumb::Machine& machine);
    void failed(const plumb::Error& error);
    void engineLost(const QString& message);
    /// The engine lives but does not answer; whether to wait or to restart it is the user's choice.
    void engineSilent(const QString& message);
    void noticed(const QString& message);

private:
    struct Job {  ///< what the engine works on
        RunConfig config;
        std::shared_ptr<const StepPlan> plan;
        Machine machine;
        bool isTraining = false;
        bool isAside = false;  ///< its reading is not the scene's
        bool counts = false;   ///< counters were asked for
        std::int64_t id = 0;
    };
    /// The job of `plan` on the chosen device; empty, after failed(), when it cannot run or does not fit
    /// there.
    [[nodiscard]] std::optional<Job> makeJob(const std::shared_ptr<const StepPlan>& plan);
    /// `config` for the backend of the chosen device.
    [[nodiscard]] RunConfig onDevice(RunConfig config) const;
    void begin(bool isTraining);
    void started(Job job);
    void setUnsaved();
    void abandonJob();
    void take(const protocol::Event& event);
    void takeDevices(const std::vector<protocol::DeviceEntry>& listed);
    void takeFinished(const protocol::Finished& finished);
    void takeCalibration(const Machine& machine);
    void engineChanged(EngineClient::State state);
    void engineEnded(const QString& reason);
    void setState(protocol::EngineState state);

    Workbench& m_workbench;
    EngineClient& m_engine;
    DeviceChoices m_devices;
    std::optional<Job> m_job;
    std::optional<RunConfig> m_learned;
    QString m_progress;
    QString m_lastError;                       ///< of the job, becomes the outcome of its run
    std::optional<std::int64_t> m_lostAtStep;  ///< the step in which the engine of a training ended
    protocol::EngineState m_state = protocol::EngineState::Idle;
    std::int64_t m_stepsWanted = 0;
    std::optional<CounterDetail> m_countersWanted;
    CheckpointOptions m_checkpoints;
    QString m_resumeFrom;
    std::optional<CheckpointReport> m_newestCheckpoint;
    bool m_rescanning = false;
    bool m_restartPending = false;  ///< apply(): the old run is being stopped
    bool m_unsaved = false;
};

}  // namespace plumb::ui
