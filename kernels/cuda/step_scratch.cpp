// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/device_kernels.h"
#include "kernels/cuda/step_memory.h"

#include <algorithm>

namespace plumb::cuda {

namespace {

constexpr Bytes kAlignment = 256;
/// From here on the gradient of the head's weights has as many parts as it ever has.
constexpr std::int64_t kManyRows = std::int64_t{1} << 20;
/// Parts of a pass over the head, over its outputs.
constexpr std::int64_t kHeadPassParts = 256;

Bytes aligned(Bytes bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }

}  // namespace

Bytes firstScratchBytes(const RunConfig& config, const BackendTraits& traits) {
    Bytes head = config.head ? headPartialBytes(kManyRows, config.dim, config.outputs) : 0;
    if (fusesHead(config, traits))
        head = kHeadPassParts * (config.dim * Bytes{sizeof(float)} + kHeadPassSums);
    return aligned(std::max(traits.sharedScratchBytes, head));
}

Bytes earlySumsBytes(const RunConfig& config) {
    return aligned(parameterBytes(parametersOf(config, nullptr)));
}

Bytes earlySumsOffset(const RunConfig& config, const BackendTraits& traits) {
    return 2 * firstScratchBytes(config, traits) - earlySumsBytes(config);
}

Bytes adafactorScratchOffset(const RunConfig& config, const BackendTraits& traits) {
    return firstScratchBytes(config, traits) * (traits.sideBranch ? 2 : 1);
}

Bytes adafactorScratchBytes(const RunConfig& config) {
    return config.optimizer == Optimizer::Adafactor ? adafactorBytes(parametersOf(config, nullptr)) : 0;
}

Bytes mostPartialBytes(const RunConfig& config, const BackendTraits& traits) {
    const std::int64_t rows = config.microBatchSize();
    const std::int64_t largest = std::max({rows * config.dim, rows * config.outputWidth(),
                                           config.dim * config.dim, config.dim * config.outputWidth()});
    Bytes head = config.head ? headPartialBytes(rows, config.dim, config.outputs) : 0;
    if (fusesHead(config, traits)) {
        const HeadPassBytes pass = headPassBytes(rows, config.dim, config.outputs);
        head = pass.sums + pass.partials;
    }
    return std::max({tallyBytes(largest), lossBytes(rows * config.outputWidth()), head,
                     parameterBytes(parametersOf(config, nullptr))});
}

}  // namespace plumb::cuda
