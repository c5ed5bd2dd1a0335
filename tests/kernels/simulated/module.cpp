// SPDX-License-Identifier: Apache-2.0
// The simulated GPU as a module that plumbline-cli loads (PLUMBLINE_CUDA_MODULE), so that the whole program
// is tested with one. It is called what it is, wherever a device is named, and is part of no installation.
// SIMULATED_GPU_MEMORY: its memory in bytes. SIMULATED_GPU_CARDS: as how many cards it poses.
// SIMULATED_GPU_KEEPS: set: what was chosen for products is kept in the user's folder.
// SIMULATED_GPU_LOST_AT: the call with which the device is lost.
// SIMULATED_GPU_COUNTS: set: it has counters.
#include "kernels/cuda/module.h"

#include "kernels/cuda/copy_survey.h"
#include "tests/kernels/simulated/device.h"
#include "tests/kernels/simulated/gpu.h"

#include <cstdlib>
#include <utility>

namespace plumb::cuda {

namespace {

using test::simulated::Device;

Result<std::vector<Machine>> devices() {
    std::vector<Machine> machines;
    for (const GpuIdentity& gpu : test::simulated::identities()) machines.push_back(machineOf(gpu));
    return machines;
}

Result<std::unique_ptr<Backend>> makeBackend(const Machine& machine, Tuning tuning) {
    return test::simulated::makeBackend(machine, tuning == Tuning::On);
}

// The token comes by value, as Module has it.
// NOLINTNEXTLINE(performance-unnecessary-value-param)
Result<Machine> calibrate(const Machine& of, const CalibrationProgress& progress, std::stop_token stop,
                          bool /*quick*/) {
    Machine machine = machineOf(test::simulated::identity(of.index.value_or(0)));
    PLUMB_TRY(auto backend, test::simulated::makeBackend(machine));
    PLUMB_TRY(machine.copies,
              surveyCopies(of.index.value_or(0), test::simulated::identities(), {Bytes{4} << 20, 3}, stop));
    PLUMB_TRY(Survey survey, surveyCosts(*backend, test::simulated::surveyGrid(), progress, stop));
    keepSurvey(std::move(survey), {BandwidthPoint{Bytes{1} << 20, 2e10, 2e10, 2e10}}, machine);
    return machine;
}

const Module* entry() {
    test::simulated::Options options;
    options.pace = test::simulated::Pace::Random;
    if (const char* bytes = std::getenv("SIMULATED_GPU_MEMORY"))
        options.memoryBytes = std::strtoull(bytes, nullptr, 10);
    if (const char* cards = std::getenv("SIMULATED_GPU_CARDS"))
        options.cards = static_cast<int>(std::strtol(cards, nullptr, 10));
    options.keepsChoices = std::getenv("SIMULATED_GPU_KEEPS") != nullptr;
    options.counts = std::getenv("SIMULATED_GPU_COUNTS") != nullptr;
    if (const char* call = std::getenv("SIMULATED_GPU_LOST_AT")) {
        options.failingCall = std::strtoll(call, nullptr, 10);
        options.isLoss = true;
    }
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
