// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/engine/run_controller.h"

#include "ui/theme/text.h"

#include <algorithm>
#include <utility>

namespace plumb::ui {

using protocol::EngineState;

RunController::RunController(Workbench& workbench, EngineClient& engine, QObject* parent)
    : QObject(parent),
      m_workbench(workbench),
      m_engine(engine),
      m_work(workbench, engine),
      m_devices(workbench) {
    connect(&m_devices, &DeviceChoices::changed, this, &RunController::changed);
    connect(&m_next, &NextRun::countersChanged, this, &RunController::changed);
    connect(&m_work, &EngineWork::changed, this, &RunController::changed);
    connect(&m_work, &EngineWork::measuredAside, this, &RunController::measuredAside);
    connect(&m_work, &EngineWork::failed, this, &RunController::failed);
    connect(&m_work, &EngineWork::engineLost, this, &RunController::engineLost);
    connect(&m_work, &EngineWork::noticed, this, &RunController::noticed);
    connect(&m_work, &EngineWork::finished, this, [this] {
        if (std::exchange(m_restartPending, false)) train();
    });
    connect(&m_engine, &EngineClient::stateChanged, this, &RunController::engineChanged);
    connect(&m_engine.watch(), &EngineWatch::silent, this, [this](int milliseconds) {
        emit engineSilent(tr("The engine does not answer (for %1 s): wait, since a long step may be under "
                             "way, or restart it; everything received is kept")
                              .arg(milliseconds / 1000.0));
    });
    connect(&m_engine.watch(), &EngineWatch::answering, this,
            [this] { emit noticed(tr("The engine answers again")); });
    connect(&m_engine, &EngineClient::eventArrived, this, [this](const EngineClient::EventPtr& event) {
        if (const auto* devices = std::get_if<protocol::DeviceList>(&event->body))
            takeDevices(devices->devices);
        if (const auto* calibration = std::get_if<protocol::Calibrated>(&event->body))
            takeCalibration(calibration->machine);
    });
    connect(&m_engine, &EngineClient::messageRefused, this, [this](const QString& reason) {
        emit failed(Error{ErrorCode::BadInput,
                          tr("A message of the engine was refused (%1)").arg(reason).toStdString(),
                          tr("what arrived before it is kept").toStdString()});
    });
}

bool RunController::canApply() const {
    const std::optional<RunConfig> running = m_work.runningConfig();
    return running && m_work.training() && !(*running == m_workbench.config()) && whyNotRun().isEmpty();
}

QString RunController::whyNotRun() const {
    if (!m_work.engineReady())
        return m_engine.state() == EngineClient::State::Starting ? tr("The engine is starting")
                                                                 : tr("The engine is not running");
    if (!m_devices.runnable()) {
        const DeviceChoice& chosen = m_devices.current();
        return tr("%1 is %2: choose a device of the engine to run")
            .arg(toText(chosen.target.machine.name), chosen.reason);
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

std::string RunController::chosenGpu() const {
    const DeviceChoice* device = m_devices.ofEngine();
    return device ? device->target.machine.uuid : std::string();
}

std::optional<EngineJob> RunController::makeJob(const std::shared_ptr<const StepPlan>& plan) {
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
    return EngineJob{.config = plan->config, .plan = plan, .machine = device->target.machine};
}

void RunController::train() {
    std::optional<EngineJob> job = makeJob(m_workbench.scene()->whatIf.plan);
    if (!job) return;
    job->isTraining = true;
    protocol::Run command{.config = onDevice(job->config),
                          .steps = m_next.steps(),
                          .checkpoints = m_next.checkpoints(),
                          .resumeFrom = m_next.resumeFrom().toStdString(),
                          .device = chosenGpu()};
    job->id = m_engine.send(command);
    // What an earlier run measured says nothing about this one.
    m_workbench.clearMeasured();
    m_workbench.beginRun(job->config, m_next.steps(), Target{job->machine, job->plan->traits});
    m_work.begin(*std::move(job), EngineState::Running);
}

void RunController::profile() {
    if (m_work.busy()) return;
    std::optional<EngineJob> job = makeJob(m_workbench.scene()->whatIf.plan);
    if (!job) return;
    protocol::Profile command;
    command.config = onDevice(job->config);
    command.device = chosenGpu();
    if (whyNoCounters().isEmpty()) command.counters = m_next.counters();
    m_workbench.beginMeasurement();
    job->counts = command.counters.has_value();
    job->id = m_engine.send(command);
    m_work.begin(*std::move(job), EngineState::Profiling);
}

bool RunController::profileAside(const RunConfig& config, std::int64_t steps) {
    if (m_work.busy()) return false;
    Result<StepPlan> plan = planStep(config, m_workbench.traits());
    if (!plan.has_value()) {
        emit failed(plan.error());
        return false;
    }
    std::optional<EngineJob> job = makeJob(std::make_shared<const StepPlan>(std::move(plan).value()));
    if (!job) return false;
    job->isAside = true;
    protocol::Profile command;
    command.config = onDevice(config);
    command.device = chosenGpu();
    command.steps = steps;
    job->id = m_engine.send(command);
    m_work.begin(*std::move(job), EngineState::Profiling);
    return true;
}

void RunController::run() {
    if (!m_work.busy()) train();
}

void RunController::calibrate() {
    if (m_work.busy() || !m_work.engineReady()) return;
    EngineJob job;
    job.id = m_engine.send(protocol::Calibrate{chosenGpu()});
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
    if (m_work.engineReady())
        m_engine.send(protocol::Devices{});
    else
        restartEngine();
}

void RunController::showFile(OpenedScene opened, bool keepsRuns) {
    if (m_work.isOfDocument()) stop();
    m_work.forgetDocument();
    m_devices.chooseFor(opened.target);
    m_workbench.show(std::move(opened), keepsRuns);
    emit changed();
}

QString RunController::whyNoCounters() const {
    if (!m_work.engineReady()) return whyNotRun();
    const DeviceChoice* device = m_devices.runnable();
    if (!device) return tr("this device is for prediction only");
    const DeviceChoice* ofEngine = m_devices.ofEngine();
    return toText((ofEngine ? ofEngine : device)->counters.absent);
}

std::optional<std::int64_t> RunController::countingSteps(CounterDetail detail) const {
    const DeviceChoice* device = m_devices.ofEngine();
    if (!device || !whyNoCounters().isEmpty()) return std::nullopt;
    return device->counters.stepsFor(*m_workbench.scene()->whatIf.plan, detail);
}

void RunController::restartEngine() { m_engine.restart(); }

void RunController::takeDevices(const std::vector<protocol::DeviceEntry>& listed) {
    if (std::exchange(m_rescanning, false)) {
        const auto available = std::ranges::count_if(listed, &protocol::DeviceEntry::available);
        emit noticed(tr("Looked for devices again: %1 of %2 can run").arg(available).arg(listed.size()));
    }
    m_devices.offer(listed);
}

void RunController::takeCalibration(const Machine& machine) {
    m_devices.recalibrate(machine);
    emit noticed(tr("%1 is calibrated: predicted times now use its own ceilings").arg(toText(machine.name)));
}

void RunController::engineChanged(EngineClient::State state) {
    if (state == EngineClient::State::Ready) m_engine.send(protocol::Devices{});
    if (state == EngineClient::State::Off) m_restartPending = false;
}

}  // namespace plumb::ui
