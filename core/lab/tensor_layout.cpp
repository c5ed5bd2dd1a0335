// SPDX-License-Identifier: Apache-2.0
#include "core/lab/tensor_layout.h"

#include "core/base/dtype_bytes.h"
#include "core/base/shape_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace plumb::lab {

namespace {

using Sizes = std::vector<std::int64_t>;

/// -1: `a` comes before `b` in memory, 1: after, 0: nobody can tell. The rules of torch's
/// infer_dense_strides.
int orderInMemory(const TensorLayout& layout, std::size_t a, std::size_t b) {
    const std::int64_t first = layout.strides[a], second = layout.strides[b];
    if (first == 0 || second == 0) return 0;
    if (first != second) return first < second ? -1 : 1;
    return layout.shape[a] > layout.shape[b] ? 1 : 0;
}

}  // namespace

std::int64_t TensorLayout::elements() const {
    std::int64_t count = 1;
    for (const std::int64_t size : shape) count *= size;
    return count;
}

std::int64_t TensorLayout::distinctElements() const {
    std::int64_t count = 1;
    for (std::size_t i = 0; i < rank(); ++i)
        if (shape[i] == 0 || strides[i] != 0) count *= shape[i];
    return count;
}

bool TensorLayout::isContiguous() const {
    if (elements() == 0) return true;
    std::int64_t expected = 1;
    for (std::size_t i = rank(); i-- > 0;) {
        if (shape[i] == 1) continue;
        if (strides[i] != expected) return false;
        expected *= shape[i];
    }
    return true;
}

bool TensorLayout::isDense() const {
    if (isContiguous()) return true;
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < rank(); ++i)
        if (shape[i] > 1) order.push_back(i);
    std::sort(order.begin(), order.end(),
              [this](std::size_t a, std::size_t b) { return strides[a] < strides[b]; });
    std::int64_t expected = 1;
    for (const std::size_t i : order) {
        if (strides[i] != expected) return false;
        expected *= shape[i];
    }
    return true;
}

Result<TensorLayout> newTensor(std::vector<std::int64_t> shape, int storage) {
    if (shape.size() > kMostDimensions)
        return Error{ErrorCode::BadInput,
                     fmt::format("a tensor has at most {} dimensions ({})", kMostDimensions, shape.size()),
                     "merge some"};
    std::int64_t count = 1;
    for (const std::int64_t size : shape) {
        if (size < 0)
            return Error{ErrorCode::BadInput, fmt::format("a tensor has no size below 0 ({})", size),
                         "give sizes of at least 0, such as 2, 3, 4"};
        count = mulOrOverflow(count, std::max<std::int64_t>(size, 1));
    }
    if (count < 0 || count > kMostElements)
        return Error{ErrorCode::BadInput, fmt::format("no memory holds such a tensor ({})", shapeText(shape)),
                     "make a size smaller"};
    TensorLayout layout;
    layout.strides = contiguousStrides(shape);
    layout.shape = std::move(shape);
    layout.storage = storage;
    layout.storageElements = layout.elements();
    return layout;
}

std::vector<std::int64_t> contiguousStrides(std::span<const std::int64_t> shape) {
    Sizes strides(shape.size(), 1);
    for (std::size_t i = shape.size(); i-- > 1;)
        strides[i - 1] = strides[i] * std::max<std::int64_t>(shape[i], 1);
    return strides;
}

std::vector<std::int64_t> preservedStrides(const TensorLayout& layout) {
    return layout.isDense() ? layout.strides : resultStrides(std::span(&layout, 1), false);
}

// As torch's TensorIterator: its reorder_dimensions() with the short cuts that it tries before.
std::vector<std::int64_t> resultStrides(std::span<const TensorLayout> operands, bool areBroadcast) {
    const TensorLayout& first = operands.front();
    if (!areBroadcast) {
        const auto isAsFirst = [&](const TensorLayout& each) { return each.strides == first.strides; };
        if (std::ranges::all_of(operands, &TensorLayout::isContiguous)) return contiguousStrides(first.shape);
        if (first.isDense() && std::ranges::all_of(operands, isAsFirst)) return first.strides;
    }
    const std::size_t rank = first.rank();
    const auto compare = [&](std::size_t a, std::size_t b) {
        for (const TensorLayout& operand : operands)
            if (const int known = orderInMemory(operand, a, b); known != 0) return known;
        return 0;
    };
    std::vector<std::size_t> order(rank);
    std::iota(order.rbegin(), order.rend(), std::size_t{0});
    for (std::size_t i = 1; i < rank; ++i) {
        std::size_t moving = i;
        for (std::size_t j = i; j-- > 0;) {
            const int known = compare(order[j], order[moving]);
            if (known < 0) break;
            if (known == 0) continue;
            std::swap(order[j], order[moving]);
            moving = j;
        }
    }
    Sizes strides(rank);
    std::int64_t stride = 1;
    for (const std::size_t dimension : order) {
        strides[dimension] = stride;
        stride *= std::max<std::int64_t>(first.shape[dimension], 1);
    }
    return strides;
}

std::optional<std::vector<std::int64_t>> viewStrides(const TensorLayout& layout,
                                                     std::span<const std::int64_t> shape) {
    if (layout.rank() == 0) return Sizes(shape.size(), 1);
    if (layout.elements() == 0) {
        if (std::equal(shape.begin(), shape.end(), layout.shape.begin(), layout.shape.end()))
            return layout.strides;
        return contiguousStrides(shape);
    }
    Sizes strides(shape.size(), 0);
    std::size_t left = shape.size();  // dimensions of the view that have no stride yet
    std::int64_t base = layout.strides.back();
    std::int64_t chunk = 1, covered = 1;
    // Dimensions that follow each other without a gap are one chunk of memory; the view's dimensions have to
    // divide each chunk up by themselves.
    for (std::size_t i = layout.rank(); i-- > 0;) {
        chunk *= layout.shape[i];
        const bool chunkEnds = i == 0 || (layout.shape[i - 1] != 1 && layout.strides[i - 1] != chunk * base);
        if (!chunkEnds) continue;
        while (left > 0 && (covered < chunk || shape[left - 1] == 1)) {
            strides[left - 1] = covered * base;
            covered *= shape[left - 1];
            --left;
        }
        if (covered != chunk) return std::nullopt;
        if (i == 0) break;
        base = layout.strides[i - 1];
        chunk = covered = 1;
    }
    if (left > 0) return std::nullopt;
    return strides;
}

std::string unmergeable(const TensorLayout& layout) {
    std::string text;
    for (std::size_t i = 0; i + 1 < layout.rank(); ++i) {
        const std::int64_t whole = layout.shape[i + 1] * layout.strides[i + 1];
        if (layout.shape[i] == 1 || layout.strides[i] == whole) continue;
        text += fmt::format("{}dimension {} (stride {}) does not continue dimension {} (size {}, stride {}): "
                            "{} · {} = {}",
                            text.empty() ? "" : "; ", i, layout.strides[i], i + 1, layout.shape[i + 1],
                            layout.strides[i + 1], layout.shape[i + 1], layout.strides[i + 1], whole);
    }
    return text;
}

Result<ElementAddress> addressOf(const TensorLayout& layout, std::span<const std::int64_t> indices,
                                 Dtype dtype) {
    if (indices.size() != layout.rank())
        return Error{ErrorCode::BadInput,
                     fmt::format("an element of a tensor of {} dimensions was given {} indices",
                                 layout.rank(), indices.size()),
                     "give one index for each dimension"};
    ElementAddress address;
    address.element = layout.offset;
    address.formula = std::to_string(layout.offset);
    for (std::size_t i = 0; i < indices.size(); ++i) {
        const std::int64_t size = layout.shape[i];
        const std::int64_t index = indices[i] < 0 ? indices[i] + size : indices[i];
        if (index < 0 || index >= size)
            return Error{
                ErrorCode::BadInput,
                fmt::format("index {} is out of bounds for dimension {} with size {}", indices[i], i, size),
                size == 0 ? "a tensor without elements has no addresses"
                          : fmt::format("use 0 to {:d}", size - 1)};
        address.element += index * layout.strides[i];
        address.formula += fmt::format(" + {}·{}", index, layout.strides[i]);
    }
    const bool shared = dtypeBits(dtype) < 8;  // two fp4 in a byte, the first one in its lower half
    address.bytes = shared ? address.element / 2 : address.element * dtypeSize(dtype);
    address.formula +=
        fmt::format(" = {}; {} · {} = ", address.element, address.element, elementSizeText(dtype));
    address.formula += shared && address.element % 2 != 0
                           ? fmt::format("{}.5 B: byte {}, its upper half", address.bytes, address.bytes)
                           : fmt::format("{} B", address.bytes);
    return address;
}

std::vector<std::int64_t> storagePositions(const TensorLayout& layout, std::size_t limit) {
    std::vector<std::int64_t> positions;
    const auto count = static_cast<std::size_t>(layout.elements());
    positions.reserve(std::min(count, limit));
    Sizes index(layout.rank(), 0);
    std::int64_t position = layout.offset;
    while (positions.size() < std::min(count, limit)) {
        positions.push_back(position);
        for (std::size_t i = layout.rank(); i-- > 0;) {
            position += layout.strides[i];
            if (++index[i] < layout.shape[i]) break;
            position -= layout.shape[i] * layout.strides[i];
            index[i] = 0;
        }
    }
    return positions;
}

}  // namespace plumb::lab
