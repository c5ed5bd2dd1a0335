// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/protocol.h"
#include "ui/engine/engine_client.h"
#include "ui/engine/job_results.h"
#include "ui/workbench/workbench.h"

#include <QObject>
#include <QString>

#include <optional>

namespace plumb::ui {

/// What the engine works on: the job, how far it is, and what came of the trainings.
class EngineWork final : public QObject {
    Q_OBJECT
public:
    EngineWork(Workbench& workbench, EngineClient& engine);

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
    /// The newest one that the run wrote.
    [[nodiscard]] const std::optional<CheckpointReport>& newestCheckpoint() const {
        return m_newestCheckpoint;
    }
    /// Progress of the long work that goes on: "calibrating · fp32 4 of 12"; empty when there is none.
    [[nodiscard]] QString progressText() const { return m_progress; }
    [[nodiscard]] JobResults& results() { return m_results; }
    [[nodiscard]] const JobResults& results() const { return m_results; }

    /// The engine was sent `job` and works in `state` from now on.
    void begin(EngineJob job, protocol::EngineState state);
    [[nodiscard]] bool isOfDocument() const { return m_job && m_job->plan; }
    /// Another document takes the place: its results are not this one's, and what the engine still tells of
    /// the job is of none any more. The engine is busy until it says that it is idle.
    void forgetDocument();

signals:
    void changed();
    void finished();  ///< the job ended by itself or was stopped; the engine is idle
    void failed(const plumb::Error& error);
    void engineLost(const QString& message);

private:
    void take(const protocol::Event& event);
    void takeProgress(const protocol::Progress& progress);
    void takeFinished(const std::string& outcome);
    void engineChanged(EngineClient::State state);
    void engineEnded(const QString& reason);
    void setState(protocol::EngineState state);

    Workbench& m_workbench;
    EngineClient& m_engine;
    JobResults m_results;
    std::optional<EngineJob> m_job;
    std::optional<RunConfig> m_learned;
    std::optional<CheckpointReport> m_newestCheckpoint;
    QString m_progress;
    QString m_lastError;                       ///< error of the job, becomes the outcome of its run
    std::optional<std::int64_t> m_lostAtStep;  ///< the step in which the engine of a training ended
    protocol::EngineState m_state = protocol::EngineState::Idle;
};

}  // namespace plumb::ui
