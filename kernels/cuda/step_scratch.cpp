// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/device_kernels.h"
#include "kernels/cuda/step_memory.h"

#include <algorithm>

namespace plumb::cuda {

Bytes mostPartialBytes(const StepPlan& plan) {
    const RunConfig& config = plan.config;
    const std::int64_t rows = config.microBatchSize();
    const std::int64_t largest = std::max(
        {rows * config.dim, rows * config.outputs, config.dim * config.dim, config.dim * config.outputs});
    const Parameters parameters = parametersOf(config, nullptr);
    // Adafactor's own scratch lies behind the sums of its launch.
    const Bytes optimizer = parameterBytes(parameters) + 256 +
                            (config.optimizer == Optimizer::Adafactor ? adafactorBytes(parameters) : 0);
    return std::max({tallyBytes(largest), lossBytes(rows * config.outputs),
                     headPartialBytes(rows, config.dim, config.outputs), optimizer});
}

}  // namespace plumb::cuda
