// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/loop_nest.h"

#include "core/base/contains.h"
#include "kernels/cpu/parallel.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace plumb::cpu {

namespace {

/// A sum over all elements is taken in parts of at least so many, which go to threads.
constexpr std::int64_t kElementsOfPart = 65536;

std::int64_t strideIn(const LoopNest::Names& names, const std::string& wanted, const DimensionSizes& sizes) {
    std::int64_t stride = 0, here = 1;
    for (std::size_t i = names.size(); i-- > 0;) {
        if (names[i] == wanted) stride += here;  // twice: the diagonal
        here *= sizes.find(names[i])->second;
    }
    return stride;
}

}  // namespace

// Dimensions that are walked as one: the last of several that lie whole in both operands, one after the
// other.
void LoopNest::mergeLines(std::vector<Dimension>& dimensions) {
    while (dimensions.size() > 1) {
        const Dimension& last = dimensions.back();
        const Dimension& before = dimensions[dimensions.size() - 2];
        if (before.inA != last.size * last.inA || before.inB != last.size * last.inB) return;
        const Dimension merged{before.size * last.size, last.inA, last.inB};
        dimensions.pop_back();
        dimensions.back() = merged;
    }
}

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
        if (sizes.find(all[i])->second == 1) continue;  // nothing is counted there
        auto& loops = i < result.size() ? nest.m_outer : nest.m_inner;
        loops.push_back({sizes.find(all[i])->second, strideIn(operands.front(), all[i], sizes),
                         strideIn(second, all[i], sizes)});
    }
    mergeLines(nest.m_outer);
    mergeLines(nest.m_inner);
    nest.m_combine = combine;
    nest.m_two = operands.size() > 1;
    nest.m_bf16 = dtype == Dtype::Bf16;
    nest.m_threads = threads;
    return nest;
}

std::int64_t LoopNest::outputsPerThread() const {
    return std::max<std::int64_t>(1, kElementsPerThread / std::max<std::int64_t>(1, m_points / m_outputs));
}

std::int64_t LoopNest::partsOfLine() const {
    if (m_outputs != 1 || m_inner.empty()) return 1;
    const std::int64_t whole = m_inner.size() == 1 ? m_points : m_points / m_inner.back().size;
    return std::clamp<std::int64_t>(m_points / kElementsOfPart, 1, std::min(kMostParts, whole));
}

// Few results, of many rows: each part takes rows of its own, so that memory is read in one run.
std::int64_t LoopNest::partsOfRows() const {
    if (m_inner.empty() || !foldsRows() || m_outer.size() != 1 || m_outputs > kResultsAtOnce) return 1;
    return std::clamp<std::int64_t>(m_points / kElementsOfPart, 1,
                                    std::min(kMostParts, m_points / m_outputs));
}

std::string LoopNest::implementation() const {
    const std::int64_t parts = std::max(partsOfLine(), partsOfRows());
    const std::int64_t shares = parts > 1 ? parts : m_outputs / outputsPerThread();
    const std::int64_t used = std::clamp<std::int64_t>(shares, 1, m_threads);
    return fmt::format("plain loops{}{}", used == 1 ? "" : fmt::format(", {} threads", used), limit(used));
}

std::string LoopNest::limit(std::int64_t usedThreads) const {
    constexpr std::int64_t kShortLine = 64;
    if (readsFarApart()) return ", limited by reading short runs of memory far apart";
    if (stretches()) return ", limited by a store for each number that is repeated";
    // What a product of matrices would keep in registers is read again for every point.
    if (const std::int64_t elements = std::accumulate(m_elements.begin(), m_elements.end(), m_outputs);
        m_two && m_points > 4 * elements)
        return ", limited by the arithmetic of loops: it is no product of matrices";
    if (readsApart()) return ", limited by reading numbers that do not lie side by side";
    const std::vector<Dimension>& along = m_inner.empty() || foldsRows() ? m_outer : m_inner;
    if (const std::int64_t line = along.empty() ? m_points : along.back().size;
        line < kShortLine && line < m_points)
        return fmt::format(", limited by lines of only {} numbers", line);
    if (usedThreads < m_threads) return ", limited by fewer threads than there are: it is too small for more";
    return "";
}

bool LoopNest::readsApart() const {
    if (!m_inner.empty() ? foldsRows() : m_outer.empty() || transposedDimension()) return false;
    const Dimension& line = m_inner.empty() ? m_outer.back() : m_inner.back();
    return line.inA > 1 || line.inB > 1;
}

// What a processor fetches ahead are runs of memory; between short ones it waits. Of single numbers it reads
// the lines of the cache around them as well.
bool LoopNest::readsFarApart() const {
    constexpr std::int64_t kPage = 4096, kCacheLine = 64;
    const std::int64_t size = m_bf16 ? 2 : 4;
    // Squares of more than two dimensions: the runs of one are those of many others' neighbours.
    if (const auto side = m_inner.empty() ? transposedDimension() : std::nullopt; side && m_outer.size() > 2)
        return std::min(m_outer[*side].size, m_outer.back().size) * size < kPage;
    const std::int64_t elements = std::accumulate(m_elements.begin(), m_elements.end(), m_outputs);
    if (elements * size < kPage * kPage) {  // in the caches
        if (!readsApart()) return false;
        const Dimension& line = m_inner.empty() ? m_outer.back() : m_inner.back();
        return std::max(line.inA, line.inB) * size >= kCacheLine;
    }
    if (!m_inner.empty()) {
        const Dimension& line = m_inner.back();
        // Rows of a pooling: a short one, then one of another line of the picture.
        if (foldsRows()) return m_inner.size() > 1 && m_outer.back().size * size < kPage;
        return line.inA > 1 || line.inB > 1 || (m_inner.size() > 1 && line.size * size < kPage);
    }
    if (m_outer.empty()) return false;
    const Dimension& line = m_outer.back();
    const bool isShort = m_outer.size() > 1 && line.size * size <= kPage;
    return line.inA > 1 || line.inB > 1 || (isShort && line.inA == 1);
}

LabFold LoopNest::labFold() const {
    if (m_two) return LabFold::Dot;
    switch (m_combine) {
    case Combine::Max:
        return LabFold::Max;
    case Combine::Min:
        return LabFold::Min;
    case Combine::Product:
        return LabFold::Product;
    default:
        return LabFold::Sum;
    }
}

float LoopNest::share() const {
    return m_combine == Combine::Mean ? static_cast<float>(m_outputs) / static_cast<float>(m_points) : 1.0F;
}

// Results that lie side by side in an operand are folded together, a line of memory after the other.
bool LoopNest::foldsRows() const {
    if (m_outer.empty()) return false;
    const Dimension& row = m_outer.back();
    const Dimension& line = m_inner.back();
    const auto lies = [](std::int64_t step) { return step == 0 || step == 1; };
    if (row.size < 4 || !lies(row.inA) || !lies(row.inB) || row.inA + row.inB == 0) return false;
    return m_two ? line.inA != 1 || line.inB != 1 : line.inA != 1;
}

// The dimension of the result, but the last one, whose elements lie side by side in the operand while those
// of the last one do not.
std::optional<std::size_t> LoopNest::transposedDimension() const {
    if (m_two || m_outer.size() < 2 || m_outer.back().inA == 1 || m_outer.back().inA == 0)
        return std::nullopt;
    for (std::size_t d = 0; d + 1 < m_outer.size(); ++d)
        if (m_outer[d].inA == 1 && m_outer[d].size > 1) return d;
    return std::nullopt;
}

// One number after the other repeated a few times: too few for a call each.
bool LoopNest::stretches() const {
    constexpr std::int64_t kFew = 64;
    return !m_two && m_outer.size() > 1 && m_outer.back().inA == 0 && m_outer.back().size < kFew;
}

}  // namespace plumb::cpu
