// SPDX-License-Identifier: Apache-2.0
// The composition root: the only place that knows which backends were built in.
#include "app/cli/backends.h"

#include "core/model/run_config.h"
#include "kernels/cpu/calibrate.h"
#include "kernels/cpu/cpu_backend.h"

#include <utility>

namespace plumb::cli {

namespace {

constexpr std::string_view kNoCuda = "this version has no CUDA backend";

Result<void> checkAvailable(BackendChoice choice) {
    if (choice != BackendChoice::Cuda) return {};
    return Error{ErrorCode::Unavailable, "the backend is not available (cuda)",
                 std::string(kNoCuda) + ", use --backend cpu"};
}

}  // namespace

std::vector<protocol::DeviceEntry> listDevices() {
    std::vector<protocol::DeviceEntry> devices(2);
    devices[0].machine = localCpuCalibrated();
    devices[0].traits = cpuTraits();
    devices[1].machine.id = "cuda";
    devices[1].machine.name = "NVIDIA GPU";
    devices[1].machine.backend = "cuda";
    devices[1].machine.source = "not available";
    devices[1].traits.backend = "cuda";
    devices[1].available = false;
    devices[1].reason = kNoCuda;
    return devices;
}

Result<std::unique_ptr<Backend>> makeBackend(BackendChoice choice) {
    PLUMB_CHECK(checkAvailable(choice));
    return makeCpuBackend();
}

Result<Machine> calibrate(BackendChoice choice,
                          const std::function<void(std::string_view, int, int)>& progress,
                          std::stop_token stop, CalibrationSize size) {
    PLUMB_CHECK(checkAvailable(choice));
    return calibrateCpu(progress, std::move(stop),
                        size == CalibrationSize::Quick ? SurveyGrid::quick() : SurveyGrid::full());
}

Result<BackendChoice> backendFromName(std::string_view text) {
    RunConfig config;
    PLUMB_CHECK(setOption(config, "backend", text));
    return config.backend;
}

Result<Machine> localMachine(BackendChoice choice) {
    PLUMB_CHECK(checkAvailable(choice));
    return localCpuCalibrated();
}

}  // namespace plumb::cli
