// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/engine/engine_work.h"

#include "core/measure/training_series.h"
#include "ui/theme/text.h"

#include <utility>

namespace plumb::ui {

using protocol::EngineState;

EngineWork::EngineWork(Workbench& workbench, EngineClient& engine)
    : m_workbench(workbench), m_engine(engine), m_results(workbench) {
    connect(&m_results, &JobResults::changed, this, &EngineWork::changed);
    connect(&engine, &EngineClient::stateChanged, this, &EngineWork::engineChanged);
    connect(&engine, &EngineClient::ended, this, &EngineWork::engineEnded);
    connect(&engine, &EngineClient::eventArrived, this,
            [this](const EngineClient::EventPtr& event) { take(*event); });
}

std::optional<RunConfig> EngineWork::runningConfig() const {
    if (m_job && m_job->isTraining) return m_job->config;
    return std::nullopt;
}

void EngineWork::begin(EngineJob job, EngineState state) {
    if (job.isTraining) {
        m_newestCheckpoint.reset();
        m_learned = job.config;
    }
    m_job = std::move(job);
    m_lastError.clear();
    m_lostAtStep.reset();
    setState(state);
}

void EngineWork::forgetDocument() {
    m_results.forget();
    if (!isOfDocument()) return;
    m_job.reset();
    m_lastError.clear();
    m_lostAtStep.reset();
}

void EngineWork::setState(EngineState state) {
    m_state = state;
    if (state == EngineState::Idle || state == EngineState::Running) m_progress.clear();
    emit changed();
}

void EngineWork::take(const protocol::Event& event) {
    const bool ofJob = m_job && event.id == m_job->id;
    if (const auto* state = std::get_if<protocol::State>(&event.body)) {
        // An idle state from before the command must not end the job: only Finished or an error does.
        if (state->state == EngineState::Idle && m_job && m_lastError.isEmpty()) return;
        if (state->state == EngineState::Idle && m_job) return takeFinished({});
        setState(state->state);
    } else if (const auto* progress = std::get_if<protocol::Progress>(&event.body)) {
        takeProgress(*progress);
    } else if (const auto* checkpoint = std::get_if<protocol::CheckpointEvent>(&event.body)) {
        if (!ofJob) return;
        // A training goes on without the checkpoint that could not be written.
        if (checkpoint->report.failure) return emit failed(*checkpoint->report.failure);
        m_newestCheckpoint = checkpoint->report;
        emit changed();
    } else if (const auto* error = std::get_if<protocol::ErrorEvent>(&event.body)) {
        if (ofJob) m_lastError = toText(error->error.message);
        emit failed(error->error);
    } else if (const auto* ended = std::get_if<protocol::Finished>(&event.body)) {
        if (ofJob) takeFinished(ended->outcome);
    } else if (ofJob) {
        m_results.take(event, *m_job);
    }
}

void EngineWork::takeProgress(const protocol::Progress& progress) {
    m_progress = progress.what == "counters" ? tr("reading counters")
                 : progress.what == "prove"  ? tr("operations of two steps")
                                             : coreText(progress.what);
    if (progress.total > 0) m_progress += tr(" · %1 of %2").arg(progress.done).arg(progress.total);
    emit changed();
}

void EngineWork::takeFinished(const std::string& outcome) {
    const bool wasTraining = m_job->isTraining;
    const QString error = std::exchange(m_lastError, {});
    m_job.reset();
    if (wasTraining) {
        if (error.isEmpty())
            m_workbench.runs().endRun(endOf(outcome), toText(outcome));
        else
            m_workbench.runs().endRun(TrainingEnd::Failed, error);
    }
    setState(EngineState::Idle);
    emit finished();
}

void EngineWork::engineChanged(EngineClient::State state) {
    if (state == EngineClient::State::Starting) m_lostAtStep.reset();  // a restart ends no engine by itself
    if (state == EngineClient::State::Starting || state == EngineClient::State::Off) m_learned.reset();
    if (state == EngineClient::State::Off && busy()) {
        // restart() ends an engine without ended(): the run must not look alive.
        const bool wasTraining = m_job && m_job->isTraining;
        const auto run = m_workbench.runs().active();
        m_job.reset();
        if (wasTraining && run) {
            m_lostAtStep = run->stepsDone + 1;
            m_workbench.runs().endRun(TrainingEnd::Failed,
                                      tr("the engine ended during step %1").arg(*m_lostAtStep));
        }
        m_state = EngineState::Idle;
        m_progress.clear();
    }
    emit changed();
}

void EngineWork::engineEnded(const QString& reason) {
    if (!m_lostAtStep) return emit engineLost(reason);
    const QString step = QString::number(*std::exchange(m_lostAtStep, {}));
    emit engineLost(tr("%1 during step %2; everything received is kept").arg(reason, step));
}

}  // namespace plumb::ui
