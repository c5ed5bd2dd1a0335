// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/lab/einsum_expression.h"

#include <span>
#include <string>
#include <vector>

namespace plumb::lab {

/// "8, 128, 64", "8x128x64" or "[8, 128, 64]"; "[]" for a single number. Errors: BadInput with the text.
[[nodiscard]] Result<std::vector<std::int64_t>> shapeFromText(std::string_view text);

/// `given` with the sizes that the operands' shapes say, one shape for each operand in order: also that of
/// "...", for as many dimensions as are left, and of a factor in parentheses whose others are known. What the
/// shapes leave open stays open. Errors: BadInput for another number of operands or dimensions, and for a
/// dimension that is of two sizes.
[[nodiscard]] Result<DimensionSizes> sizesFromShapes(const EinsumExpression& expression,
                                                     std::span<const std::vector<std::int64_t>> shapes,
                                                     DimensionSizes given);

}  // namespace plumb::lab
