// SPDX-License-Identifier: Apache-2.0
#include "core/lab/tensor_values.h"

#include "core/base/entry_at.h"
#include "core/base/number_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace plumb::lab {

namespace {

using Sizes = std::vector<std::int64_t>;
using Numbers = std::vector<double>;

double rounded(double value, Dtype dtype) {
    if (dtype == Dtype::Fp64) return value;
    if (dtype == Dtype::Fp32 || dtype == Dtype::Tf32) return static_cast<double>(static_cast<float>(value));
    const auto format = findFormat(dtypeName(dtype));
    return format.has_value() ? store(*format, value).value : value;
}

/// One element, before it is stored; torch reckons narrow formats in fp32.
double worked(const LayoutStep& step, double x, double second, Dtype dtype) {
    const Dtype inner = dtype == Dtype::Fp64 ? Dtype::Fp64 : Dtype::Fp32;
    const double scalar = rounded(second, inner);
    const std::string& name = step.name;
    if (name == "add" || name == "add_") return x + scalar;
    if (name == "sub" || name == "sub_") return x - scalar;
    if (name == "mul" || name == "mul_") return x * scalar;
    if (name == "div" || name == "div_") return x / scalar;
    if (name == "pow" || name == "pow_") return std::pow(x, scalar);
    if (name == "sqrt") return std::sqrt(x);
    if (name == "rsqrt") return 1 / rounded(std::sqrt(x), inner);  // two operations, each rounded
    if (name == "reciprocal") return 1 / x;
    if (name == "neg") return -x;
    return name == "zero_" ? 0 : scalar;  // fill_
}

/// The index of element `position` in row-major order.
Sizes indexOf(std::span<const std::int64_t> shape, std::int64_t position) {
    Sizes index(shape.size(), 0);
    for (std::size_t i = shape.size(); i-- > 0;) {
        index[i] = position % shape[i];
        position /= shape[i];
    }
    return index;
}
std::int64_t positionOf(std::span<const std::int64_t> shape, std::span<const std::int64_t> index) {
    std::int64_t position = 0;
    for (std::size_t i = 0; i < shape.size(); ++i) position = position * shape[i] + index[i];
    return position;
}

/// What element `position` of a copy is made of; NaN would be a number, so a triangle's zero is absent.
std::optional<std::int64_t> sourceOf(const AppliedStep& step, std::span<const std::int64_t> before,
                                     std::int64_t position) {
    const Sizes& shape = step.layout.shape;
    Sizes index = indexOf(shape, position);
    const std::size_t rank = shape.size();
    switch (step.step.kind) {
    case StepKind::Triu:
    case StepKind::Tril: {
        const std::int64_t above = index[rank - 1] - index[rank - 2], diagonal = step.step.numbers[0];
        const bool kept = step.step.kind == StepKind::Triu ? above >= diagonal : above <= diagonal;
        return kept ? std::optional(position) : std::nullopt;
    }
    case StepKind::Flip:
        for (const std::int64_t dimension : step.step.numbers) {
            if (rank == 0) break;
            const auto i = static_cast<std::size_t>(
                dimension < 0 ? dimension + static_cast<std::int64_t>(rank) : dimension);
            index[i] = shape[i] - 1 - index[i];
        }
        return positionOf(shape, index);
    case StepKind::Repeat: {
        index.erase(index.begin(), index.begin() + static_cast<std::ptrdiff_t>(rank - before.size()));
        for (std::size_t i = 0; i < before.size(); ++i) index[i] %= before[i];
        return positionOf(before, index);
    }
    default:
        return position;
    }
}

/// The memory of all storages of a chain.
class Memory {
public:
    Memory(TensorLayout first, Dtype dtype) : m_first(std::move(first)), m_dtype(dtype) {}

    Numbers& storage(const TensorLayout& layout) {
        Numbers& numbers = m_storages[layout.storage];
        numbers.resize(static_cast<std::size_t>(layout.storageElements));
        return numbers;
    }
    Numbers read(const TensorLayout& layout) {
        const Numbers& numbers = storage(layout);
        Numbers values;
        for (const std::int64_t at : storagePositions(layout, kMostValues))
            values.push_back(entryAt(numbers, at));
        return values;
    }
    void write(const TensorLayout& layout, const Numbers& values) {
        Numbers& numbers = storage(layout);
        const Sizes positions = storagePositions(layout, kMostValues);
        for (std::size_t i = 0; i < positions.size(); ++i)
            entryAt(numbers, positions[i]) = rounded(values[i], m_dtype);
    }
    /// The steps one after the other, from `before` on; `each` is called after each of them.
    template <class Each>
    void applyAll(const TensorLayout& start, const std::vector<AppliedStep>& steps, const Each& each) {
        const TensorLayout* before = &start;
        for (const AppliedStep& step : steps) {
            // As Python does: the left operand is there, then the right one is worked out.
            applyAll(m_first, step.operand, ignore);
            apply(*before, step);
            each(step);
            before = &step.layout;
        }
    }

private:
    static void ignore(const AppliedStep& step) { (void)step; }
    void apply(const TensorLayout& before, const AppliedStep& step) {
        if (step.other) return combine(before, step);
        if (step.sharing != Sharing::Copy && step.step.kind != StepKind::InPlace) return;
        const Numbers old = read(before);
        Numbers values(static_cast<std::size_t>(step.layout.elements()));
        const bool works = step.step.kind == StepKind::Elementwise || step.step.kind == StepKind::InPlace;
        for (std::size_t i = 0; i < values.size(); ++i) {
            const auto from = sourceOf(step, before.shape, static_cast<std::int64_t>(i));
            values[i] = from ? entryAt(old, *from) : 0;
            if (works) values[i] = worked(step.step, values[i], step.step.scalar, m_dtype);
        }
        write(step.layout, values);
    }
    void combine(const TensorLayout& before, const AppliedStep& step) {
        const Numbers left = read(before), right = read(*step.other);
        const Sizes& shape = step.layout.shape;
        const auto element = [&](const TensorLayout& operand, const Numbers& numbers, std::int64_t position) {
            Sizes index = indexOf(shape, position);
            index.erase(index.begin(),
                        index.begin() + static_cast<std::ptrdiff_t>(shape.size() - operand.rank()));
            for (std::size_t i = 0; i < index.size(); ++i)
                if (operand.shape[i] == 1) index[i] = 0;
            return entryAt(numbers, positionOf(operand.shape, index));
        };
        Numbers values(static_cast<std::size_t>(step.layout.elements()));
        for (std::size_t i = 0; i < values.size(); ++i) {
            const auto position = static_cast<std::int64_t>(i);
            values[i] = worked(step.step, element(before, left, position),
                               element(*step.other, right, position), m_dtype);
        }
        write(step.layout, values);
    }

    TensorLayout m_first;
    Dtype m_dtype;
    std::map<int, Numbers> m_storages;
};

void write(std::string& text, std::span<const std::int64_t> shape, std::span<const double> values) {
    if (shape.empty()) {
        // As torch writes it, whatever its sign bit.
        if (!values.empty())
            text += std::isnan(values.front()) ? "nan" : fmt::format("{:.6g}", values.front());
        return;
    }
    text += '[';
    const auto count = static_cast<std::size_t>(shape.front());
    const std::size_t each = count == 0 ? 0 : values.size() / count;
    for (std::size_t i = 0; i < count; ++i) {
        if (i > 0) text += ", ";
        write(text, shape.subspan(1), values.subspan(i * each, each));
    }
    text += ']';
}

bool fits(const TensorLayout& layout) {
    return layout.elements() <= kMostValues && layout.storageElements <= kMostValues;
}
bool allFit(const std::vector<AppliedStep>& steps) {
    return std::ranges::all_of(
        steps, [](const AppliedStep& step) { return fits(step.layout) && allFit(step.operand); });
}

}  // namespace

std::optional<ChainValues> valuesOf(const LayoutChain& chain, Dtype dtype) {
    if (!fits(chain.start) || !allFit(chain.steps)) return std::nullopt;
    Memory memory(chain.start, dtype);
    Numbers counted(static_cast<std::size_t>(chain.start.elements()));
    for (std::size_t i = 0; i < counted.size(); ++i) counted[i] = static_cast<double>(i);
    memory.write(chain.start, counted);
    ChainValues values;
    values.start = memory.read(chain.start);
    memory.applyAll(chain.start, chain.steps,
                    [&](const AppliedStep& step) { values.steps.push_back(memory.read(step.layout)); });
    values.startAfter = memory.read(chain.start);
    return values;
}

std::string valuesText(std::span<const std::int64_t> shape, std::span<const double> values) {
    std::string text;
    // A size of 0 hides those behind it; nobody reads a thousand empty brackets.
    std::int64_t brackets = 1;
    for (const std::int64_t size : shape) brackets = mulOrOverflow(brackets, std::max<std::int64_t>(size, 1));
    if (values.empty() && !shape.empty() && (brackets < 0 || brackets > kMostValues)) return "[]";
    write(text, shape, values);
    return text;
}

}  // namespace plumb::lab
