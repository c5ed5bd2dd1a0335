// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/engine/chosen_device.h"

#include "ui/theme/text.h"

namespace plumb::ui {

QString ChosenDevice::whyNotRun() const {
    switch (m_engine.state()) {
    case EngineClient::State::Starting:
        return m_engine.place().isEmpty() ? tr("The engine is starting")
                                          : tr("Connecting to %1").arg(m_engine.place());
    case EngineClient::State::Off:
        return tr("The engine is not running");
    case EngineClient::State::Lost:
        return m_engine.place().isEmpty() ? tr("The connection to the engine is lost")
                                          : tr("The connection to %1 is lost").arg(m_engine.place());
    case EngineClient::State::Ready:
        break;
    }
    if (!m_devices.runnable()) {
        const DeviceChoice& chosen = m_devices.current();
        return tr("%1 is %2: choose a device of the engine to run").arg(chosen.name(), chosen.reason);
    }
    return {};
}

QString ChosenDevice::whyNoCounters() const {
    if (m_engine.state() != EngineClient::State::Ready) return whyNotRun();
    const DeviceChoice* device = m_devices.runnable();
    if (!device) return tr("this device is for prediction only");
    const DeviceChoice* ofEngine = m_devices.ofEngine();
    return coreText((ofEngine ? ofEngine : device)->counters.absent);
}

std::optional<std::int64_t> ChosenDevice::countingSteps(CounterDetail detail) const {
    const DeviceChoice* device = m_devices.ofEngine();
    if (!device || !whyNoCounters().isEmpty()) return std::nullopt;
    return device->counters.stepsFor(*m_workbench.session()->whatIf.plan, detail);
}

Result<EngineJob> ChosenDevice::job(const std::shared_ptr<const StepPlan>& plan) const {
    const DeviceChoice* device = m_devices.runnable();
    if (const QString reason = whyNotRun(); !reason.isEmpty() || !device)
        return Error{ErrorCode::Unavailable, reason.toStdString(), {}};
    if (device->target.machine.memoryBytes)
        PLUMB_CHECK(checkFits(*plan, *device->target.machine.memoryBytes));
    return EngineJob{.config = plan->config, .plan = plan, .machine = device->target.machine};
}

RunConfig ChosenDevice::configured(RunConfig config) const {
    // The engine has several backends, and the user has chosen one of their devices.
    const DeviceChoice* device = m_devices.runnable();
    if (device && device->target.machine.backend == "cuda") config.backend = BackendChoice::Cuda;
    if (device && device->target.machine.backend == "cpu") config.backend = BackendChoice::Cpu;
    return config;
}

std::string ChosenDevice::name() const {
    const DeviceChoice* device = m_devices.ofEngine();
    if (!device) return {};
    return runsPyTorch(device->target) ? pyTorchDevice(device->target) : device->target.machine.uuid;
}

}  // namespace plumb::ui
