// SPDX-License-Identifier: Apache-2.0
#include "core/plan/early_updates.h"

#include "core/base/entry_at.h"
#include "core/plan/operands.h"

#include <algorithm>
#include <cstddef>

namespace plumb {

namespace {

/// Layers of which the sums of a step need little of the scratch.
constexpr std::int64_t kMostLayers = 4096;

bool updatesEarly(const RunConfig& config, const BackendTraits& traits) {
    const bool needsAll = config.clipNorm > 0 || config.scalesLoss() ||
                          config.optimizer == Optimizer::Adafactor || config.parallel.shares(Zero::States);
    const Bytes head =
        config.head && !fusesHead(config, traits) ? 4 * traits.headParts * config.dim * config.outputs : 0;
    // Half of the branch's scratch is left to the sums of the updates.
    return traits.sideBranch && !needsAll && config.dim * config.dim >= kLeastEarlyUpdate &&
           config.layers <= kMostLayers && head <= traits.sharedScratchBytes / 2;
}

}  // namespace

std::vector<std::int32_t> earlyUpdates(const StepPlan& plan) {
    if (!updatesEarly(plan.config, plan.traits)) return {};
    const std::size_t pass = plan.config.microBatches() > 1 ? 1 : 0;
    // The last op of the last micro-batch that names the weights of a layer, in either form, or their
    // gradient.
    std::vector<std::int32_t> last(static_cast<std::size_t>(plan.config.matrices()) + 1, -1);
    for (std::int32_t index = plan.passBegin[pass]; index < plan.passEnd[pass]; ++index)
        forEachOperand(plan.op(index), [&](TensorId id) {
            const Tensor& tensor = plan.tensor(id);
            if (tensor.role == TensorRole::Weight || tensor.role == TensorRole::TransposedWeight ||
                tensor.role == TensorRole::Gradient)
                entryAt(last, tensor.layer) = index;
        });
    std::vector<std::int32_t> updates(plan.ops.size(), 0);
    for (std::size_t layer = 2; layer < last.size(); ++layer) {
        if (last[layer] < 0) return {};
        std::int32_t& after = entryAt(updates, last[layer]);
        if (after != 0) return {};  // one op would be the last of two
        after = static_cast<std::int32_t>(layer);
    }
    return updates;
}

}  // namespace plumb
