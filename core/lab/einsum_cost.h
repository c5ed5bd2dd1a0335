// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/lab/einsum_expression.h"
#include "core/machine/machine.h"

namespace plumb::lab {

/// What an expression costs, all operands at once.
struct ExpressionCost {
    std::int64_t points = 0;  ///< iterations of the loop nest
    Flops flops = 0;          ///< the planner's count: 2 · M · N · K for a product
    Flops exactFlops = 0;     ///< a sum of K terms takes K - 1 adds
    Bytes bytes = 0;  ///< each operand read once (of a diagonal nothing else), the result written once
    std::vector<Bytes> operandBytes;
    Bytes resultBytes = 0;
    double intensity = 0;  ///< FLOPs per byte
    /// A rearrangement that only needs other strides: torch makes a view of it, and moves nothing.
    bool isView = false;
    std::string flopsFormula;  ///< "2 · batch · in · out = 2 · 64 · 256 · 256"
    std::string bytesFormula;  ///< "2 B · (batch · in + in · out + batch · out)"
};
/// All tensors hold `dtype`. Errors: BadInput for a size that is missing or below 1, or counts beyond 63
/// bits.
[[nodiscard]] Result<ExpressionCost> costOf(const EinsumExpression& expression, const DimensionSizes& sizes,
                                            Dtype dtype);

/// How long a device takes at least, and what holds it up.
struct ExpressionBound {
    Dtype peakDtype = Dtype::Fp32;  ///< whose peak it is measured with
    double peakFlopPerSecond = 0;
    double bandwidthBytesPerSecond = 0;
    double balance = 0;  ///< FLOPs per byte from which on the arithmetic takes longer than the memory
    Seconds computeSeconds = 0;
    Seconds memorySeconds = 0;
    Seconds seconds = 0;  ///< the larger of the two
    bool computeBound = false;
    std::string formula;
};
/// Products of two and more tensors run on the matrix units of `dtype`; all else on the vector units, whose
/// peak is that of fp32 (of fp64 for fp64). Errors: BadInput when the device's data sheet lacks the peak or
/// the bandwidth; no other one is taken instead.
[[nodiscard]] Result<ExpressionBound> boundOn(const EinsumExpression& expression, const ExpressionCost& cost,
                                              Dtype dtype, const Machine& machine);

/// A rung of the ladder from memory-bound to compute-bound.
struct LadderStep {
    std::string_view id;     ///< "relu"
    std::string_view label;  ///< "ReLU"
    std::string_view text;   ///< an expression
    DimensionSizes sizes;
    std::string_view rule;  ///< "1/4", "n/3"
};
/// ReLU, GELU, softmax, dot product, matrix-vector, matrix products; in bf16 from 1/4 to n/3 FLOPs per byte.
[[nodiscard]] std::span<const LadderStep> intensityLadder();

}  // namespace plumb::lab
