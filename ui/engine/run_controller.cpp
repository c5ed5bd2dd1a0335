// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/engine/run_controller.h"

#include <algorithm>
#include <utility>

namespace plumb::ui {

using protocol::EngineState;

RunController::RunController(Workbench& workbench, EngineClient& engine, QObject* parent)
    : QObject(parent), m_workbench(workbench), m_engine(engine), m_devices(workbench) {
    connect(&m_devices, &DeviceChoices::changed, this, &RunController::changed);
    connect(&m_engine, &EngineClient::stateChanged, this, &RunController::engineChanged);
    connect(&m_engine, &EngineClient::ended, this, &RunController::engineEnded);
    connect(&m_engine, &EngineClient::silent, this, [this](int milliseconds) {
        emit engineSilent(tr("The engine does not answer (for %1 s): wait, since a long step may be under "
                             "way, or restart it; everything received is kept")
                              .arg(milliseconds / 1000.0));
    });
    connect(&m_engine, &EngineClient::answering, this,
            [this] { emit noticed(tr("The engine answers again")); });
    connect(&m_engine, &EngineClient::eventArrived, this,
            [this](const EngineClient::EventPtr& event) { take(*event); });
    connect(&m_engine, &EngineClient::messageRefused, this, [this](const QString& reason) {
        emit failed(Error{ErrorCode::BadInput,
                          tr("A message of the engine was refused (%1)").arg(reason).toStdString(),
                          tr("what arrived before it is kept").toStdString()});
    });
}

std::optional<RunConfig> RunController::runningConfig() const {
    if (m_job && m_job->isTraining) return m_job->config;
    return std::nullopt;
}

bool RunController::canApply() const {
    return m_job && m_job->isTraining && training() && !(m_job->config == m_workbench.config()) &&
           whyNotRun().isEmpty();
}

QString RunController::whyNotRun() const {
    if (!engineReady())
        return m_engine.state() == EngineClient::State::Starting ? tr("The engine is starting")
                                                                 : tr("The engine is not running");
    if (!m_devices.runnable()) {
        const DeviceChoice& chosen = m_devices.current();
        return tr("%1 is %2: choose a device of the engine to run")
            .arg(QString::fromStdString(chosen.target.machine.name), chosen.reason);
    }
    return {};
}

RunConfig RunController::onDevice(RunConfig config) const {
    // The engine has several backends, and the user has chosen one of their devices.
    const DeviceChoice* device = m_devices.runnable();
    if (device && device->target.machine.backend == "cuda") config.backend = BackendChoice::Cuda;
    if (device && device->target.machine.backend == "cpu") config.backend = BackendChoice::Cpu;
    return config;
}

std::optional<RunController::Job> RunController::makeJob(const std::shared_ptr<const StepPlan>& plan) {
    const DeviceChoice* device = m_devices.runnable();
    if (const QString reason = whyNotRun(); !reason.isEmpty() || !device) {
        emit failed(Error{ErrorCode::Unavailable, reason.toStdString(), {}});
        return std::nullopt;
    }
    if (const Result<void> fits = device->target.machine.memoryBytes
                                      ? checkFits(*plan, *device->target.machine.memoryBytes)
                                      : Result<void>();
        !fits.has_value()) {
        emit failed(fits.error());
        return std::nullopt;
    }
    Job job;
    job.config = plan->config;
    job.plan = plan;
    job.machine = device->target.machine;
    return job;
}

void RunController::started(Job job) {
    const EngineState state = job.isTraining ? EngineState::Running : EngineState::Profiling;
    m_job = std::move(job);
    m_lastError.clear();
    m_lostAtStep.reset();
    setState(state);
}

void RunController::begin(bool isTraining) {
    std::optional<Job> job = makeJob(m_workbench.scene()->whatIf.plan);
    if (!job) return;
    job->isTraining = isTraining;
    if (isTraining) {
        protocol::Run command;
        command.config = onDevice(job->config);
        command.steps = m_stepsWanted;
        command.checkpoints = m_checkpoints;
        command.resumeFrom = m_resumeFrom.toStdString();
        m_newestCheckpoint.reset();
        job->id = m_engine.send(command);
        m_learned = job->config;
        // What an earlier run measured says nothing about this one.
        m_workbench.clearMeasured();
        m_workbench.beginRun(job->config, m_stepsWanted, Target{job->machine, job->plan->traits});
    } else {
        protocol::Profile command;
        command.config = onDevice(job->config);
        if (whyNoCounters().isEmpty()) command.counters = m_countersWanted;
        m_workbench.beginMeasurement();
        job->counts = command.counters.has_value();
        job->id = m_engine.send(command);
    }
    started(*std::move(job));
}

bool RunController::profileAside(const RunConfig& config, std::int64_t steps) {
    if (busy()) return false;
    Result<StepPlan> plan = planStep(config, m_workbench.traits());
    if (!plan.has_value()) {
        emit failed(plan.error());
        return false;
    }
    std::optional<Job> job = makeJob(std::make_shared<const StepPlan>(std::move(plan).value()));
    if (!job) return false;
    job->isAside = true;
    protocol::Profile command;
    command.config = onDevice(config);
    command.steps = steps;
    job->id = m_engine.send(command);
    started(*std::move(job));
    return true;
}

void RunController::run() {
    if (!busy()) begin(true);
}

void RunController::profile() {
    if (!busy()) begin(false);
}

void RunController::calibrate() {
    if (busy() || !engineReady()) return;
    Job job;
    job.id = m_engine.send(protocol::Calibrate{});
    m_job = std::move(job);
    m_lastError.clear();
    setState(EngineState::Calibrating);
}

void RunController::pauseOrResume() {
    if (m_state == EngineState::Running)
        m_engine.send(protocol::Pause{});
    else if (m_state == EngineState::Paused)
        m_engine.send(protocol::Resume{});
}

void RunController::stop() {
    m_restartPending = false;
    if (!busy()) return;
    m_engine.send(protocol::Stop{});
    emit stopping();
}

void RunController::apply() {
    if (!canApply()) return;
    stop();
    m_restartPending = true;
}

void RunController::rescanDevices() {
    m_rescanning = true;
    if (engineReady())
        m_engine.send(protocol::Devices{});
    else
        restartEngine();
}

void RunController::showFile(OpenedScene opened, bool keepsRuns) {
    abandonJob();
    m_devices.chooseFor(opened.target);
    m_unsaved = false;
    m_workbench.show(std::move(opened), keepsRuns);
    emit changed();
}

void RunController::setCountersWanted(std::optional<CounterDetail> detail) {
    if (detail == m_countersWanted) return;
    m_countersWanted = detail;
    emit changed();
}

QString RunController::whyNoCounters() const {
    if (!engineReady()) return whyNotRun();
    const DeviceChoice* device = m_devices.runnable();
    if (!device) return tr("this device is for prediction only");
    const DeviceChoice* ofEngine = m_devices.ofEngine();
    return QString::fromStdString((ofEngine ? ofEngine : device)->counters.absent);
}

std::optional<std::int64_t> RunController::countingSteps(CounterDetail detail) const {
    const DeviceChoice* device = m_devices.ofEngine();
    if (!device || !whyNoCounters().isEmpty()) return std::nullopt;
    return device->counters.stepsFor(*m_workbench.scene()->whatIf.plan, detail);
}

void RunController::restartEngine() { m_engine.restart(); }

void RunController::setSaved() {
    if (std::exchange(m_unsaved, false)) emit changed();
}

void RunController::setUnsaved() {
    if (!std::exchange(m_unsaved, true)) emit changed();
}

// The engine is busy until it says that it is idle; what it still tells of the job is of none any more.
void RunController::abandonJob() {
    if (!m_job || !m_job->plan) return;  // a calibration is of the machine, not of the document
    stop();
    m_job.reset();
    m_lastError.clear();
    m_lostAtStep.reset();
}

void RunController::setState(EngineState state) {
    m_state = state;
    if (state == EngineState::Idle || state == EngineState::Running) m_progress.clear();
    emit changed();
}

void RunController::take(const protocol::Event& event) {
    const bool ofJob = m_job && event.id == m_job->id;
    if (const auto* state = std::get_if<protocol::State>(&event.body)) {
        // An idle state from before the command must not end the job: only Finished or an error does.
        if (state->state == EngineState::Idle && m_job && m_lastError.isEmpty()) return;
        if (state->state == EngineState::Idle && m_job) return takeFinished(protocol::Finished{});
        setState(state->state);
    } else if (const auto* losses = std::get_if<protocol::LossBatch>(&event.body)) {
        if (!ofJob) return;
        setUnsaved();
        m_workbench.addLosses(losses->points, losses->stepsDone, losses->stepsPerSecond,
                              losses->skippedSteps);
    } else if (const auto* statistics = std::get_if<protocol::StatisticsEvent>(&event.body)) {
        if (ofJob && m_job->isTraining) m_workbench.addStatistics(statistics->statistics);
    } else if (const auto* heldOut = std::get_if<protocol::HoldOutEvent>(&event.body)) {
        if (ofJob && m_job->isTraining) m_workbench.addHoldOut(heldOut->loss);
    } else if (const auto* reading = std::get_if<protocol::ReadingEvent>(&event.body)) {
        if (!ofJob || !m_job->plan) return;
        setUnsaved();
        if (m_job->isAside) {
            emit measuredAside(reading->measured, m_job->machine);
            return;
        }
        m_workbench.setMeasured(std::make_shared<const Reading>(reading->measured), m_job->plan,
                                m_job->machine);
        if (m_job->counts && !reading->measured.counterRun && !reading->measured.countersAbsent.empty())
            emit noticed(tr("Profiled without counters: %1")
                             .arg(QString::fromStdString(reading->measured.countersAbsent)));
    } else if (const auto* progress = std::get_if<protocol::Progress>(&event.body)) {
        m_progress =
            progress->what == "counters" ? tr("reading counters") : QString::fromStdString(progress->what);
        if (progress->total > 0) m_progress += tr(" · %1 of %2").arg(progress->done).arg(progress->total);
        emit changed();
    } else if (const auto* devices = std::get_if<protocol::DeviceList>(&event.body)) {
        takeDevices(devices->devices);
    } else if (const auto* calibration = std::get_if<protocol::Calibrated>(&event.body)) {
        takeCalibration(calibration->machine);
    } else if (const auto* checkpoint = std::get_if<protocol::CheckpointEvent>(&event.body)) {
        if (!ofJob) return;
        // A training goes on without the checkpoint that could not be written.
        if (checkpoint->report.failure) return emit failed(*checkpoint->report.failure);
        m_newestCheckpoint = checkpoint->report;
        emit changed();
    } else if (const auto* error = std::get_if<protocol::ErrorEvent>(&event.body)) {
        if (ofJob) m_lastError = QString::fromStdString(error->error.message);
        emit failed(error->error);
    } else if (const auto* finished = std::get_if<protocol::Finished>(&event.body)) {
        if (ofJob) takeFinished(*finished);
    }
}

void RunController::takeDevices(const std::vector<protocol::DeviceEntry>& listed) {
    if (std::exchange(m_rescanning, false)) {
        const auto available = std::ranges::count_if(listed, &protocol::DeviceEntry::available);
        emit noticed(tr("Looked for devices again: %1 of %2 can run").arg(available).arg(listed.size()));
    }
    m_devices.offer(listed);
}

void RunController::takeCalibration(const Machine& machine) {
    m_devices.recalibrate(machine);
    emit noticed(tr("%1 is calibrated: predicted times now use its own ceilings")
                     .arg(QString::fromStdString(machine.name)));
}

void RunController::takeFinished(const protocol::Finished& finished) {
    const bool wasTraining = m_job->isTraining;
    QString outcome = QString::fromStdString(finished.outcome);
    if (!m_lastError.isEmpty()) outcome = m_lastError;
    m_job.reset();
    m_lastError.clear();
    if (wasTraining) m_workbench.endRun(outcome);
    setState(EngineState::Idle);
    if (std::exchange(m_restartPending, false)) begin(true);
}

void RunController::engineChanged(EngineClient::State state) {
    if (state == EngineClient::State::Starting) m_lostAtStep.reset();  // a restart ends no engine by itself
    if (state != EngineClient::State::Ready) m_learned.reset();
    if (state == EngineClient::State::Ready) m_engine.send(protocol::Devices{});
    if (state == EngineClient::State::Off && busy()) {
        // restart() ends an engine without ended(): the run must not look alive.
        const bool wasTraining = m_job && m_job->isTraining;
        const auto run = m_workbench.activeRun();
        m_job.reset();
        m_restartPending = false;
        if (wasTraining && run) {
            m_lostAtStep = run->stepsDone + 1;
            m_workbench.endRun(tr("the engine ended during step %1").arg(*m_lostAtStep));
        }
        m_state = EngineState::Idle;
        m_progress.clear();
    }
    emit changed();
}

void RunController::engineEnded(const QString& reason) {
    QString text = reason;
    if (m_lostAtStep)
        text += tr(" during step %1; everything received is kept").arg(*std::exchange(m_lostAtStep, {}));
    emit engineLost(text);
}

}  // namespace plumb::ui
