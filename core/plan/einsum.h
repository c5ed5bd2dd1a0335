// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/dtype.h"
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
    /// The same from lists of names, with any number of operands; an operand without names is a single
    /// number. Errors: BadInput for no operand, a name twice in one tensor, an output name that no input has.
    [[nodiscard]] static Result<Einsum> of(std::vector<std::vector<std::string>> inputs,
                                           std::vector<std::string> output);

    [[nodiscard]] const std::vector<std::vector<std::string>>& inputs() const { return m_inputs; }
    [[nodiscard]] const std::vector<std::string>& output() const { return m_output; }
    /// Every dimension once, in order of first appearance.
    [[nodiscard]] std::vector<std::string> dimensions() const;
    [[nodiscard]] std::string text() const;
    /// Whether a dimension of the operands is absent from the output.
    [[nodiscard]] bool sums() const;

    /// The einsum that yields the gradient of input `index` from the output's gradient and the other inputs:
    /// for "b i, i o -> b o", 0 gives "b o, i o -> b i" and 1 gives "b i, b o -> i o". Operand order follows
    /// the forward expression, with the gradient standing where the differentiated input stood. Dimensions of
    /// that input that occur nowhere else are left out: along them the gradient repeats. Pre: index <
    /// inputs().size().
    [[nodiscard]] Einsum backward(std::size_t index) const;

private:
    std::vector<std::vector<std::string>> m_inputs;
    std::vector<std::string> m_output;
};

using DimensionSizes = std::map<std::string, std::int64_t, std::less<>>;

/// Points of the loop nest over all dimensions, and elements of a tensor with the dimensions `names`.
/// Errors: BadInput for a dimension without a size, a size < 1, more than 63 bits.
[[nodiscard]] Result<std::int64_t> einsumPoints(const Einsum& expression, const DimensionSizes& sizes);
[[nodiscard]] Result<std::int64_t>
einsumElements(const Einsum& expression, const std::vector<std::string>& names, const DimensionSizes& sizes);

/// FLOPs of `expression`, all operands multiplied at once: for every point of the loop nest a multiply for
/// each operand but the first, and an add when something is summed (2 * M * N * K for a matrix product, none
/// for a permutation). Errors as einsumPoints().
[[nodiscard]] Result<Flops> einsumFlops(const Einsum& expression, const DimensionSizes& sizes);
/// The same with one add less for every element of the output: a sum of K terms takes K - 1.
[[nodiscard]] Result<Flops> einsumExactFlops(const Einsum& expression, const DimensionSizes& sizes);

/// Compulsory traffic: every input read once, the output written once, of `dtypes` (one entry per input, then
/// one for the output). Errors as einsumFlops().
[[nodiscard]] Result<Bytes> einsumBytes(const Einsum& expression, const DimensionSizes& sizes,
                                        const std::vector<Dtype>& dtypes);

}  // namespace plumb
