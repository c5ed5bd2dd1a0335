// SPDX-License-Identifier: Apache-2.0
#include "core/lab/einsum_shapes.h"

#include "core/base/shape_text.h"
#include "core/lab/tensor_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace plumb::lab {

namespace {

using Shape = std::vector<std::int64_t>;

Error bad(const TensorAxes& axes, std::string_view why, std::string hint) {
    return {ErrorCode::BadInput, fmt::format("the operand \"{}\" {}", axesText(axes), why), std::move(hint)};
}

bool isEllipsis(const AxisGroup& group) { return group.size() == 1 && group.front().name == kEllipsis; }

/// One size for each group of the operand: "..." takes all that the others leave.
Result<Shape> sizesOfGroups(const TensorAxes& axes, const Shape& shape) {
    const auto dots = std::ranges::find_if(axes, isEllipsis);
    const bool open = dots != axes.end();
    const std::size_t named = axes.size() - (open ? 1 : 0);
    if (open ? shape.size() < named : shape.size() != named)
        return bad(axes, fmt::format("was given the shape {}", shapeText(shape)),
                   fmt::format("give it {}{} sizes", open ? "at least " : "", named));
    Shape sizes;
    std::size_t at = 0;
    for (const AxisGroup& group : axes) {
        std::int64_t size = 1;
        for (std::size_t left = isEllipsis(group) ? shape.size() - named : 1; left > 0; --left)
            size = mulOrOverflow(size, shape[at++]);
        if (size < 1)
            return bad(axes, fmt::format("was given the shape {}", shapeText(shape)),
                       "use sizes from 1 on that 63 bits hold");
        sizes.push_back(size);
    }
    return sizes;
}

/// Learns what one dimension says. True when it is settled; false while two of its factors are open.
Result<bool> learn(const TensorAxes& axes, const AxisGroup& group, std::int64_t size, DimensionSizes& sizes) {
    std::int64_t known = 1;
    const Axis* open = nullptr;
    for (const Axis& axis : group) {
        const auto found = sizes.find(axis.name);
        if (axis.number == 0 && found == sizes.end()) {
            if (open != nullptr && open->name != axis.name) return false;
            open = &axis;
        } else {
            known = mulOrOverflow(known, axis.number != 0 ? axis.number : found->second);
        }
    }
    const std::string text = axesText({group});
    if (known < 1 || size % known != 0 || (open == nullptr && known != size))
        return bad(
            axes, fmt::format("has {} of size {} where {} was given", text.empty() ? "1" : text, known, size),
            "give each dimension one size");
    if (open != nullptr) sizes[open->name] = size / known;
    return true;
}

}  // namespace

Result<std::vector<std::int64_t>> shapeFromText(std::string_view text) {
    const auto refuse = [&] {
        return Error{ErrorCode::BadInput, fmt::format("not a shape ({})", text),
                     "write it like 8x128x64 or 8,128,64"};
    };
    std::string plain;
    std::ranges::copy_if(text, std::back_inserter(plain), [](char c) { return c != ' '; });
    std::string_view rest = plain;
    if (rest.starts_with('[') != rest.ends_with(']')) return refuse();
    if (rest == "[]") return Shape{};
    if (rest.starts_with('[')) rest = rest.substr(1, rest.size() - 2);
    Shape shape;
    for (bool more = true; more;) {
        const std::size_t at = std::min(rest.find_first_of(",x"), rest.size());
        more = at < rest.size();
        const auto size = parseSize(rest.substr(0, at));
        if (!size.has_value() || *size < 0) return refuse();
        shape.push_back(*size);
        rest = more ? rest.substr(at + 1) : std::string_view();
    }
    return shape;
}

Result<DimensionSizes> sizesFromShapes(const EinsumExpression& expression, std::span<const Shape> shapes,
                                       DimensionSizes given) {
    if (shapes.empty()) return given;
    if (shapes.size() != expression.inputs.size())
        return Error{ErrorCode::BadInput,
                     fmt::format("\"{}\" has {} operands and was given {} shapes", expression.text(),
                                 expression.inputs.size(), shapes.size()),
                     "give one shape for each operand, in order"};
    std::vector<Shape> sizes;
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        PLUMB_TRY(Shape ofGroups, sizesOfGroups(expression.inputs[i], shapes[i]));
        sizes.push_back(std::move(ofGroups));
    }
    // A factor in parentheses may be known from an operand that comes later.
    for (bool learned = true; learned;) {
        const std::size_t before = given.size();
        for (std::size_t i = 0; i < shapes.size(); ++i)
            for (std::size_t k = 0; k < sizes[i].size(); ++k) {
                const auto settled = learn(expression.inputs[i], expression.inputs[i][k], sizes[i][k], given);
                if (!settled.has_value()) return settled.error();
            }
        learned = given.size() > before;
    }
    return given;
}

}  // namespace plumb::lab
