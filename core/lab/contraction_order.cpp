// SPDX-License-Identifier: Apache-2.0
#include "core/lab/contraction_order.h"

#include "core/base/entry_at.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>

namespace plumb::lab {

namespace {

using Names = std::vector<std::string>;
using Mask = std::uint64_t;

constexpr std::size_t kMostNames = 64;
constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

/// The best way to make the product of one subset of the operands.
struct Best {
    Mask names = 0;  ///< dimensions of the product
    std::int64_t flops = kNever;
    std::int64_t largest = 0;  ///< elements of the largest tensor on the way, this one included
    std::uint32_t half = 0;    ///< one of the two subsets that it is made of
};

class Search {
public:
    Search(const EinsumExpression& expression, const DimensionSizes& sizes)
        : m_expression(expression), m_sizes(sizes), m_names(expression.loops.dimensions()) {}

    Result<ContractionOrder> run() {
        PLUMB_CHECK(prepare());
        for (std::uint32_t set = 1; set < m_best.size(); ++set) {
            if (std::has_single_bit(set)) continue;
            m_best[set].names = namesOf(set);
            // The half that holds the lowest operand: each pair of halves is looked at once.
            const std::uint32_t lowest = set & (~set + 1);
            for (std::uint32_t half = (set - 1) & set; half != 0; half = (half - 1) & set)
                if ((half & lowest) != 0) consider(set, half);
        }
        const Best& whole = m_best.back();
        if (whole.flops == kNever)
            return Error{ErrorCode::BadInput,
                         fmt::format("einsum \"{:s}\" needs more than 63 bits to count in every order",
                                     m_expression.text()),
                         "make a dimension smaller"};
        ContractionOrder order;
        order.flops = whole.flops;
        order.largestIntermediate = whole.largest;
        const Result<Flops> direct = einsumFlops(m_expression.loops, m_sizes);
        order.directFlops = direct.has_value() ? *direct : -1;
        std::vector<std::uint32_t> left;
        for (std::size_t i = 0; i < m_operands.size(); ++i) left.push_back(std::uint32_t{1} << i);
        PLUMB_CHECK(unwind(static_cast<std::uint32_t>(m_best.size() - 1), left, order));
        return order;
    }

private:
    Result<void> prepare() {
        const auto& inputs = m_expression.loops.inputs();
        if (inputs.size() > kMostOperands || m_names.size() > kMostNames)
            return Error{ErrorCode::BadInput,
                         fmt::format("einsum \"{:s}\" has {} operands and {} dimensions", m_expression.text(),
                                     inputs.size(), m_names.size()),
                         fmt::format("the search for the best order takes at most {} and {}", kMostOperands,
                                     kMostNames)};
        for (const std::string& name : m_names) {
            PLUMB_TRY(const std::int64_t size, einsumElements(m_expression.loops, {name}, m_sizes));
            m_size.push_back(size);
        }
        m_output = maskOf(m_expression.loops.output());
        m_best.resize(std::size_t{1} << inputs.size());
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            m_operands.push_back(maskOf(inputs[i]));
            Best& single = m_best[std::size_t{1} << i];
            single.names = m_operands.back();
            single.flops = 0;
        }
        return {};
    }
    [[nodiscard]] Mask maskOf(const Names& names) const {
        Mask mask = 0;
        for (const std::string& name : names)
            mask |= Mask{1} << static_cast<std::size_t>(std::find(m_names.begin(), m_names.end(), name) -
                                                        m_names.begin());
        return mask;
    }
    [[nodiscard]] Names list(Mask mask, const Names& order) const {
        Names names;
        for (const std::string& name : order)
            if ((maskOf({name}) & mask) != 0) names.push_back(name);
        return names;
    }
    /// Names of the product of `set`: what the result or an operand outside still needs.
    [[nodiscard]] Mask namesOf(std::uint32_t set) const {
        Mask inside = 0, needed = m_output;
        for (std::size_t i = 0; i < m_operands.size(); ++i)
            ((set >> i & 1U) != 0 ? inside : needed) |= m_operands[i];
        return inside & needed;
    }
    /// -1 beyond 63 bits.
    [[nodiscard]] std::int64_t elements(Mask mask) const {
        std::int64_t count = 1;
        for (; mask != 0; mask &= mask - 1)
            count = mulOrOverflow(count, entryAt(m_size, std::countr_zero(mask)));
        return count;
    }
    void consider(std::uint32_t set, std::uint32_t half) {
        const Best& a = m_best[half];
        const Best& b = m_best[set ^ half];
        Best& best = m_best[set];
        if (a.flops == kNever || b.flops == kNever) return;
        const Mask all = a.names | b.names;
        const std::int64_t step = mulOrOverflow(all == best.names ? 1 : 2, elements(all));
        const std::int64_t flops = addOrOverflow(addOrOverflow(a.flops, b.flops), step);
        if (flops < 0 || flops > best.flops) return;
        const std::int64_t largest = std::max({a.largest, b.largest, elements(best.names)});
        if (flops == best.flops && largest >= best.largest) return;
        best.flops = flops;
        best.largest = largest;
        best.half = half;
    }
    Result<void> unwind(std::uint32_t set, std::vector<std::uint32_t>& left, ContractionOrder& order) const {
        if (std::has_single_bit(set)) return {};
        const std::uint32_t half = m_best[set].half;
        PLUMB_CHECK(unwind(half, left, order));
        PLUMB_CHECK(unwind(set ^ half, left, order));
        ContractionStep step;
        const auto place = [&left](std::uint32_t wanted) {
            return static_cast<std::size_t>(std::find(left.begin(), left.end(), wanted) - left.begin());
        };
        step.first = std::min(place(half), place(set ^ half));
        step.second = std::max(place(half), place(set ^ half));
        const std::uint32_t a = left[step.first], b = left[step.second];
        const bool last = set + 1 == m_best.size();
        // Names in the order of the operands; the very last result as it was asked for.
        Names firstNames = operandNames(a), secondNames = operandNames(b);
        Names result = last ? m_expression.loops.output() : list(m_best[set].names, m_names);
        PLUMB_TRY(step.product,
                  Einsum::of({std::move(firstNames), std::move(secondNames)}, std::move(result)));
        PLUMB_TRY(step.flops, einsumFlops(step.product, m_sizes));
        step.resultElements = elements(m_best[set].names);
        order.steps.push_back(std::move(step));
        left.erase(left.begin() + static_cast<std::ptrdiff_t>(order.steps.back().second));
        left.erase(left.begin() + static_cast<std::ptrdiff_t>(order.steps.back().first));
        left.push_back(set);
        return {};
    }
    [[nodiscard]] Names operandNames(std::uint32_t set) const {
        if (std::has_single_bit(set)) return entryAt(m_expression.loops.inputs(), std::countr_zero(set));
        return list(m_best[set].names, m_names);
    }

    const EinsumExpression& m_expression;
    const DimensionSizes& m_sizes;
    Names m_names;
    std::vector<std::int64_t> m_size;
    std::vector<Mask> m_operands;
    Mask m_output = 0;
    std::vector<Best> m_best;
};

}  // namespace

Result<ContractionOrder> bestOrder(const EinsumExpression& expression, const DimensionSizes& sizes) {
    const DimensionSizes all = expression.complete(sizes);
    return Search(expression, all).run();
}

}  // namespace plumb::lab
