// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/module.h"

#include "kernels/cuda/calibrate.h"
#include "kernels/cuda/cuda_backend.h"
#include "kernels/cuda/driver.h"

#include <utility>

namespace plumb::cuda {

namespace {

Result<std::vector<Machine>> devices() {
    PLUMB_TRY(const std::vector<GpuIdentity> gpus, listGpus());
    std::vector<Machine> machines;
    machines.reserve(gpus.size());
    for (const GpuIdentity& gpu : gpus) machines.push_back(machineOf(gpu));
    return machines;
}

Result<std::unique_ptr<Backend>> makeBackend(const Machine& machine, Tuning tuning) {
    PLUMB_TRY(const std::vector<GpuIdentity> gpus, listGpus());
    return makeCudaBackend(machine, gpus.front(), {.tunes = tuning == Tuning::On});
}

Result<Machine> calibrateFirst(const CalibrationProgress& progress, std::stop_token stop, bool quick) {
    PLUMB_TRY(const std::vector<GpuIdentity> gpus, listGpus());
    return calibrateGpu(gpus.front(), progress, std::move(stop), quick);
}

}  // namespace

}  // namespace plumb::cuda

extern "C" __attribute__((visibility("default"))) const plumb::cuda::Module* plumblineCudaModule();

const plumb::cuda::Module* plumblineCudaModule() {
    using namespace plumb::cuda;
    static const Module module{kModuleMagic, kModuleBuild, devices, makeBackend, calibrateFirst};
    return &module;
}
