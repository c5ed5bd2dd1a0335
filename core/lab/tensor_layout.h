// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/dtype.h"
#include "core/base/quantity.h"
#include "core/base/result.h"
#include "core/machine/machine.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace plumb::lab {

/// Elements of the largest tensor whose layout is looked at.
inline constexpr std::int64_t kMostElements = std::int64_t{1} << 60;

/// The memory that a tensor lies in: the host's or a GPU's.
enum class Place : std::uint8_t { Host, Gpu };

/// How a strided tensor lies in memory, in elements: the element at (i, j, ...) of the shape is number
/// offset + i * strides[0] + j * strides[1] + ... of its storage. The terms are torch.Tensor's.
struct TensorLayout {
    std::vector<std::int64_t> shape;
    std::vector<std::int64_t> strides;
    std::int64_t offset = 0;
    int storage = 0;                   ///< tensors with the same number share their memory
    std::int64_t storageElements = 0;  ///< that the storage holds
    Place place = Place::Host;

    [[nodiscard]] std::size_t rank() const { return shape.size(); }
    [[nodiscard]] std::int64_t elements() const;
    /// Elements of the storage that the tensor reaches; fewer than elements() after expand().
    [[nodiscard]] std::int64_t distinctElements() const;
    /// Row-major without gaps, as torch.Tensor.is_contiguous(): strides of dimensions of size 1 do not count.
    [[nodiscard]] bool isContiguous() const;
    /// Every element of one stretch of memory exactly once, in whatever order of dimensions.
    [[nodiscard]] bool isDense() const;
};

/// A contiguous tensor with a storage of its own. Errors: BadInput for a size < 0, more than kMostDimensions
/// of them, or more elements than 60 bits count.
[[nodiscard]] Result<TensorLayout> newTensor(std::vector<std::int64_t> shape, int storage = 0);
inline constexpr std::size_t kMostDimensions = 64;  ///< as in torch

/// Row-major strides of a shape, a size of 0 counted as 1.
[[nodiscard]] std::vector<std::int64_t> contiguousStrides(std::span<const std::int64_t> shape);
/// Strides of a copy that keeps the order of dimensions of what it copies, as torch's preserve_format.
[[nodiscard]] std::vector<std::int64_t> preservedStrides(const TensorLayout& layout);
/// Strides of what torch works out element by element from operands of one shape: their order of dimensions,
/// that of the first where they differ. `areBroadcast`: not all had this shape; those dimensions have stride
/// 0.
[[nodiscard]] std::vector<std::int64_t> resultStrides(std::span<const TensorLayout> operands,
                                                      bool areBroadcast);
/// Strides under which `shape` shows the same elements without a copy; absent when there are none. `shape`
/// must have as many elements. As torch.Tensor.view().
[[nodiscard]] std::optional<std::vector<std::int64_t>> viewStrides(const TensorLayout& layout,
                                                                   std::span<const std::int64_t> shape);
/// Which neighbouring dimensions cannot be merged and why, with the numbers: "dimension 0 (stride 1) does not
/// continue dimension 1 (size 2, stride 3): 2 · 3 = 6". Empty when all can.
[[nodiscard]] std::string unmergeable(const TensorLayout& layout);

/// Where an element lies, worked out.
struct ElementAddress {
    std::int64_t element = 0;  ///< number in the storage
    Bytes bytes = 0;           ///< from the beginning of the storage, of the byte that it begins in
    std::string formula;       ///< "1 + 2·4 + 0·1 = 9; 9 · 2 B = 18 B"
};
/// Indices from the end (-1) are allowed. Errors: BadInput for too many, too few or one out of bounds.
[[nodiscard]] Result<ElementAddress> addressOf(const TensorLayout& layout,
                                               std::span<const std::int64_t> indices, Dtype dtype);

/// Storage positions of the elements in row-major order of the shape, at most `limit` of them: what a picture
/// of the tensor is drawn from.
[[nodiscard]] std::vector<std::int64_t> storagePositions(const TensorLayout& layout, std::size_t limit);

}  // namespace plumb::lab
