// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/engine/run_adoption.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <variant>

namespace plumb::ui {

namespace {

/// The device of the engine that a training names; null: it is not listed.
const DeviceChoice* deviceOf(const protocol::Run& run, const std::vector<DeviceChoice>& devices) {
    const auto isIt = [&](const DeviceChoice& device) {
        if (!device.ofEngine || !device.canRun) return false;
        const Machine& machine = device.target.machine;
        if (!run.device.empty())
            return run.device == (runsPyTorch(device.target) ? pyTorchDevice(device.target) : machine.uuid);
        if (runsPyTorch(device.target)) return false;
        return run.config.backend == BackendChoice::Auto || name(run.config.backend) == machine.backend;
    };
    const auto found = std::ranges::find_if(devices, isIt);
    return found == devices.end() ? nullptr : &*found;
}

}  // namespace

RunAdoption::RunAdoption(Workbench& workbench, EngineClient& engine, EngineWork& work,
                         const DeviceChoices& devices)
    : m_workbench(workbench), m_work(work), m_devices(devices) {
    connect(&engine, &EngineClient::eventArrived, this, [this](const EngineClient::EventPtr& event) {
        if (const auto* began = std::get_if<protocol::Began>(&event->body)) take(event->id, began->run);
    });
}

void RunAdoption::take(std::int64_t id, const protocol::Run& run) {
    // That of this window has its job already; one of a document that was closed is being stopped.
    if (m_work.isOfDocument() || !m_work.training()) return;
    const DeviceChoice* const device = deviceOf(run, m_devices.all());
    if (device == nullptr) return;
    const Target target = device->target;
    EngineJob job{.config = run.config, .plan = nullptr, .machine = target.machine};
    job.config.backend = m_workbench.config().backend;  // which is chosen by the device
    Result<StepPlan> plan = planStep(job.config, target.traits);
    if (!plan.has_value()) return;
    job.plan = std::make_shared<const StepPlan>(std::move(plan).value());
    job.isTraining = true;
    job.id = id;
    m_workbench.runs().beginRun(job.config, run.steps, target);
    m_work.begin(std::move(job), m_work.engineState());
    emit noticed(tr("The engine was training already: its run is shown from the first step on"));
}

}  // namespace plumb::ui
