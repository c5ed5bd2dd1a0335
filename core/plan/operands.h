// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/step_plan.h"

#include <array>
#include <span>

namespace plumb {

/// The tensors that an op works on, by what they are to it; -1 and an empty range where it has none. What
/// stands in which place of Op::reads and Op::writes is known to planStep(), which fills them, and here;
/// who asks for no more than sizes takes them in order.
struct Operands {
    TensorId input = -1;  ///< x, h of the layer below, what a chain starts from; of the loss y or h_L
    TensorRange weights;  ///< weights of its layer; of a chain those of its layers; of the optimizer all
    TensorId targets = -1;
    TensorId outputGradient = -1;  ///< g of its layer, dy of the head
    TensorId mask = -1;            ///< InputGradient: h of the layer below, or the bits of its ReLU
    TensorId result = -1;          ///< what it makes; HeadPass: the gradient of the head's weights
    TensorId output = -1;          ///< HeadPass: y
    TensorId inputGradient = -1;   ///< HeadPass: g_L; -1 where there are no layers
    TensorId resultMask = -1;      ///< the bits of the ReLU that made `result`
    TensorId chainBuffer = -1;     ///< written in turn with `result` by a chain of two and more layers
    TensorId loss = -1;
    TensorRange gradients;  ///< gradients of all parameters
    TensorRange masters;
    TensorRange transposedWeights;      ///< of the layers, which the optimizer keeps up to date
    std::array<TensorRange, 3> states;  ///< in the order of optimizerStates()

    /// The weights of the layer `offset` above the first one of `weights`.
    [[nodiscard]] TensorId weight(std::int32_t offset = 0) const { return weights.first + offset; }
};

/// Calls visit(id) with every tensor of these ranges.
template <class Visit>
void forEachTensor(std::span<const TensorRange> ranges, const Visit& visit) {
    for (const TensorRange& range : ranges)
        for (TensorId id = range.first; id < range.first + range.count; ++id) visit(id);
}

/// Calls visit(id) with every tensor that the op reads or writes; with one that it does both to, twice.
template <class Visit>
void forEachOperand(const Op& op, const Visit& visit) {
    forEachTensor(op.reads, visit);
    forEachTensor(op.writes, visit);
}

/// Errors: Internal for an op that lacks a tensor of its kind, naming both.
[[nodiscard]] Result<Operands> operandsOf(const StepPlan& plan, const Op& op);

}  // namespace plumb
