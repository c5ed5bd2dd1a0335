// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/engine/run_controller.h"

#include "ui/theme/text.h"

#include <memory>
#include <utility>

namespace plumb::ui {

using protocol::EngineState;

RunController::RunController(Workbench& workbench, EngineClient& engine, QObject* parent)
    : QObject(parent),
      m_workbench(workbench),
      m_engine(engine),
      m_work(workbench, engine),
      m_devices(workbench),
      m_engineDevices(engine, m_devices),
      m_chosen(workbench, engine, m_devices),
      m_prover(workbench, engine, m_work, m_chosen),
      m_adoption(workbench, engine, m_work, m_devices) {
    connect(&m_devices, &DeviceChoices::changed, this, &RunController::changed);
    connect(&m_next, &NextRun::countersChanged, this, &RunController::changed);
    connect(&m_work, &EngineWork::changed, this, &RunController::changed);
    connect(&m_work, &EngineWork::failed, this, &RunController::failed);
    connect(&m_work.results(), &JobResults::noticed, this, &RunController::noticed);
    connect(&m_engineDevices, &EngineDevices::noticed, this, &RunController::noticed);
    connect(&m_adoption, &RunAdoption::noticed, this, &RunController::noticed);
    connect(&m_work, &EngineWork::finished, this, [this] {
        m_stopWaits = false;
        if (std::exchange(m_restartPending, false)) train();
    });
    connect(&m_engine, &EngineClient::eventArrived, this, [this](const EngineClient::EventPtr& event) {
        if (const auto* file = std::get_if<protocol::Recorded>(&event->body))
            emit recorded(toText(file->path));
        // Not before it has said on what it can run.
        if (std::holds_alternative<protocol::DeviceList>(event->body) && std::exchange(m_runWaits, false))
            run();
        if (const auto* missed = std::get_if<protocol::Missed>(&event->body))
            emit noticed(
                tr("The connection was lost for so long that %1 messages are gone: the curve of losses is "
                   "thinned out there")
                    .arg(exactText(missed->count, "")));
    });
    connect(&m_engine, &EngineClient::stateChanged, this, [this](EngineClient::State state) {
        if (state == EngineClient::State::Off) m_restartPending = m_stopWaits = m_runWaits = false;
    });
    connect(&m_engine.watch(), &EngineWatch::silent, this, [this](int milliseconds) {
        const QString waited = quantityText(milliseconds / 1000.0, "s");
        if (m_stopWaits && m_engine.watch().commandWaits())
            return emit engineSilent(
                tr("The engine has not stopped for %1: wait, since a long step may be under way, or stop "
                   "once more, which ends its process and starts another; everything received is kept")
                    .arg(waited));
        emit engineSilent(tr("The engine does not answer (for %1): wait, since a long step may be under way, "
                             "or restart it; everything received is kept")
                              .arg(waited));
    });
    connect(&m_engine.watch(), &EngineWatch::answering, this,
            [this] { emit noticed(tr("The engine answers again")); });
    connect(&m_engine, &EngineClient::messageRefused, this, [this](const QString& reason) {
        emit failed(Error{ErrorCode::BadInput,
                          tr("A message of the engine was refused (%1)").arg(reason).toStdString(),
                          tr("what arrived before it is kept").toStdString()});
    });
}

bool RunController::canApply() const {
    const std::optional<RunConfig> running = m_work.runningConfig();
    return running && m_work.training() && !(*running == m_workbench.config()) &&
           m_chosen.whyNotRun().isEmpty();
}

void RunController::train() {
    Result<EngineJob> job = m_chosen.job(m_workbench.session()->whatIf.plan);
    if (!job.has_value()) {
        emit failed(job.error());
        return;
    }
    job->isTraining = true;
    protocol::Run command{.config = m_chosen.configured(job->config),
                          .steps = m_next.steps(),
                          .checkpoints = m_next.checkpoints(),
                          .resumeFrom = m_next.resumeFrom().toStdString(),
                          .device = m_chosen.name()};
    job->id = m_engine.send(command);
    // What an earlier run measured says nothing about this one.
    m_workbench.clearMeasured();
    m_workbench.runs().beginRun(job->config, m_next.steps(), Target{job->machine, job->plan->traits});
    m_work.begin(std::move(job).value(), EngineState::Running);
}

void RunController::profile() {
    if (m_work.busy()) return;
    Result<EngineJob> job = m_chosen.job(m_workbench.session()->whatIf.plan);
    if (!job.has_value()) {
        emit failed(job.error());
        return;
    }
    protocol::Profile command;
    command.config = m_chosen.configured(job->config);
    command.device = m_chosen.name();
    if (m_chosen.whyNoCounters().isEmpty()) command.counters = m_next.counters();
    m_workbench.beginMeasurement();
    job->counts = command.counters.has_value();
    job->id = m_engine.send(command);
    m_work.begin(std::move(job).value(), EngineState::Profiling);
}

bool RunController::profileAside(const RunConfig& config, std::int64_t steps) {
    if (m_work.busy()) return false;
    Result<StepPlan> plan = planStep(config, m_workbench.traits());
    if (!plan.has_value()) {
        emit failed(plan.error());
        return false;
    }
    Result<EngineJob> job = m_chosen.job(std::make_shared<const StepPlan>(std::move(plan).value()));
    if (!job.has_value()) {
        emit failed(job.error());
        return false;
    }
    job->isAside = true;
    protocol::Profile command;
    command.config = m_chosen.configured(config);
    command.device = m_chosen.name();
    command.steps = steps;
    job->id = m_engine.send(command);
    m_work.begin(std::move(job).value(), EngineState::Profiling);
    return true;
}

void RunController::run() {
    if (m_work.busy()) return;
    if (m_engine.state() != EngineClient::State::Off) return train();
    m_runWaits = true;
    m_engine.start();
}

void RunController::calibrate() {
    if (m_work.busy() || !m_work.engineReady()) return;
    EngineJob job;
    job.id = m_engine.send(protocol::Calibrate{m_chosen.name()});
    m_work.begin(std::move(job), EngineState::Calibrating);
}

void RunController::pauseOrResume() {
    if (m_work.engineState() == EngineState::Running)
        m_engine.send(protocol::Pause{});
    else if (m_work.engineState() == EngineState::Paused)
        m_engine.send(protocol::Resume{});
}

void RunController::stop() {
    m_restartPending = false;
    if (!m_work.busy()) return;
    emit stopping();
    if (m_stopWaits && m_engine.watch().commandWaits()) {
        m_engine.restart();
        emit noticed(
            tr("The engine did not stop and was ended; another one is started, and everything received is "
               "kept"));
        return;
    }
    if (m_engine.state() == EngineClient::State::Lost)
        emit noticed(tr("The engine is told to stop as soon as the connection to it is back"));
    m_stopWaits = true;
    m_engine.send(protocol::Stop{});
    emit changed();
}

void RunController::apply() {
    if (!canApply()) return;
    stop();
    m_restartPending = true;
}

void RunController::showFile(OpenedScene opened, bool keepsRuns) {
    if (m_work.isOfDocument()) stop();
    m_work.forgetDocument();
    m_devices.chooseFor(opened.whatIf.target);
    m_workbench.open(std::move(opened), keepsRuns);
    emit changed();
}

void RunController::showRecording(Recording recording) {
    std::vector<Machine> offered;
    for (const DeviceChoice& choice : m_devices.all()) offered.push_back(choice.target.machine);
    const Machine* const found = machineOf(recording.file->environment, offered);
    m_workbench.open(std::move(recording));
    if (found != nullptr) m_devices.choose(static_cast<int>(found - offered.data()));
    emit changed();
}

}  // namespace plumb::ui
