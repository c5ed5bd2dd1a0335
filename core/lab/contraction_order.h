// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/lab/einsum_expression.h"

namespace plumb::lab {

/// One product of two tensors on the way.
struct ContractionStep {
    /// Places in the list of tensors that are left; the two are taken out and the result is put at its end.
    std::size_t first = 0, second = 0;
    Einsum product;
    Flops flops = 0;
    std::int64_t resultElements = 0;
};

/// The order in which many tensors are multiplied.
struct ContractionOrder {
    std::vector<ContractionStep> steps;
    Flops flops = 0;        ///< FLOPs of all steps together
    Flops directFlops = 0;  ///< FLOPs of all operands at once, one loop nest; -1 when 63 bits do not hold it
    std::int64_t largestIntermediate = 0;  ///< elements
};

inline constexpr std::size_t kMostOperands = 12;

/// The order of pairwise products with the fewest FLOPs (einsumFlops() of each), among all orders; of equal
/// ones the one whose largest intermediate tensor is smallest. Exact: a dynamic programme over the subsets of
/// the operands, 3^n steps. What is summed is summed as soon as no tensor that is left has it. The same cost
/// as numpy.einsum_path's "optimal". Pre: a Product of at least two operands. Errors: BadInput for sizes,
/// more than kMostOperands operands or 64 dimensions, or when no order can be counted in 63 bits.
[[nodiscard]] Result<ContractionOrder> bestOrder(const EinsumExpression& expression,
                                                 const DimensionSizes& sizes);

}  // namespace plumb::lab
