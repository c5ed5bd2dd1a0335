// SPDX-License-Identifier: Apache-2.0
// The simulated GPU as a module that plumbline-cli loads (PLUMBLINE_CUDA_MODULE), so that the whole program
// is tested with one. It is called what it is, wherever a device is named, and is part of no installation.
// SIMULATED_GPU_MEMORY: its memory in bytes.
#include "kernels/cuda/module.h"

#include "core/train/cost_survey.h"
#include "kernels/cuda/cuda_backend.h"
#include "tests/kernels/simulated/device.h"

#include <cstdlib>
#include <utility>

namespace plumb::cuda {

namespace {

using test::simulated::Device;

GpuIdentity simulatedGpu() {
    GpuIdentity gpu;
    gpu.name = "Simulated GPU";
    gpu.computeCapability = Device::get().options().computeCapability;
    gpu.memoryBytes = static_cast<Bytes>(Device::get().options().memoryBytes);
    gpu.multiprocessors = 4;
    return gpu;
}

Result<std::vector<Machine>> devices() { return std::vector<Machine>{machineOf(simulatedGpu())}; }

Result<std::unique_ptr<Backend>> makeBackend(const Machine& machine) {
    CudaBackendOptions options;
    options.keepsChoices = false;
    return makeCudaBackend(machine, simulatedGpu(), options);
}

// Sizes that a processor gets through. The token comes by value, as Module has it.
// NOLINTNEXTLINE(performance-unnecessary-value-param)
Result<Machine> calibrate(const CalibrationProgress& progress, std::stop_token stop, bool /*quick*/) {
    SurveyGrid grid;
    grid.widths = grid.variantWidths = grid.optimizerWidths = grid.headWidths = {32, 64};
    grid.rows = grid.variantRows = grid.headRows = {16, 32};
    grid.outputs = {4};
    grid.mostWork = 1e9;
    grid.perRound = 1e-4;
    grid.rounds = 1;
    Machine machine = machineOf(simulatedGpu());
    PLUMB_TRY(auto backend, makeBackend(machine));
    PLUMB_TRY(Survey survey, surveyCosts(*backend, grid, progress, stop));
    keepSurvey(std::move(survey), {BandwidthPoint{Bytes{1} << 20, 2e10, 2e10, 2e10}}, machine);
    return machine;
}

const Module* entry() {
    test::simulated::Options options;
    options.pace = test::simulated::Pace::Random;
    if (const char* bytes = std::getenv("SIMULATED_GPU_MEMORY"))
        options.memoryBytes = std::strtoull(bytes, nullptr, 10);
    Device::get().restart(options);
    static const Module module{kModuleMagic, kModuleBuild, devices, makeBackend, calibrate};
    return &module;
}

}  // namespace

}  // namespace plumb::cuda

extern "C" __attribute__((visibility("default"))) const plumb::cuda::Module* plumblineCudaModule();

const plumb::cuda::Module* plumblineCudaModule() {
    static const plumb::cuda::Module* const module = plumb::cuda::entry();
    return module;
}
