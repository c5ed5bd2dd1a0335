// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/loop_nest.h"

#include "kernels/cpu/element_storage.h"
#include "kernels/cpu/parallel.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace plumb::cpu {

namespace {

constexpr std::size_t kLanes = 8;  // sums of their own, so that an add need not wait for the one before it

struct Adding {
    static constexpr float kStart = 0;
    static float of(float x, float y) { return x + y; }
};
struct Multiplying {
    static constexpr float kStart = 1;
    static float of(float x, float y) { return x * y; }
};
struct Largest {
    static constexpr float kStart = -std::numeric_limits<float>::infinity();
    static float of(float x, float y) { return x > y ? x : y; }
};
struct Smallest {
    static constexpr float kStart = std::numeric_limits<float>::infinity();
    static float of(float x, float y) { return x < y ? x : y; }
};

/// Where the operands are read while the dimensions are counted through, the last one fastest.
template <class Dimensions>
class Walk {
public:
    /// `whole` dimensions are counted; those behind them are somebody else's.
    Walk(const Dimensions& dimensions, std::size_t whole) : m_dimensions(dimensions), m_index(whole, 0) {}

    void advance() {
        for (std::size_t d = m_index.size(); d-- > 0;) {
            const auto& dimension = m_dimensions[d];
            a += dimension.inA;
            b += dimension.inB;
            if (++m_index[d] < dimension.size) return;
            a -= dimension.size * dimension.inA;
            b -= dimension.size * dimension.inB;
            m_index[d] = 0;
        }
    }
    void goTo(std::int64_t position) {
        for (std::size_t d = m_index.size(); d-- > 0;) {
            const auto& dimension = m_dimensions[d];
            m_index[d] = position % dimension.size;
            position /= dimension.size;
            a += m_index[d] * dimension.inA;
            b += m_index[d] * dimension.inB;
        }
    }

    std::int64_t a = 0, b = 0;

private:
    const Dimensions& m_dimensions;
    std::vector<std::int64_t> m_index;
};

template <class Storage, bool kTwo>
float valueAt(const Storage* a, const Storage* b) {
    if constexpr (kTwo) return load(*a) * load(*b);
    return load(*a);
}

/// Combines `count` values at even distances.
template <class Storage, class Fold, bool kTwo>
float foldLine(const Storage* a, const Storage* b, std::int64_t count, std::int64_t stepA,
               std::int64_t stepB) {
    float lanes[kLanes];
    std::fill(std::begin(lanes), std::end(lanes), Fold::kStart);
    constexpr auto kStep = static_cast<std::int64_t>(kLanes);
    std::int64_t i = 0;
    for (; i + kStep <= count; i += kStep)
        for (std::int64_t lane = 0; lane < kStep; ++lane)
            lanes[lane] = Fold::of(lanes[lane], valueAt<Storage, kTwo>(a + (i + lane) * stepA,
                                                                       kTwo ? b + (i + lane) * stepB : b));
    float folded = lanes[0];
    for (std::size_t lane = 1; lane < kLanes; ++lane) folded = Fold::of(folded, lanes[lane]);
    for (; i < count; ++i)
        folded = Fold::of(folded, valueAt<Storage, kTwo>(a + i * stepA, kTwo ? b + i * stepB : b));
    return folded;
}

std::int64_t strideIn(const LoopNest::Names& names, const std::string& wanted, const DimensionSizes& sizes) {
    std::int64_t stride = 0, here = 1;
    for (std::size_t i = names.size(); i-- > 0;) {
        if (names[i] == wanted) stride += here;  // twice: the diagonal
        here *= sizes.find(names[i])->second;
    }
    return stride;
}

bool contains(const LoopNest::Names& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

Result<LoopNest> LoopNest::create(const std::vector<Names>& operands, const Names& result,
                                  const DimensionSizes& sizes, Combine combine, Dtype dtype, int threads) {
    const auto counted = [&sizes](const Names& names) -> Result<std::int64_t> {
        std::int64_t count = 1;
        for (const std::string& name : names) {
            const auto found = sizes.find(name);
            if (found == sizes.end() || found->second < 1)
                return Error{ErrorCode::BadInput, fmt::format("there is no size for {}", name),
                             fmt::format("add {}=SIZE", name)};
            count = mulOrOverflow(count, found->second);
        }
        if (count < 0)
            return Error{ErrorCode::BadInput, "the elements need more than 63 bits to count",
                         "make a dimension smaller"};
        return count;
    };
    LoopNest nest;
    for (const Names& operand : operands) {
        PLUMB_TRY(const std::int64_t elements, counted(operand));
        nest.m_elements.push_back(elements);
    }
    PLUMB_TRY(nest.m_outputs, counted(result));
    Names all = result;
    for (const Names& operand : operands)
        for (const std::string& name : operand)
            if (!contains(all, name)) all.push_back(name);
    PLUMB_TRY(nest.m_points, counted(all));
    static const Names kNone;
    const Names& second = operands.size() > 1 ? operands[1] : kNone;
    for (std::size_t i = 0; i < all.size(); ++i) {
        auto& loops = i < result.size() ? nest.m_outer : nest.m_inner;
        loops.push_back({sizes.find(all[i])->second, strideIn(operands.front(), all[i], sizes),
                         strideIn(second, all[i], sizes)});
    }
    nest.m_combine = combine;
    nest.m_two = operands.size() > 1;
    nest.m_bf16 = dtype == Dtype::Bf16;
    nest.m_threads = threads;
    return nest;
}

std::int64_t LoopNest::outputsPerThread() const {
    return std::max<std::int64_t>(1, kElementsPerThread / std::max<std::int64_t>(1, m_points / m_outputs));
}

std::string LoopNest::implementation() const {
    const std::int64_t used = std::clamp<std::int64_t>(m_outputs / outputsPerThread(), 1, m_threads);
    return used == 1 ? "plain loops" : fmt::format("plain loops, {} threads", used);
}

void LoopNest::run(const void* a, const void* b, void* result) const {
    if (m_bf16)
        runAs(static_cast<const Bf16*>(a), static_cast<const Bf16*>(b), static_cast<Bf16*>(result));
    else
        runAs(static_cast<const float*>(a), static_cast<const float*>(b), static_cast<float*>(result));
}

template <class Storage>
void LoopNest::runAs(const Storage* a, const Storage* b, Storage* result) const {
    parallelRanges(m_threads, m_outputs, 1, outputsPerThread(), [&](std::int64_t begin, std::int64_t end) {
        if (m_inner.empty()) {
            if (m_two)
                copy<Storage, true>(a, b, result, begin, end);
            else
                copy<Storage, false>(a, b, result, begin, end);
        } else if (m_two) {
            reduce<Storage, Adding, true>(a, b, result, begin, end);
        } else if (m_combine == Combine::Max) {
            reduce<Storage, Largest, false>(a, b, result, begin, end);
        } else if (m_combine == Combine::Min) {
            reduce<Storage, Smallest, false>(a, b, result, begin, end);
        } else if (m_combine == Combine::Product) {
            reduce<Storage, Multiplying, false>(a, b, result, begin, end);
        } else {
            reduce<Storage, Adding, false>(a, b, result, begin, end);
        }
    });
}

template <class Storage, class Fold, bool kTwo>
void LoopNest::reduce(const Storage* a, const Storage* b, Storage* result, std::int64_t begin,
                      std::int64_t end) const {
    const Dimension& line = m_inner.back();
    const std::int64_t lines = m_points / m_outputs / line.size;
    const float share =
        m_combine == Combine::Mean ? static_cast<float>(m_outputs) / static_cast<float>(m_points) : 1.0F;
    Walk outer(m_outer, m_outer.size());
    outer.goTo(begin);
    Walk inner(m_inner, m_inner.size() - 1);
    for (std::int64_t output = begin; output < end; ++output, outer.advance()) {
        float folded = Fold::kStart;
        for (std::int64_t i = 0; i < lines; ++i, inner.advance())
            folded = Fold::of(folded, foldLine<Storage, Fold, kTwo>(a + outer.a + inner.a,
                                                                    kTwo ? b + outer.b + inner.b : b,
                                                                    line.size, line.inA, line.inB));
        store(result[output], folded * share);
    }
}

template <class Storage, bool kTwo>
void LoopNest::copy(const Storage* a, const Storage* b, Storage* result, std::int64_t begin,
                    std::int64_t end) const {
    static constexpr Dimension kSingle{};
    const Dimension& line = m_outer.empty() ? kSingle : m_outer.back();
    Walk outer(m_outer, m_outer.empty() ? 0 : m_outer.size() - 1);
    outer.goTo(begin / line.size);
    // A thread may begin and end inside a line.
    for (std::int64_t output = begin; output < end; outer.advance()) {
        const std::int64_t first = output % line.size;
        const std::int64_t count = std::min(line.size - first, end - output);
        const Storage* x = a + outer.a + first * line.inA;
        const Storage* y = kTwo ? b + outer.b + first * line.inB : b;
        for (std::int64_t i = 0; i < count; ++i)
            store(result[output + i], valueAt<Storage, kTwo>(x + i * line.inA, kTwo ? y + i * line.inB : y));
        output += count;
    }
}

}  // namespace plumb::cpu
