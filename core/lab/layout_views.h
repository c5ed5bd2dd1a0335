// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/lab/layout_steps.h"

#include <limits>

namespace plumb::lab {

/// The dimension of a Question that could name one and does not.
inline constexpr std::int64_t kNoDimension = std::numeric_limits<std::int64_t>::min();

/// An error in torch's words, with what to do.
[[nodiscard]] Error torchError(std::string message, std::string_view hint);
/// What to do where a tensor has too few dimensions for a step.
inline constexpr std::string_view kAddDimension = "add a dimension with .unsqueeze(0) first";

/// A dimension counted from the front. Errors: torch's "Dimension out of range".
[[nodiscard]] Result<std::size_t> wrapDimension(std::int64_t dimension, std::size_t rank);
/// The same for several that must differ.
[[nodiscard]] Result<std::vector<bool>> markDimensions(std::span<const std::int64_t> dimensions,
                                                       std::size_t rank);

/// The shape that view() and reshape() make of sizes with at most one -1. Errors: torch's.
[[nodiscard]] Result<std::vector<std::int64_t>> inferShape(std::span<const std::int64_t> sizes,
                                                           std::int64_t elements);

// The steps that always share memory: what becomes of the layout. Errors: torch's.
[[nodiscard]] Result<TensorLayout> indexed(TensorLayout layout, std::span<const IndexItem> items);
[[nodiscard]] Result<TensorLayout> transposed(TensorLayout layout, std::int64_t first, std::int64_t second);
[[nodiscard]] Result<TensorLayout> permuted(const TensorLayout& layout, std::span<const std::int64_t> order);
[[nodiscard]] Result<TensorLayout> expanded(const TensorLayout& layout, std::span<const std::int64_t> sizes);
[[nodiscard]] Result<TensorLayout> squeezed(const TensorLayout& layout, std::span<const std::int64_t> which);
[[nodiscard]] Result<TensorLayout> unsqueezed(TensorLayout layout, std::int64_t dimension);
[[nodiscard]] Result<TensorLayout> selected(TensorLayout layout, std::int64_t dimension, std::int64_t index);
[[nodiscard]] Result<TensorLayout> narrowed(TensorLayout layout, std::int64_t dimension, std::int64_t start,
                                            std::int64_t length);
[[nodiscard]] Result<TensorLayout> diagonalOf(TensorLayout layout, std::int64_t offset, std::int64_t first,
                                              std::int64_t second);
[[nodiscard]] Result<TensorLayout> viewed(const TensorLayout& layout, std::span<const std::int64_t> sizes);

}  // namespace plumb::lab
