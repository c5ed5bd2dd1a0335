// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/loop_nest.h"

#include "core/base/contains.h"
#include "core/base/entry_at.h"
#include "kernels/cpu/element_storage.h"
#include "kernels/cpu/parallel.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

namespace plumb::cpu {

namespace {

/// A sum over all elements is taken in parts of at least so many, which go to threads.
constexpr std::int64_t kElementsOfPart = 65536;
constexpr std::int64_t kMostParts = 64;
/// Results that are folded side by side, row after row: they stay in the level 1 cache.
constexpr std::int64_t kResultsAtOnce = 4096;

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

float startOf(LabFold fold) {
    switch (fold) {
    case LabFold::Max:
        return -std::numeric_limits<float>::infinity();
    case LabFold::Min:
        return std::numeric_limits<float>::infinity();
    case LabFold::Product:
        return 1;
    default:
        return 0;
    }
}
float foldOf(LabFold fold, float x, float y) {
    switch (fold) {
    case LabFold::Max:
        return x > y ? x : y;
    case LabFold::Min:
        return x < y ? x : y;
    case LabFold::Product:
        return x * y;
    default:
        return x + y;
    }
}

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

void LoopNest::run(const void* a, const void* b, void* result) const {
    if (m_bf16)
        runAs(static_cast<const Bf16*>(a), static_cast<const Bf16*>(b), static_cast<Bf16*>(result));
    else
        runAs(static_cast<const float*>(a), static_cast<const float*>(b), static_cast<float*>(result));
}

template <class Storage>
void LoopNest::runAs(const Storage* a, const Storage* b, Storage* result) const {
    if (partsOfLine() > 1) {
        reduceInParts(a, b, result);
        return;
    }
    if (partsOfRows() > 1) {
        reduceRowsInParts(a, b, result);
        return;
    }
    const auto shared = [&](std::int64_t unit, const auto& work) {
        parallelRanges(m_threads, m_outputs, unit, outputsPerThread(), work);
    };
    if (!m_inner.empty()) {
        shared(1, [&](std::int64_t begin, std::int64_t end) {
            if (foldsRows())
                reduceRows(a, b, result, begin, end);
            else
                reduceLines(a, b, result, begin, end);
        });
    } else if (const std::optional<std::size_t> side = transposedDimension()) {
        turn(a, result, *side);
    } else {
        shared(stretches() ? m_outer.back().size : 1,
               [&](std::int64_t begin, std::int64_t end) { copy(a, b, result, begin, end); });
    }
}

float LoopNest::share() const {
    return m_combine == Combine::Mean ? static_cast<float>(m_outputs) / static_cast<float>(m_points) : 1.0F;
}

// Calls work(a, b, lines) for the positions from `first` to `last` of the first `dimensions` of those that
// go; neighbours along the last one are lines of one call.
template <class Storage, class Work>
void LoopNest::inLines(std::size_t dimensions, std::int64_t first, std::int64_t last, const Storage* a,
                       const Storage* b, const Work& work) const {
    const Dimension& line = m_inner[dimensions - 1];
    Walk outer(m_inner, dimensions - 1);
    outer.goTo(first / line.size);
    for (; first < last; outer.advance()) {
        const std::int64_t at = first % line.size;
        const std::int64_t count = std::min(line.size - at, last - first);
        work(a + outer.a + at * line.inA, m_two ? b + outer.b + at * line.inB : nullptr,
             LabRun{count, line.inA, line.inB});
        first += count;
    }
}

// The parts follow from the size alone, and so do the bits.
template <class Storage>
void LoopNest::reduceInParts(const Storage* a, const Storage* b, Storage* result) const {
    const Dimension& line = m_inner.back();
    const bool isOneLine = m_inner.size() == 1;
    const std::int64_t whole = isOneLine ? line.size : m_points / line.size;  // numbers, or lines
    const std::int64_t parts = partsOfLine();
    const auto fold = labKernels().fold[m_bf16 ? 1 : 0][static_cast<int>(labFold())];
    std::array<float, kMostParts> folded{};
    parallelRanges(m_threads, parts, 1, 1, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t part = begin; part < end; ++part) {
            const std::int64_t from = whole * part / parts, to = whole * (part + 1) / parts;
            float* sum = &entryAt(folded, part);
            *sum = startOf(labFold());
            if (isOneLine)
                fold(a + from * line.inA, m_two ? b + from * line.inB : nullptr, sum, {}, {},
                     {to - from, line.inA, line.inB});
            else
                inLines(m_inner.size() - 1, from, to, a, b,
                        [&](const Storage* x, const Storage* y, const LabRun& lines) {
                            fold(x, y, sum, {}, lines, runOf(line));
                        });
        }
    });
    float all = folded[0];
    for (std::int64_t part = 1; part < parts; ++part) all = foldOf(labFold(), all, entryAt(folded, part));
    store(*result, all * share());
}

// Calls fold(x, y, folded, outputs), which folds one more part of the values of so many results.
template <class Storage, class Fold>
void LoopNest::reduce(const Storage* a, const Storage* b, Storage* result, std::int64_t begin,
                      std::int64_t end, std::size_t insideCall, const Fold& fold) const {
    static constexpr Dimension kSingle{};
    const Dimension& row = m_outer.empty() ? kSingle : m_outer.back();
    std::int64_t calls = 1;
    for (std::size_t i = 0; i < m_inner.size() - insideCall; ++i) calls *= m_inner[i].size;
    const auto finish = labKernels().finish[m_bf16 ? 1 : 0];
    Walk outer(m_outer, m_outer.empty() ? 0 : m_outer.size() - 1);
    outer.goTo(begin / row.size);
    Walk inner(m_inner, m_inner.size() - insideCall);  // at the beginning again after each count through
    std::array<float, kResultsAtOnce> folded;
    for (std::int64_t output = begin; output < end; outer.advance()) {
        const std::int64_t endOfRow = std::min(end, (output / row.size + 1) * row.size);
        while (output < endOfRow) {
            const std::int64_t first = output % row.size;
            const std::int64_t count = std::min(endOfRow - output, kResultsAtOnce);
            std::fill_n(folded.begin(), count, startOf(labFold()));
            const Storage* x = a + outer.a + first * row.inA;
            const Storage* y = m_two ? b + outer.b + first * row.inB : nullptr;
            for (std::int64_t i = 0; i < calls; ++i, inner.advance())
                fold(x + inner.a, m_two ? y + inner.b : nullptr, folded.data(),
                     LabRun{count, row.inA, row.inB});
            finish(folded.data(), share(), result + output, count);
            output += count;
        }
    }
}

template <class Storage>
void LoopNest::reduceLines(const Storage* a, const Storage* b, Storage* result, std::int64_t begin,
                           std::int64_t end) const {
    const auto kernel = labKernels().fold[m_bf16 ? 1 : 0][static_cast<int>(labFold())];
    const bool areMore = m_inner.size() > 1;
    const LabRun line = runOf(m_inner.back()),
                 lines = areMore ? runOf(m_inner[m_inner.size() - 2]) : LabRun{};
    reduce(a, b, result, begin, end, areMore ? 2 : 1,
           [&](const Storage* x, const Storage* y, float* folded, const LabRun& outputs) {
               kernel(x, y, folded, outputs, lines, line);
           });
}

template <class Storage>
void LoopNest::reduceRows(const Storage* a, const Storage* b, Storage* result, std::int64_t begin,
                          std::int64_t end) const {
    const auto kernel = labKernels().foldRow[m_bf16 ? 1 : 0][static_cast<int>(labFold())];
    const LabRun lines = runOf(m_inner.back());
    reduce(a, b, result, begin, end, 1,
           [&](const Storage* x, const Storage* y, float* folded, const LabRun& outputs) {
               kernel(x, y, folded, outputs, lines);
           });
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

// The parts follow from the sizes alone, and so do the bits.
template <class Storage>
void LoopNest::reduceRowsInParts(const Storage* a, const Storage* b, Storage* result) const {
    const Dimension& row = m_outer.back();
    const std::int64_t parts = partsOfRows(), lines = m_points / m_outputs;
    const LabFold kind = labFold();
    const LabKernels& kernels = labKernels();
    const auto foldRow = kernels.foldRow[m_bf16 ? 1 : 0][static_cast<int>(kind)];
    std::vector<float> folded(static_cast<std::size_t>(parts * m_outputs), startOf(kind));
    const auto sumsOf = [&](std::int64_t part) { return folded.data() + part * m_outputs; };
    parallelRanges(m_threads, parts, 1, 1, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t part = begin; part < end; ++part) {
            inLines(m_inner.size(), lines * part / parts, lines * (part + 1) / parts, a, b,
                    [&](const Storage* x, const Storage* y, const LabRun& run) {
                        foldRow(x, y, sumsOf(part), runOf(row), run);
                    });
        }
    });
    const LabFold joining = kind == LabFold::Dot ? LabFold::Sum : kind;
    for (std::int64_t part = 1; part < parts; ++part)
        kernels.foldRow[0][static_cast<int>(joining)](sumsOf(part), nullptr, folded.data(), {m_outputs, 1, 0},
                                                      {});
    kernels.finish[m_bf16 ? 1 : 0](folded.data(), share(), result, m_outputs);
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

template <class Storage>
void LoopNest::turn(const Storage* a, Storage* result, std::size_t side) const {
    const Dimension& rows = m_outer[side];
    const Dimension& columns = m_outer.back();
    std::vector<Dimension> others;  // and where they lie in the result, as the second operand
    std::int64_t stride = m_outputs, rowStride = 0;
    for (std::size_t d = 0; d < m_outer.size(); ++d) {
        stride /= m_outer[d].size;
        if (d == side)
            rowStride = stride;
        else if (d + 1 < m_outer.size())
            others.push_back({m_outer[d].size, m_outer[d].inA, stride});
    }
    // Threads take rows of the squares, of all of the others one after the other.
    const std::int64_t bands = (rows.size + kLabSquare - 1) / kLabSquare;
    const std::int64_t count = m_outputs / rows.size / columns.size * bands;
    const std::int64_t least = std::max<std::int64_t>(1, kElementsPerThread / (kLabSquare * columns.size));
    const auto kernel = labKernels().turn[m_bf16 ? 1 : 0];
    parallelRanges(m_threads, count, 1, least, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t band = begin; band < end; ++band) {
            Walk other(others, others.size());
            other.goTo(band / bands);
            const std::int64_t row = band % bands * kLabSquare;
            kernel(a + other.a + row, columns.inA, result + other.b + row * rowStride, rowStride,
                   std::min(kLabSquare, rows.size - row), columns.size);
        }
    });
}

// One number after the other repeated a few times: too few for a call each.
bool LoopNest::stretches() const {
    constexpr std::int64_t kFew = 64;
    return !m_two && m_outer.size() > 1 && m_outer.back().inA == 0 && m_outer.back().size < kFew;
}

template <class Storage>
void LoopNest::copy(const Storage* a, const Storage* b, Storage* result, std::int64_t begin,
                    std::int64_t end) const {
    // Lines, and so many of them in a row that counting is worth nothing.
    static constexpr Dimension kSingle{};
    const std::size_t dimensions = m_outer.size();
    const Dimension& line = dimensions > 0 ? m_outer[dimensions - 1] : kSingle;
    const Dimension& lines = dimensions > 1 ? m_outer[dimensions - 2] : kSingle;
    const LabKernels& kernels = labKernels();
    const auto kernel = (m_two ? kernels.productLine : kernels.copyLine)[m_bf16 ? 1 : 0];
    Walk outer(m_outer, dimensions > 2 ? dimensions - 2 : 0);
    outer.goTo(begin / line.size / lines.size);
    if (stretches()) {
        for (std::int64_t output = begin; output < end; outer.advance()) {
            const std::int64_t first = output / line.size % lines.size;
            const std::int64_t count = std::min(lines.size - first, (end - output) / line.size);
            kernels.stretch[m_bf16 ? 1 : 0](a + outer.a + first * lines.inA, lines.inA, result + output,
                                            count, line.size);
            output += count * line.size;
        }
        return;
    }
    // A thread may begin and end inside a line.
    for (std::int64_t output = begin; output < end; outer.advance()) {
        for (std::int64_t row = output / line.size % lines.size; row < lines.size && output < end; ++row) {
            const std::int64_t first = output % line.size;
            const std::int64_t count = std::min(line.size - first, end - output);
            kernel(a + outer.a + row * lines.inA + first * line.inA,
                   m_two ? b + outer.b + row * lines.inB + first * line.inB : nullptr, result + output, count,
                   line.inA, line.inB);
            output += count;
        }
    }
}

}  // namespace plumb::cpu
