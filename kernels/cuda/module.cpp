// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/module.h"

#include "kernels/cuda/calibrate.h"
#include "kernels/cuda/cuda_backend.h"
#include "kernels/cuda/driver.h"

#include <fmt/format.h>

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

Result<GpuIdentity> gpuOf(const Machine& machine) {
    PLUMB_TRY(const std::vector<GpuIdentity> gpus, listGpus());
    const auto index = static_cast<std::size_t>(machine.index.value_or(0));
    if (index < gpus.size()) return gpus[index];
    return Error{ErrorCode::Unavailable,
                 fmt::format("the GPU is not there any more ({}, of {})", index, gpus.size()),
                 "see what plumbline-cli devices says"};
}

Result<std::unique_ptr<Backend>> makeBackend(const Machine& machine, Tuning tuning) {
    PLUMB_TRY(const GpuIdentity gpu, gpuOf(machine));
    return makeCudaBackend(machine, gpu, {.tunes = tuning == Tuning::On});
}

Result<Machine> calibrateOne(const Machine& machine, const CalibrationProgress& progress,
                             std::stop_token stop, bool quick) {
    PLUMB_TRY(const GpuIdentity gpu, gpuOf(machine));
    return calibrateGpu(gpu, progress, std::move(stop), quick);
}

}  // namespace

}  // namespace plumb::cuda

extern "C" __attribute__((visibility("default"))) const plumb::cuda::Module* plumblineCudaModule();

const plumb::cuda::Module* plumblineCudaModule() {
    using namespace plumb::cuda;
    static const Module module{kModuleMagic, kModuleBuild, devices, makeBackend, calibrateOne};
    return &module;
}
