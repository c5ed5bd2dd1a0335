// SPDX-License-Identifier: Apache-2.0
#include "core/plan/einsum.h"

#include "core/base/ascii.h"
#include "core/base/contains.h"
#include "core/base/dtype_bytes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

namespace plumb {
namespace {

using Names = std::vector<std::string>;

Error bad(std::string_view text, std::string_view why, std::string_view hint) {
    return Error{ErrorCode::BadInput, fmt::format("einsum \"{:s}\" {}", text, why), std::string(hint)};
}

constexpr std::string_view kForm = "write it like \"batch in, in out -> batch out\"";

Error twice(std::string_view text, std::string_view name) {
    return bad(text, fmt::format("has the dimension {} twice in one tensor", name),
               "give each dimension of a tensor its own name");
}

/// The names in `part`; errors for other characters and for a name that comes twice.
Result<Names> parseOperand(std::string_view text, std::string_view part) {
    Names names;
    std::size_t i = 0;
    while (i < part.size()) {
        if (part[i] == ' ' || part[i] == '\t') {
            ++i;
            continue;
        }
        std::size_t end = i;
        while (end < part.size() && isNameCharacter(part[end])) ++end;
        if (end == i) return bad(text, fmt::format("has '{}' where a dimension should be", part[i]), kForm);
        std::string name(part.substr(i, end - i));
        if (contains(names, name)) return twice(text, name);
        names.push_back(std::move(name));
        i = end;
    }
    return names;
}

Result<void> checkOnce(std::string_view text, const Names& names) {
    for (std::size_t i = 0; i < names.size(); ++i)
        if (std::find(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(i), names[i]) !=
            names.begin() + static_cast<std::ptrdiff_t>(i))
            return twice(text, names[i]);
    return {};
}

Result<void> checkOutput(std::string_view text, const std::vector<Names>& inputs, const Names& output) {
    for (const std::string& name : output) {
        if (std::none_of(inputs.begin(), inputs.end(),
                         [&name](const Names& input) { return contains(input, name); }))
            return bad(text, fmt::format("has {} in the result but in no operand", name),
                       "use only dimensions of the operands in the result");
    }
    return {};
}

/// Product of the sizes of `names`. Errors: a size that is missing, below 1, or a product beyond 63 bits.
Result<std::int64_t> product(const Einsum& expression, const Names& names, const DimensionSizes& sizes) {
    std::int64_t points = 1;
    for (const std::string& name : names) {
        const auto found = sizes.find(name);
        if (found == sizes.end())
            return bad(expression.text(), fmt::format("has no size for {:s}", name),
                       fmt::format("add {:s}=1024", name));
        if (found->second < 1)
            return bad(expression.text(), fmt::format("has size {} for {}", found->second, name),
                       "use a size of at least 1");
        points = mulOrOverflow(points, found->second);
    }
    if (points < 0)
        return bad(expression.text(), "needs more than 63 bits to count", "make a dimension smaller");
    return points;
}

}  // namespace

Result<Einsum> Einsum::parse(std::string_view text) {
    constexpr std::string_view kArrow = "->";
    const std::size_t arrow = text.find(kArrow);
    if (arrow == std::string_view::npos) return bad(text, "has no \"->\"", kForm);

    Einsum einsum;
    std::string_view left = text.substr(0, arrow);
    for (bool more = true; more;) {
        const std::size_t comma = left.find(',');
        more = comma != std::string_view::npos;
        PLUMB_TRY(Names names, parseOperand(text, left.substr(0, comma)));
        if (names.empty()) return bad(text, "has an empty operand", kForm);
        einsum.m_inputs.push_back(std::move(names));
        left = more ? left.substr(comma + 1) : std::string_view();
    }
    constexpr std::size_t kMostOperands = 2;
    if (einsum.m_inputs.size() > kMostOperands)
        return bad(text, fmt::format("has {} operands", einsum.m_inputs.size()),
                   "use one or two; contract more of them pair by pair");
    PLUMB_TRY(einsum.m_output, parseOperand(text, text.substr(arrow + kArrow.size())));
    PLUMB_CHECK(checkOutput(text, einsum.m_inputs, einsum.m_output));
    return einsum;
}

Result<Einsum> Einsum::of(std::vector<std::vector<std::string>> inputs, std::vector<std::string> output) {
    Einsum einsum;
    einsum.m_inputs = std::move(inputs);
    einsum.m_output = std::move(output);
    const std::string text = einsum.text();
    if (einsum.m_inputs.empty()) return bad(text, "has no operand", kForm);
    for (const Names& input : einsum.m_inputs) PLUMB_CHECK(checkOnce(text, input));
    PLUMB_CHECK(checkOnce(text, einsum.m_output));
    PLUMB_CHECK(checkOutput(text, einsum.m_inputs, einsum.m_output));
    return einsum;
}

std::vector<std::string> Einsum::dimensions() const {
    Names all;
    for (const Names& input : m_inputs) {
        for (const std::string& name : input) {
            if (!contains(all, name)) all.push_back(name);
        }
    }
    return all;
}

std::string Einsum::text() const {
    std::string text;
    for (std::size_t i = 0; i < m_inputs.size(); ++i)
        text += fmt::format("{}{}", i == 0 ? "" : ", ", fmt::join(m_inputs[i], " "));
    return fmt::format("{} ->{}{}", text, m_output.empty() ? "" : " ", fmt::join(m_output, " "));
}

bool Einsum::sums() const { return dimensions().size() > m_output.size(); }

Einsum Einsum::backward(std::size_t index) const {
    assert(index < m_inputs.size());
    Einsum gradient;
    gradient.m_inputs = m_inputs;
    gradient.m_inputs[index] = m_output;
    for (const std::string& name : m_inputs[index])
        if (std::any_of(gradient.m_inputs.begin(), gradient.m_inputs.end(),
                        [&name](const Names& input) { return contains(input, name); }))
            gradient.m_output.push_back(name);
    return gradient;
}

Result<std::int64_t> einsumPoints(const Einsum& expression, const DimensionSizes& sizes) {
    return product(expression, expression.dimensions(), sizes);
}

Result<std::int64_t> einsumElements(const Einsum& expression, const std::vector<std::string>& names,
                                    const DimensionSizes& sizes) {
    return product(expression, names, sizes);
}

Result<Flops> einsumFlops(const Einsum& expression, const DimensionSizes& sizes) {
    PLUMB_TRY(const std::int64_t points, einsumPoints(expression, sizes));
    const auto multiplies = static_cast<std::int64_t>(expression.inputs().size()) - 1;
    const Flops flops = mulOrOverflow(multiplies + (expression.sums() ? 1 : 0), points);
    if (flops < 0)
        return bad(expression.text(), "needs more than 63 bits to count", "make a dimension smaller");
    return flops;
}

Result<Flops> einsumExactFlops(const Einsum& expression, const DimensionSizes& sizes) {
    PLUMB_TRY(const Flops flops, einsumFlops(expression, sizes));
    if (!expression.sums()) return flops;
    PLUMB_TRY(const std::int64_t outputs, product(expression, expression.output(), sizes));
    return flops - outputs;
}

Result<Bytes> einsumBytes(const Einsum& expression, const DimensionSizes& sizes,
                          const std::vector<Dtype>& dtypes) {
    if (dtypes.size() != expression.inputs().size() + 1)
        return bad(expression.text(), fmt::format("was given {} dtypes", dtypes.size()),
                   "give one for each operand and one for the result");
    Bytes bytes = 0;
    for (std::size_t i = 0; i < dtypes.size(); ++i) {
        const Names& names = i < expression.inputs().size() ? expression.inputs()[i] : expression.output();
        PLUMB_TRY(const std::int64_t elements, product(expression, names, sizes));
        bytes = addOrOverflow(bytes, bytesOrOverflow(dtypes[i], elements));
    }
    if (bytes < 0)
        return bad(expression.text(), "needs more than 63 bits to count", "make a dimension smaller");
    return bytes;
}

}  // namespace plumb
