// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/quantity.h"
#include "core/base/result.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace plumb {

/// A product of one or two tensors written with named dimensions: "batch in, in out -> batch out".
/// Operands are separated by commas, dimensions by blanks. Dimensions absent from the output are summed.
class Einsum {
public:
    /// Errors: BadInput for a missing "->", an empty operand, a dimension twice in one operand, an output
    /// dimension that no input has, or more than two operands (contraction orders belong to the lab).
    [[nodiscard]] static Result<Einsum> parse(std::string_view text);

    [[nodiscard]] const std::vector<std::vector<std::string>>& inputs() const { return m_inputs; }
    [[nodiscard]] const std::vector<std::string>& output() const { return m_output; }
    /// Every dimension once, in order of first appearance.
    [[nodiscard]] std::vector<std::string> dimensions() const;
    [[nodiscard]] std::string text() const;

    /// The einsum that yields the gradient of input `index` from the output's gradient (first operand) and
    /// the other input (second): for "b i, i o -> b o", 0 gives "b o, i o -> b i" and 1 gives "b i, b o -> i
    /// o". Operand order follows the forward expression, with the gradient standing where the differentiated
    /// input stood. Pre: two inputs, index < 2, and every dimension of that input occurs elsewhere.
    [[nodiscard]] Einsum backward(std::size_t index) const;

private:
    std::vector<std::vector<std::string>> m_inputs;
    std::vector<std::string> m_output;
};

using DimensionSizes = std::map<std::string, std::int64_t, std::less<>>;

/// FLOPs of `expression`: a multiply and an add for every point of the loop nest over all dimensions
/// (2 * M * N * K for a matrix product); one per point when there is a single operand that is summed, none
/// for a mere permutation. Errors: BadInput for a dimension without a size, a size < 1, more than 63 bits.
[[nodiscard]] Result<Flops> einsumFlops(const Einsum& expression, const DimensionSizes& sizes);

/// Compulsory traffic: every input read once, the output written once, `elementBytes` each (one entry per
/// input, then one for the output). Errors as einsumFlops().
[[nodiscard]] Result<Bytes> einsumBytes(const Einsum& expression, const DimensionSizes& sizes,
                                        const std::vector<Bytes>& elementBytes);

}  // namespace plumb
