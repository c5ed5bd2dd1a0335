// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/engine/chosen_device.h"

#include "ui/theme/text.h"

namespace plumb::ui {

std::optional<ChosenDevice::Obstacle> ChosenDevice::obstacle() const {
    const QString place = m_engine.place();
    switch (m_engine.state()) {
    case EngineClient::State::Starting:
        return Obstacle{place.isEmpty() ? tr("The engine is starting") : tr("Connecting to %1").arg(place),
                        tr("try again when it is ready")};
    case EngineClient::State::Off:
        return Obstacle{tr("The engine is not running"), tr("choose Run, Restart the engine")};
    case EngineClient::State::Lost:
        return Obstacle{place.isEmpty() ? tr("The connection to the engine is lost")
                                        : tr("The connection to %1 is lost").arg(place),
                        tr("choose Run, Restart the engine")};
    case EngineClient::State::Ready:
        break;
    }
    if (m_devices.runnable()) return std::nullopt;
    const DeviceChoice& chosen = m_devices.current();
    return Obstacle{tr("%1 is %2").arg(chosen.name(), chosen.reasonText()),
                    tr("choose a device of the engine to run")};
}

QString ChosenDevice::whyNotRun() const {
    const std::optional<Obstacle> found = obstacle();
    if (!found) return {};
    // That of the engine stands beside what it does and in the status strip.
    if (m_engine.state() != EngineClient::State::Ready) return found->what;
    return tr("%1: %2").arg(found->what, found->remedy);
}

bool ChosenDevice::canTrain() const { return m_engine.state() == EngineClient::State::Off || !obstacle(); }

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
    if (const std::optional<Obstacle> found = obstacle())
        return Error{ErrorCode::Unavailable, found->what.toStdString(), found->remedy.toStdString()};
    const DeviceChoice* device = m_devices.runnable();
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
