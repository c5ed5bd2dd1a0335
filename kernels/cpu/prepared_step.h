// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/plan/operands.h"
#include "kernels/cpu/product.h"

#include <cstdint>
#include <vector>

namespace plumb::cpu {

/// Scratch of one product op, in bytes; all of it is resident for the whole op.
struct ScratchBytes {
    Bytes castA = 0;
    Bytes castB = 0;
    Bytes castResult = 0;
    Bytes library = 0;
};

/// An op with what was found once when its plan was prepared.
struct PreparedOp {
    const Op* op = nullptr;
    Operands operands;
    ScratchBytes scratch;
    std::int32_t product = -1;  ///< index into PreparedStep::products
};

struct PreparedStep {
    const StepPlan* plan = nullptr;
    std::vector<PreparedOp> ops;
    std::vector<Product> products;  ///< one per distinct shape
    std::vector<Bytes> bytes;       ///< bytes of each tensor, as the kernels address it; 0: scratch of an op
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
