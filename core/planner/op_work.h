// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace plumb::planner {

/// FLOPs and compulsory bytes of one operation: every operand read once, the result written once.
struct OpWork {
    double flops = 0;
    double bytes = 0;
    [[nodiscard]] double intensity() const { return flops / bytes; }
};
/// As many of them in one.
[[nodiscard]] constexpr OpWork operator*(double count, const OpWork& work) {
    return {count * work.flops, count * work.bytes};
}

/// A matrix product (m x k) times (k x n).
struct ProductShape {
    double m = 0;
    double k = 0;
    double n = 0;
    [[nodiscard]] constexpr double flops() const { return 2 * m * k * n; }
    /// The gradient of the first operand: (m x n) times (n x k).
    [[nodiscard]] ProductShape ofInput() const { return {m, n, k}; }
    /// The gradient of the second: (k x m) times (m x n).
    [[nodiscard]] ProductShape ofWeight() const { return {k, m, n}; }
};

/// With elements of `elementBytes`, those of the second operand of `weightBytes`; a multiply-add is two
/// FLOPs.
[[nodiscard]] constexpr OpWork productWork(const ProductShape& of, double elementBytes, double weightBytes) {
    return {of.flops(), elementBytes * (of.m * of.k + of.m * of.n) + weightBytes * of.k * of.n};
}
[[nodiscard]] constexpr OpWork productWork(const ProductShape& of, double elementBytes) {
    return productWork(of, elementBytes, elementBytes);
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
