// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/step_plan.h"

namespace plumb {

/// FLOPs of one product op's matrix part for every kind and size that a plan has: resolved from the einsums
/// once per plan, because only the head's sizes differ from those of the layers.
class ProductFlops {
public:
    /// Pre: `config` is validated.
    explicit ProductFlops(const RunConfig& config);

    /// FLOPs of one execution and one layer; 0 for a kind that is no matrix product.
    [[nodiscard]] Flops of(const Op& op) const;

private:
    std::array<std::array<Flops, 2>, 3> m_flops{};  // [forward, weight gradient, input gradient][layer, head]
};

/// Fills matmulFlops, flops, bytes and wireBytes of `op` from its dimensions and the tensors that it names.
///
/// A HeadPass has the FLOPs of the four ops that it is. Element-wise work, beside the products: 1 per element
/// for a ReLU and for its mask, 4 per output for the loss and its gradient, 1 per element of a gradient that
/// is added to, optimizerFlopsPerParameter() for the optimizer, 2 per parameter for the gradients' norm, none
/// for loading a batch, 1 per element that a rank adds to its slice; where ranks share states, the update and
/// the norm are of the own slices. Bytes: each named tensor once per
/// reading and once per writing; RecomputeChain: the sum of its single products; scratch and the loss that
/// the optimizer holds: none.
void setCosts(Op& op, const StepPlan& plan, const ProductFlops& products);

}  // namespace plumb
