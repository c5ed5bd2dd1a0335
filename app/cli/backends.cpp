// SPDX-License-Identifier: Apache-2.0
// The composition root: the only place that knows which backends there are.
#include "app/cli/backends.h"

#include "app/cli/counter_sets.h"
#include "app/cli/cuda_module.h"
#include "core/machine/calibration_file.h"
#include "core/model/run_config.h"
#include "kernels/cpu/calibrate.h"
#include "kernels/cpu/cpu_backend.h"

#include <fmt/format.h>

#include <utility>

namespace plumb::cli {

namespace {

protocol::DeviceEntry cpuDevice() {
    protocol::DeviceEntry device;
    device.target.machine = localCpuCalibrated();
    device.target.traits = localCpuTraits();
    device.counters.absent = "only NVIDIA GPUs have counters";
    return device;
}

/// What stands in the list where no GPU is known by name.
protocol::DeviceEntry noGpu(const Error& error) {
    protocol::DeviceEntry device;
    device.target.machine.id = "cuda";
    device.target.machine.name = "NVIDIA GPU";
    device.target.machine.backend = "cuda";
    device.target.machine.source = "not available";
    device.target.traits.backend = "cuda";
    device.available = false;
    device.reason = device.counters.absent = error.text();
    return device;
}

/// Every GPU; the first one is used, when the CUDA backend has code for it.
Result<std::vector<protocol::DeviceEntry>> gpus() {
    PLUMB_TRY(const cuda::Module* const module, cudaModule());
    PLUMB_TRY(std::vector<Machine> machines, module->devices());
    std::vector<protocol::DeviceEntry> devices;
    for (Machine& machine : machines) {
        protocol::DeviceEntry& device = devices.emplace_back();
        device.target.traits = traitsFor(machine.backend, machine.computeCapability);
        device.target.machine = calibrated(std::move(machine));
        const auto traits = cudaTraits(device.target.machine.computeCapability.value_or(0));
        const std::size_t index = devices.size() - 1;
        device.available = traits.has_value() && index == 0;
        if (!traits.has_value())
            device.reason = traits.error().text();
        else if (index > 0)
            device.reason =
                fmt::format("the first GPU is the one that is used: set CUDA_VISIBLE_DEVICES={} to "
                            "use this one",
                            index);
    }
    return devices;
}

/// The GPU that steps run on. Errors: Unavailable with the reason that the list of devices gives.
Result<protocol::DeviceEntry> usableGpu() {
    const auto unavailable = [](const std::string& reason) {
        return Error{ErrorCode::Unavailable, "the backend is not available (cuda)", reason};
    };
    const auto devices = gpus();
    if (!devices.has_value()) return unavailable(devices.error().text());
    if (!devices->front().available) return unavailable(devices->front().reason);
    return devices->front();
}

}  // namespace

std::vector<protocol::DeviceEntry> listDevices() {
    std::vector<protocol::DeviceEntry> devices;
    const auto found = gpus();
    if (found.has_value()) devices = *found;
    for (protocol::DeviceEntry& device : devices)
        device.counters = counterSupport(device.target.machine.computeCapability.value_or(0));
    // The best available one first.
    const bool gpuFirst = !devices.empty() && devices.front().available;
    devices.insert(gpuFirst ? devices.end() : devices.begin(), cpuDevice());
    if (!found.has_value()) devices.push_back(noGpu(found.error()));
    return devices;
}

Result<protocol::DeviceEntry> localDevice(BackendChoice choice) {
    if (choice == BackendChoice::Cpu) return cpuDevice();
    auto gpu = usableGpu();
    if (!gpu.has_value() && choice == BackendChoice::Auto) return cpuDevice();
    return gpu;
}

Result<Machine> localMachine(BackendChoice choice) {
    PLUMB_TRY(const protocol::DeviceEntry device, localDevice(choice));
    return device.target.machine;
}

Result<std::unique_ptr<Backend>> makeBackend(BackendChoice choice, cuda::Tuning tuning) {
    PLUMB_TRY(const protocol::DeviceEntry device, localDevice(choice));
    if (device.target.machine.backend != "cuda") {
        if (tuning == cuda::Tuning::Off)
            return Error{
                ErrorCode::BadInput,
                fmt::format("--tune has no meaning on this backend ({})", device.target.machine.backend),
                "use --backend cuda, or leave --tune out"};
        return makeCpuBackend();
    }
    PLUMB_TRY(const cuda::Module* const module, cudaModule());
    return module->makeBackend(device.target.machine, tuning);
}

Result<cuda::Tuning> tuningFromName(std::string_view text) {
    if (text == "on") return cuda::Tuning::On;
    if (text == "off") return cuda::Tuning::Off;
    return Error{ErrorCode::BadInput, fmt::format("--tune is neither on nor off ({})", text),
                 "give --tune on or --tune off"};
}

Result<Machine> calibrate(BackendChoice choice,
                          const std::function<void(std::string_view, int, int)>& progress,
                          std::stop_token stop, CalibrationSize size) {
    PLUMB_TRY(const protocol::DeviceEntry device, localDevice(choice));
    const bool quick = size == CalibrationSize::Quick;
    if (device.target.machine.backend != "cuda")
        return calibrateCpu(progress, std::move(stop), quick ? SurveyGrid::quick() : SurveyGrid::full());
    PLUMB_TRY(const cuda::Module* const module, cudaModule());
    return module->calibrate(progress, std::move(stop), quick);
}

Result<BackendChoice> backendFromName(std::string_view text) {
    RunConfig config;
    PLUMB_CHECK(setOption(config, "backend", text));
    return config.backend;
}

}  // namespace plumb::cli
