// SPDX-License-Identifier: Apache-2.0
#include "tests/kernels/simulated/gpu.h"

#include "tests/kernels/simulated/device.h"

#include <fmt/format.h>

namespace plumb::test::simulated {

cuda::GpuIdentity identity(int index) {
    const Options& options = Device::get().options();
    cuda::GpuIdentity gpu;
    gpu.name = "Simulated GPU";
    gpu.uuid = fmt::format("GPU-00000000-0000-0000-0000-{:012}", index);
    gpu.index = index;
    gpu.computeCapability = options.computeCapability;
    gpu.memoryBytes = static_cast<Bytes>(options.memoryBytes);
    gpu.multiprocessors = 4;
    return gpu;
}

std::vector<cuda::GpuIdentity> identities() {
    std::vector<cuda::GpuIdentity> gpus;
    for (int index = 0; index < Device::get().options().cards; ++index) gpus.push_back(identity(index));
    return gpus;
}

Result<std::unique_ptr<Backend>> makeBackend(const Machine& machine, bool tunes) {
    cuda::CudaBackendOptions options;
    options.keepsChoices = Device::get().options().keepsChoices;
    options.tunes = tunes && Device::get().options().tunes;
    return cuda::makeCudaBackend(machine, identity(machine.index.value_or(0)), options);
}

SurveyGrid surveyGrid() {
    SurveyGrid grid;
    grid.widths = grid.variantWidths = grid.optimizerWidths = grid.headWidths = {32, 64};
    grid.rows = grid.variantRows = grid.headRows = {16, 32};
    grid.optimizerRows = {16};
    grid.outputs = {4};
    grid.loadWidths = grid.deepWidths = {32};
    grid.loadRows = grid.deepRows = {16, 32};
    grid.mostWork = 1e9;
    grid.perRound = 1e-4;
    grid.rounds = 1;
    return grid;
}

}  // namespace plumb::test::simulated
