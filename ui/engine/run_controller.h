// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/protocol.h"
#include "ui/engine/device_choices.h"
#include "ui/engine/engine_client.h"
#include "ui/engine/engine_work.h"
#include "ui/engine/next_run.h"
#include "ui/workbench/workbench.h"

#include <QObject>
#include <QString>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace plumb::ui {

/// Turns what the user asks for into commands of the engine; what comes of them is EngineWork's.
/// What-if changes of the workbench during a run never reach the engine; apply() does that.
class RunController final : public QObject {
    Q_OBJECT
public:
    RunController(Workbench& workbench, EngineClient& engine, QObject* parent = nullptr);

    /// What the engine works on now; its signals are passed on.
    [[nodiscard]] EngineWork& work() { return m_work; }
    [[nodiscard]] const EngineWork& work() const { return m_work; }
    [[nodiscard]] DeviceChoices& devices() { return m_devices; }
    [[nodiscard]] NextRun& next() { return m_next; }
    /// True when a training goes on with another configuration than the sliders show.
    [[nodiscard]] bool canApply() const;
    /// Empty when run() would work; else why not, as a sentence.
    [[nodiscard]] QString whyNotRun() const;

    /// Asks the engine for its devices again, or starts one where none runs; noticed() says what was found.
    void rescanDevices();
    /// Shows a file in the place of all there is, in one change. Its machine is chosen with it: a device that
    /// is exactly that one, else an entry of its own, on which runs go to the engine's device of the same id,
    /// if there is one. What the engine works on for the document of before is stopped, and its results are
    /// dropped. With `keepsRuns` the runs of before stay to be compared with.
    void showFile(OpenedScene opened, bool keepsRuns = false);

    /// Empty when the device that profiles has counters; else why not, as a sentence.
    [[nodiscard]] QString whyNoCounters() const;
    /// How many steps more a profile of the scene takes with that much; empty: not known, or no counters.
    [[nodiscard]] std::optional<std::int64_t> countingSteps(CounterDetail detail) const;

    void run();
    void pauseOrResume();
    void stop();
    void profile();  ///< profiles the scene, with the counters that are wanted and there
    /// Profiles `config` beside the document: the scene keeps what it has, measuredAside() brings the
    /// reading. False when it cannot begin, which failed() says.
    bool profileAside(const RunConfig& config, std::int64_t steps);
    void calibrate();
    void apply();  ///< restarts the training with the sliders' configuration
    void restartEngine();

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
    /// The job of `plan` on the chosen device; empty, after failed(), when it cannot run or does not fit
    /// there.
    [[nodiscard]] std::optional<EngineJob> makeJob(const std::shared_ptr<const StepPlan>& plan);
    /// `config` for the backend of the chosen device.
    [[nodiscard]] RunConfig onDevice(RunConfig config) const;
    /// UUID of the GPU of the engine that the chosen device runs on; empty: it is none.
    [[nodiscard]] std::string chosenGpu() const;
    void train();
    void engineChanged(EngineClient::State state);
    void takeDevices(const std::vector<protocol::DeviceEntry>& listed);
    void takeCalibration(const Machine& machine);

    Workbench& m_workbench;
    EngineClient& m_engine;
    EngineWork m_work;
    DeviceChoices m_devices;
    NextRun m_next;
    bool m_rescanning = false;
    bool m_restartPending = false;  ///< apply(): the old run is being stopped
};

}  // namespace plumb::ui
