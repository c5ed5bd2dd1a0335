// SPDX-License-Identifier: Apache-2.0
#include "core/lab/layout_views.h"

#include "core/base/shape_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace plumb::lab {

namespace {

using Sizes = std::vector<std::int64_t>;

template <class T>
auto at(std::vector<T>& list, std::size_t index) {
    return list.begin() + static_cast<std::ptrdiff_t>(index);
}

void drop(TensorLayout& layout, std::size_t dimension) {
    layout.shape.erase(at(layout.shape, dimension));
    layout.strides.erase(at(layout.strides, dimension));
}
void insert(TensorLayout& layout, std::size_t dimension, std::int64_t size, std::int64_t stride) {
    layout.shape.insert(at(layout.shape, dimension), size);
    layout.strides.insert(at(layout.strides, dimension), stride);
}

/// Products of sizes; -1 beyond 60 bits, where no tensor is, even when it has no element: what multiplies its
/// sizes one after the other would overflow before it meets the 0.
std::int64_t productOf(std::span<const std::int64_t> sizes) {
    std::int64_t product = 1;
    bool zero = false;
    for (const std::int64_t size : sizes) {
        zero = zero || size == 0;
        product = mulOrOverflow(product, std::max<std::int64_t>(size, 1));
    }
    if (product < 0 || product > kMostElements) return -1;
    return zero ? 0 : product;
}

Result<void> slice(TensorLayout& layout, std::size_t dimension, const IndexItem& item) {
    if (layout.rank() == 0) return torchError("slice() cannot be applied to a 0-dim tensor.", kAddDimension);
    const std::int64_t step = item.step.value_or(1);
    if (step == 0) return torchError("slice step cannot be zero", "use a step of at least 1");
    if (step < 0)
        return torchError("step must be greater than zero",
                          "strides are never negative; .flip() turns a dimension round in a copy");
    const std::int64_t size = layout.shape[dimension];
    const auto clamped = [size](std::int64_t bound) {
        return std::clamp<std::int64_t>(bound < 0 ? bound + size : bound, 0, size);
    };
    const std::int64_t start = clamped(item.start.value_or(0));
    const std::int64_t stop = std::max(start, clamped(item.stop.value_or(size)));
    layout.offset += start * layout.strides[dimension];
    layout.shape[dimension] = (stop - start) / step + ((stop - start) % step != 0 ? 1 : 0);
    // A dimension with at most one element never takes a step; the product may then be beyond 63 bits.
    const std::int64_t stride = mulOrOverflow(layout.strides[dimension], step);
    if (stride < 0) return torchError(fmt::format("the step {} is too large", step), "use a smaller one");
    layout.strides[dimension] = stride;
    return {};
}

}  // namespace

Error torchError(std::string message, std::string_view hint) {
    return {ErrorCode::BadInput, std::move(message), std::string(hint)};
}

Result<std::size_t> wrapDimension(std::int64_t dimension, std::size_t rank) {
    const auto range = static_cast<std::int64_t>(std::max<std::size_t>(rank, 1));
    if (dimension < -range || dimension >= range)
        return torchError(
            fmt::format("Dimension out of range (expected to be in range of [{}, {}], but got {})", -range,
                        range - 1, dimension),
            fmt::format("the tensor has {} dimensions", rank));
    return static_cast<std::size_t>(dimension < 0 ? dimension + range : dimension);
}

Result<std::vector<bool>> markDimensions(std::span<const std::int64_t> dimensions, std::size_t rank) {
    std::vector<bool> marked(std::max<std::size_t>(rank, 1), false);
    for (const std::int64_t dimension : dimensions) {
        PLUMB_TRY(const std::size_t wrapped, wrapDimension(dimension, rank));
        if (marked[wrapped])
            return torchError(fmt::format("dim {} appears multiple times in the list of dims", wrapped),
                              "name each dimension once");
        marked[wrapped] = true;
    }
    return marked;
}

Result<std::vector<std::int64_t>> inferShape(std::span<const std::int64_t> sizes, std::int64_t elements) {
    Sizes shape(sizes.begin(), sizes.end());
    std::optional<std::size_t> inferred;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        if (shape[i] == -1) {
            if (inferred) return torchError("only one dimension can be inferred", "write -1 once");
            inferred = i;
            shape[i] = 1;
        } else if (shape[i] < 0) {
            return torchError(fmt::format("invalid shape dimension {} at index {} of shape {}", shape[i], i,
                                          shapeText(sizes)),
                              "use sizes of at least 0, or -1 once");
        }
    }
    const std::int64_t known = productOf(shape);
    if (known != elements && !(inferred && known > 0 && elements % known == 0))
        return torchError(
            fmt::format("shape '{}' is invalid for input of size {}", shapeText(sizes), elements),
            fmt::format("choose sizes whose product is {}", elements));
    if (!inferred) return shape;
    if (known == 0)
        return torchError(
            fmt::format("cannot reshape tensor of 0 elements into shape {} because the unspecified "
                        "dimension size -1 can be any value and is ambiguous",
                        shapeText(sizes)),
            "write the size instead of -1");
    shape[*inferred] = elements / known;
    return shape;
}

Result<TensorLayout> indexed(TensorLayout layout, std::span<const IndexItem> items) {
    const bool single = items.size() == 1 && items.front().kind == IndexItem::Kind::Integer;
    if (single && layout.rank() == 0)
        return torchError(
            "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or `tensor.item<T>()` "
            "in C++ to convert a 0-dim tensor to a number",
            kAddDimension);
    const auto taken =
        static_cast<std::size_t>(std::count_if(items.begin(), items.end(), [](const IndexItem& item) {
            return item.kind == IndexItem::Kind::Integer || item.kind == IndexItem::Kind::Slice;
        }));
    const std::size_t rank = layout.rank();
    const bool plainSlice = items.size() == 1 && items.front().kind == IndexItem::Kind::Slice;
    if (taken > rank && !plainSlice)
        return torchError(fmt::format("too many indices for tensor of dimension {}", rank),
                          fmt::format("give at most {}", rank));
    std::size_t dimension = 0;  // of the result so far
    for (std::size_t position = 0; position < items.size(); ++position) {
        const IndexItem& item = items[position];
        // A second ellipsis counts the dimensions that are left once more.
        if (item.kind == IndexItem::Kind::Integer || item.kind == IndexItem::Kind::Slice)
            PLUMB_CHECK(wrapDimension(static_cast<std::int64_t>(dimension), layout.rank()));
        switch (item.kind) {
        case IndexItem::Kind::Ellipsis:
            dimension += rank - taken;
            break;
        case IndexItem::Kind::NewAxis: {
            PLUMB_TRY(layout, unsqueezed(std::move(layout), static_cast<std::int64_t>(dimension)));
            ++dimension;
            break;
        }
        case IndexItem::Kind::Slice:
            PLUMB_CHECK(slice(layout, dimension, item));
            ++dimension;
            break;
        case IndexItem::Kind::Integer: {
            const std::int64_t size = layout.shape[dimension];
            const std::int64_t index = item.integer < 0 ? item.integer + size : item.integer;
            if (index < 0 || index >= size)
                return torchError(fmt::format("index {} is out of bounds for dimension {} with size {}",
                                              item.integer, position, size),
                                  size == 0 ? "the dimension is empty"
                                            : fmt::format("use {:d} to {:d}", -size, size - 1));
            layout.offset += index * layout.strides[dimension];
            drop(layout, dimension);
            break;
        }
        }
    }
    return layout;
}

Result<TensorLayout> transposed(TensorLayout layout, std::int64_t first, std::int64_t second) {
    PLUMB_TRY(const std::size_t a, wrapDimension(first, layout.rank()));
    PLUMB_TRY(const std::size_t b, wrapDimension(second, layout.rank()));
    if (layout.rank() == 0) return layout;
    std::swap(layout.shape[a], layout.shape[b]);
    std::swap(layout.strides[a], layout.strides[b]);
    return layout;
}

Result<TensorLayout> permuted(const TensorLayout& layout, std::span<const std::int64_t> order) {
    if (order.size() != layout.rank())
        return torchError(
            fmt::format("permute(sparse_coo): number of dimensions in the tensor input does not "
                        "match the length of the desired ordering of dimensions i.e. input.dim() = "
                        "{} is not equal to len(dims) = {}",
                        layout.rank(), order.size()),
            "name every dimension once");
    TensorLayout result = layout;
    std::vector<bool> seen(layout.rank(), false);
    for (std::size_t i = 0; i < order.size(); ++i) {
        PLUMB_TRY(const std::size_t from, wrapDimension(order[i], layout.rank()));
        if (seen[from])
            return torchError("permute(): duplicate dims are not allowed.", "name every dimension once");
        seen[from] = true;
        result.shape[i] = layout.shape[from];
        result.strides[i] = layout.strides[from];
    }
    return result;
}

Result<TensorLayout> expanded(const TensorLayout& layout, std::span<const std::int64_t> sizes) {
    const std::size_t rank = layout.rank();
    if (sizes.size() < rank)
        return torchError(
            fmt::format("expand(torch.FloatTensor{{{}}}, size={}): the number of sizes provided ({}) "
                        "must be greater or equal to the number of dimensions in the tensor ({})",
                        shapeText(layout.shape), shapeText(sizes), sizes.size(), rank),
            "give a size for every dimension; -1 keeps one");
    TensorLayout result = layout;
    result.shape.assign(sizes.size(), 0);
    result.strides.assign(sizes.size(), 0);
    const std::size_t added = sizes.size() - rank;
    for (std::size_t i = sizes.size(); i-- > 0;) {
        const bool isNew = i < added;
        std::int64_t size = isNew ? 1 : layout.shape[i - added];
        std::int64_t stride = 1;
        if (!isNew)
            stride = layout.strides[i - added];
        else if (rank == 0)
            stride = 0;
        else if (i + 1 < sizes.size())
            stride = result.shape[i + 1] * result.strides[i + 1];
        std::int64_t target = sizes[i];
        if (target < 0 && rank == 0)
            return torchError("numel: integer multiplication overflow", "give the size of a new dimension");
        if (target == -1) {
            if (isNew)
                return torchError(
                    fmt::format("The expanded size of the tensor ({}) isn't allowed in a leading, "
                                "non-existing dimension {}",
                                target, i),
                    "give the size of a new dimension");
            target = size;
        }
        if (size != target) {
            if (size != 1)
                return torchError(
                    fmt::format("The expanded size of the tensor ({}) must match the existing size "
                                "({}) at non-singleton dimension {}.  Target sizes: {}.  Tensor "
                                "sizes: {}",
                                target, size, i, shapeText(sizes), shapeText(layout.shape)),
                    "only dimensions of size 1 can be expanded; -1 keeps one");
            if (target < 0)
                return torchError(fmt::format("the size {} is below 0", target), "use sizes of at least 0");
            size = target;
            stride = 0;
        }
        result.shape[i] = size;
        result.strides[i] = stride;
    }
    if (productOf(result.shape) < 0 || result.rank() > kMostDimensions)
        return torchError(fmt::format("no program counts so many elements ({})", shapeText(sizes)),
                          "make a size smaller");
    return result;
}

Result<TensorLayout> squeezed(const TensorLayout& layout, std::span<const std::int64_t> which) {
    PLUMB_TRY(const std::vector<bool> marked, markDimensions(which, layout.rank()));
    TensorLayout result = layout;
    for (std::size_t i = layout.rank(); i-- > 0;)
        if (layout.shape[i] == 1 && (which.empty() || marked[i])) drop(result, i);
    return result;
}

Result<TensorLayout> unsqueezed(TensorLayout layout, std::int64_t dimension) {
    PLUMB_TRY(const std::size_t place, wrapDimension(dimension, layout.rank() + 1));
    if (layout.rank() == kMostDimensions)
        return torchError(fmt::format("a tensor has at most {} dimensions", kMostDimensions),
                          "drop one first");
    const std::int64_t stride =
        place < layout.rank() ? mulOrOverflow(layout.shape[place], layout.strides[place]) : 1;
    insert(layout, place, 1, std::max<std::int64_t>(stride, 0));
    return layout;
}

Result<TensorLayout> selected(TensorLayout layout, std::int64_t dimension, std::int64_t index) {
    if (layout.rank() == 0) return torchError("select() cannot be applied to a 0-dim tensor.", kAddDimension);
    PLUMB_TRY(const std::size_t place, wrapDimension(dimension, layout.rank()));
    const std::int64_t size = layout.shape[place];
    if (index < -size || index >= size)
        return torchError(fmt::format("select(): index {} out of range for tensor of size {} at dimension {}",
                                      index, shapeText(layout.shape), place),
                          size == 0 ? "the dimension is empty"
                                    : fmt::format("use {:d} to {:d}", -size, size - 1));
    layout.offset += (index < 0 ? index + size : index) * layout.strides[place];
    drop(layout, place);
    return layout;
}

Result<TensorLayout> narrowed(TensorLayout layout, std::int64_t dimension, std::int64_t start,
                              std::int64_t length) {
    if (layout.rank() == 0) return torchError("narrow() cannot be applied to a 0-dim tensor.", kAddDimension);
    if (length < 0) return torchError("narrow(): length must be non-negative.", "use a length of at least 0");
    PLUMB_TRY(const std::size_t place, wrapDimension(dimension, layout.rank()));
    const std::int64_t size = layout.shape[place];
    if (start < -size || start > size)
        return torchError(fmt::format("start out of range (expected to be in range of [{}, {}], but got {})",
                                      -size, size, start),
                          fmt::format("use 0 to {:d}", size));
    if (start < 0) start += size;
    if (length > size - start)
        return torchError(
            fmt::format("start ({}) + length ({}) exceeds dimension size ({}).", start, length, size),
            fmt::format("use a length of at most {}", size - start));
    layout.offset += start * layout.strides[place];
    layout.shape[place] = length;
    return layout;
}

Result<TensorLayout> diagonalOf(TensorLayout layout, std::int64_t offset, std::int64_t first,
                                std::int64_t second) {
    PLUMB_TRY(const std::size_t a, wrapDimension(first, layout.rank()));
    PLUMB_TRY(const std::size_t b, wrapDimension(second, layout.rank()));
    if (a == b)
        return torchError(fmt::format("diagonal dimensions cannot be identical {}, {}", first, second),
                          "name two dimensions");
    const std::int64_t rows = layout.shape[a], columns = layout.shape[b];
    const std::int64_t above = std::clamp<std::int64_t>(offset, 0, columns);
    const std::int64_t below = offset < 0 ? (offset <= -rows ? rows : -offset) : 0;
    const std::int64_t size = std::min(rows - below, columns - above);
    if (size > 0) layout.offset += above * layout.strides[b] + below * layout.strides[a];
    const std::int64_t stride = layout.strides[a] + layout.strides[b];
    drop(layout, std::max(a, b));
    drop(layout, std::min(a, b));
    insert(layout, layout.rank(), size, stride);
    return layout;
}

Result<TensorLayout> viewed(const TensorLayout& layout, std::span<const std::int64_t> sizes) {
    PLUMB_TRY(Sizes shape, inferShape(sizes, layout.elements()));
    const auto strides = viewStrides(layout, shape);
    if (!strides)
        return torchError(
            "view size is not compatible with input tensor's size and stride (at least one dimension "
            "spans across two contiguous subspaces). Use .reshape(...) instead.",
            unmergeable(layout));
    TensorLayout result = layout;
    result.shape = std::move(shape);
    result.strides = *strides;
    return result;
}

}  // namespace plumb::lab
