// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/plan/step_plan.h"
#include "kernels/cpu/product.h"

#include <array>
#include <cstdint>
#include <vector>

namespace plumb::cpu {

/// A tensor of an op, and the bytes the kernels will address there.
struct Operand {
    TensorId id = -1;
    Bytes bytes = 0;
    [[nodiscard]] bool present() const { return id >= 0; }
};

/// One parameter matrix as the optimizer sees it.
struct ParameterOperands {
    Operand weight, master, gradient;
    std::array<Operand, 3> states;  ///< in the order of optimizerStates()
    std::int64_t rows = 0;
    std::int64_t columns = 0;
};

/// Scratch of one product op, in bytes; all of it is resident for the whole op.
struct ScratchBytes {
    Bytes castA = 0;
    Bytes castB = 0;
    Bytes castResult = 0;
    Bytes library = 0;
};

/// What op is to be run on which tensors, found once when a plan is prepared. Which field means what:
///
///   LoadBatch                          result: x            other: t
///   LayerForward, HeadForward          a: h, b: weight      result: h or y
///   LossGradient                       a: y, b: t           result: dy        other: loss
///   WeightGradient                     a: h, b: g or dy     result: gradient
///   InputGradient                      a: g or dy, b: weight   result: g      mask: h, with a ReLU
///   RecomputeChain                     a: h, b: first weight   result: h      other: second buffer
///                                      (the weights of a chain are consecutive tensors)
///   GradientNorm, OptimizerStep        parameters (of the former: gradients)   other: loss
struct PreparedOp {
    const Op* op = nullptr;
    Operand a, b, result, other, mask;
    std::vector<ParameterOperands> parameters;
    ScratchBytes scratch;
    std::int32_t product = -1;  ///< index into PreparedStep::products
};

struct PreparedStep {
    const StepPlan* plan = nullptr;
    std::vector<PreparedOp> ops;
    std::vector<Product> products;  ///< one per distinct shape
    std::vector<Operand> control;   ///< the control tensors that there are: open to every op
};

/// Bytes of `tensor` as this backend addresses it: from its role and the shapes in `config`, never from the
/// plan's own count. Errors: Internal for a role that lives inside an op only.
[[nodiscard]] Result<Bytes> tensorBytes(const RunConfig& config, const Tensor& tensor);

/// What the library is handed at each product whose three matrices take `operandBytes` as fp32: whole fp32
/// elements.
[[nodiscard]] Bytes libraryScratchBytes(const BackendTraits& traits, Bytes operandBytes);

/// Finds every op's tensors and builds its product. Errors: BadInput when the plan was made for another
/// backend's traits; Internal when an op lacks a tensor that it needs.
[[nodiscard]] Result<PreparedStep> prepareStep(const StepPlan& plan, int threads);

}  // namespace plumb::cpu
