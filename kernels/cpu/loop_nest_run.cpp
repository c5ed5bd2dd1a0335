// SPDX-License-Identifier: Apache-2.0
#include "core/base/entry_at.h"
#include "kernels/cpu/element_storage.h"
#include "kernels/cpu/loop_nest.h"
#include "kernels/cpu/parallel.h"

#include <algorithm>
#include <array>
#include <limits>
#include <type_traits>

namespace plumb::cpu {

namespace {

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

}  // namespace

/// One walk through the loops, over tensors of one type.
template <class Storage>
class LoopNest::Run {
public:
    Run(const LoopNest& nest, const void* a, const void* b, void* result)
        : m_nest(nest),
          m_a(static_cast<const Storage*>(a)),
          m_b(static_cast<const Storage*>(b)),
          m_result(static_cast<Storage*>(result)) {}

    void go() const {
        if (m_nest.partsOfLine() > 1) {
            reduceInParts();
            return;
        }
        if (m_nest.partsOfRows() > 1) {
            reduceRowsInParts();
            return;
        }
        const auto shared = [&](std::int64_t unit, const auto& work) {
            parallelRanges(m_nest.m_threads, m_outputs, unit, m_nest.outputsPerThread(), work);
        };
        if (!m_inner.empty()) {
            shared(1, [&](std::int64_t begin, std::int64_t end) {
                if (m_nest.foldsRows())
                    reduceRows(begin, end);
                else
                    reduceLines(begin, end);
            });
        } else if (const std::optional<std::size_t> side = m_nest.transposedDimension()) {
            turn(*side);
        } else {
            shared(m_nest.stretches() ? m_outer.back().size : 1,
                   [&](std::int64_t begin, std::int64_t end) { copy(begin, end); });
        }
    }

private:
    static constexpr int kStorage = std::is_same_v<Storage, Bf16> ? 1 : 0;

    // Calls work(a, b, lines) for the positions from `first` to `last` of the first `dimensions` of those
    // that go; neighbours along the last one are lines of one call.
    template <class Work>
    void inLines(std::size_t dimensions, std::int64_t first, std::int64_t last, const Work& work) const {
        const Dimension& line = m_inner[dimensions - 1];
        Walk outer(m_inner, dimensions - 1);
        outer.goTo(first / line.size);
        for (; first < last; outer.advance()) {
            const std::int64_t at = first % line.size;
            const std::int64_t count = std::min(line.size - at, last - first);
            work(m_a + outer.a + at * line.inA, m_two ? m_b + outer.b + at * line.inB : nullptr,
                 LabRun{count, line.inA, line.inB});
            first += count;
        }
    }

    // The parts follow from the size alone, and so do the bits.
    void reduceInParts() const {
        const Dimension& line = m_inner.back();
        const bool isOneLine = m_inner.size() == 1;
        const std::int64_t whole = isOneLine ? line.size : m_points / line.size;  // numbers, or lines
        const std::int64_t parts = m_nest.partsOfLine();
        const auto fold = labKernels().fold[kStorage][static_cast<int>(m_fold)];
        std::array<float, kMostParts> folded{};
        parallelRanges(m_nest.m_threads, parts, 1, 1, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t part = begin; part < end; ++part) {
                const std::int64_t from = whole * part / parts, to = whole * (part + 1) / parts;
                float* sum = &entryAt(folded, part);
                *sum = startOf(m_fold);
                if (isOneLine)
                    fold(m_a + from * line.inA, m_two ? m_b + from * line.inB : nullptr, sum, {}, {},
                         {to - from, line.inA, line.inB});
                else
                    inLines(m_inner.size() - 1, from, to,
                            [&](const Storage* x, const Storage* y, const LabRun& lines) {
                                fold(x, y, sum, {}, lines, line.run());
                            });
            }
        });
        float all = folded[0];
        for (std::int64_t part = 1; part < parts; ++part) all = foldOf(m_fold, all, entryAt(folded, part));
        store(*m_result, all * m_share);
    }

    // Calls fold(x, y, folded, outputs), which folds one more part of the values of so many results.
    template <class Fold>
    void reduce(std::int64_t begin, std::int64_t end, std::size_t insideCall, const Fold& fold) const {
        static constexpr Dimension kSingle{};
        const Dimension& row = m_outer.empty() ? kSingle : m_outer.back();
        std::int64_t calls = 1;
        for (std::size_t i = 0; i < m_inner.size() - insideCall; ++i) calls *= m_inner[i].size;
        const auto finish = labKernels().finish[kStorage];
        Walk outer(m_outer, m_outer.empty() ? 0 : m_outer.size() - 1);
        outer.goTo(begin / row.size);
        Walk inner(m_inner, m_inner.size() - insideCall);  // at the beginning again after each count through
        std::array<float, kResultsAtOnce> folded;
        for (std::int64_t output = begin; output < end; outer.advance()) {
            const std::int64_t endOfRow = std::min(end, (output / row.size + 1) * row.size);
            while (output < endOfRow) {
                const std::int64_t first = output % row.size;
                const std::int64_t count = std::min(endOfRow - output, kResultsAtOnce);
                std::fill_n(folded.begin(), count, startOf(m_fold));
                const Storage* x = m_a + outer.a + first * row.inA;
                const Storage* y = m_two ? m_b + outer.b + first * row.inB : nullptr;
                for (std::int64_t i = 0; i < calls; ++i, inner.advance())
                    fold(x + inner.a, m_two ? y + inner.b : nullptr, folded.data(),
                         LabRun{count, row.inA, row.inB});
                finish(folded.data(), m_share, m_result + output, count);
                output += count;
            }
        }
    }

    void reduceLines(std::int64_t begin, std::int64_t end) const {
        const auto kernel = labKernels().fold[kStorage][static_cast<int>(m_fold)];
        const bool areMore = m_inner.size() > 1;
        const LabRun line = m_inner.back().run(),
                     lines = areMore ? m_inner[m_inner.size() - 2].run() : LabRun{};
        reduce(begin, end, areMore ? 2 : 1,
               [&](const Storage* x, const Storage* y, float* folded, const LabRun& outputs) {
                   kernel(x, y, folded, outputs, lines, line);
               });
    }

    void reduceRows(std::int64_t begin, std::int64_t end) const {
        const auto kernel = labKernels().foldRow[kStorage][static_cast<int>(m_fold)];
        const LabRun lines = m_inner.back().run();
        reduce(begin, end, 1, [&](const Storage* x, const Storage* y, float* folded, const LabRun& outputs) {
            kernel(x, y, folded, outputs, lines);
        });
    }

    // The parts follow from the sizes alone, and so do the bits.
    void reduceRowsInParts() const {
        const Dimension& row = m_outer.back();
        const std::int64_t parts = m_nest.partsOfRows(), lines = m_points / m_outputs;
        const LabKernels& kernels = labKernels();
        const auto foldRow = kernels.foldRow[kStorage][static_cast<int>(m_fold)];
        std::vector<float> folded(static_cast<std::size_t>(parts * m_outputs), startOf(m_fold));
        const auto sumsOf = [&](std::int64_t part) { return folded.data() + part * m_outputs; };
        parallelRanges(m_nest.m_threads, parts, 1, 1, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t part = begin; part < end; ++part) {
                inLines(m_inner.size(), lines * part / parts, lines * (part + 1) / parts,
                        [&](const Storage* x, const Storage* y, const LabRun& run) {
                            foldRow(x, y, sumsOf(part), row.run(), run);
                        });
            }
        });
        const LabFold joining = m_fold == LabFold::Dot ? LabFold::Sum : m_fold;
        for (std::int64_t part = 1; part < parts; ++part)
            kernels.foldRow[0][static_cast<int>(joining)](sumsOf(part), nullptr, folded.data(),
                                                          {m_outputs, 1, 0}, {});
        kernels.finish[kStorage](folded.data(), m_share, m_result, m_outputs);
    }

    void turn(std::size_t side) const {
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
        const std::int64_t least =
            std::max<std::int64_t>(1, kElementsPerThread / (kLabSquare * columns.size));
        const auto kernel = labKernels().turn[kStorage];
        parallelRanges(m_nest.m_threads, count, 1, least, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t band = begin; band < end; ++band) {
                Walk other(others, others.size());
                other.goTo(band / bands);
                const std::int64_t row = band % bands * kLabSquare;
                kernel(m_a + other.a + row, columns.inA, m_result + other.b + row * rowStride, rowStride,
                       std::min(kLabSquare, rows.size - row), columns.size);
            }
        });
    }

    void copy(std::int64_t begin, std::int64_t end) const {
        // Lines, and so many of them in a row that counting is worth nothing.
        static constexpr Dimension kSingle{};
        const std::size_t dimensions = m_outer.size();
        const Dimension& line = dimensions > 0 ? m_outer[dimensions - 1] : kSingle;
        const Dimension& lines = dimensions > 1 ? m_outer[dimensions - 2] : kSingle;
        const LabKernels& kernels = labKernels();
        const auto kernel = (m_two ? kernels.productLine : kernels.copyLine)[kStorage];
        Walk outer(m_outer, dimensions > 2 ? dimensions - 2 : 0);
        outer.goTo(begin / line.size / lines.size);
        if (m_nest.stretches()) {
            for (std::int64_t output = begin; output < end; outer.advance()) {
                const std::int64_t first = output / line.size % lines.size;
                const std::int64_t count = std::min(lines.size - first, (end - output) / line.size);
                kernels.stretch[kStorage](m_a + outer.a + first * lines.inA, lines.inA, m_result + output,
                                          count, line.size);
                output += count * line.size;
            }
            return;
        }
        // A thread may begin and end inside a line.
        for (std::int64_t output = begin; output < end; outer.advance()) {
            for (std::int64_t row = output / line.size % lines.size; row < lines.size && output < end;
                 ++row) {
                const std::int64_t first = output % line.size;
                const std::int64_t count = std::min(line.size - first, end - output);
                kernel(m_a + outer.a + row * lines.inA + first * line.inA,
                       m_two ? m_b + outer.b + row * lines.inB + first * line.inB : nullptr,
                       m_result + output, count, line.inA, line.inB);
                output += count;
            }
        }
    }

    const LoopNest& m_nest;
    const Storage* m_a;
    const Storage* m_b;
    Storage* m_result;
    const std::vector<Dimension>& m_outer = m_nest.m_outer;
    const std::vector<Dimension>& m_inner = m_nest.m_inner;
    const std::int64_t m_outputs = m_nest.m_outputs, m_points = m_nest.m_points;
    const bool m_two = m_nest.m_two;
    const LabFold m_fold = m_nest.labFold();
    const float m_share = m_nest.share();
};

void LoopNest::run(const void* a, const void* b, void* result) const {
    if (m_bf16)
        Run<Bf16>(*this, a, b, result).go();
    else
        Run<float>(*this, a, b, result).go();
}

}  // namespace plumb::cpu
