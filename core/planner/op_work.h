// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace plumb::planner {

/// FLOPs and compulsory bytes of one operation: every operand read once, the result written once.
struct OpWork {
    double flops = 0;
    double bytes = 0;
    [[nodiscard]] double intensity() const { return flops / bytes; }
};

/// (m x k) times (k x n) with elements of `elementBytes`; a multiply-add is two FLOPs.
[[nodiscard]] constexpr OpWork productWork(double m, double k, double n, double elementBytes) {
    return {2 * m * k * n, elementBytes * (m * k + k * n + m * n)};
}

/// A pass over `elements`: FLOPs of each, and how many tensors of that size are read or written.
[[nodiscard]] constexpr OpWork passWork(double elements, double flopsPerElement, double tensors,
                                        double elementBytes) {
    return {elements * flopsPerElement, elements * tensors * elementBytes};
}

// FLOPs per element of element-wise operations; transcendental functions are priced by convention.
inline constexpr double kReluFlops = 1;
inline constexpr double kGeluFlops = 20;  ///< expanded to a polynomial
inline constexpr double kSiluFlops = 5;   ///< negate, exp, add, divide, multiply
inline constexpr double kSoftmaxFlops = 5;
inline constexpr double kLayerNormFlops = 8;
inline constexpr double kRmsNormFlops = 4;
inline constexpr double kCrossEntropyFlops = 5;  ///< per logit

}  // namespace plumb::planner
