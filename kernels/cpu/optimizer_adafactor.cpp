// SPDX-License-Identifier: Apache-2.0
// Adafactor on one matrix: means of the squared gradients by row and by column, the norm of the update that
// they give, the update. The passes between need sums over the whole matrix. The product of two root factors
// stands for the root of the product of the means, so that no element needs a root or a division.
#include "core/base/entry_at.h"
#include "kernels/common/optimizer_rules.h"
#include "kernels/common/rule_settings.h"
#include "kernels/cpu/optimizer_runner.h"
#include "kernels/cpu/parallel.h"

#include <algorithm>
#include <array>

namespace plumb::cpu {

using common::AdafactorConstants;

namespace {

constexpr std::int64_t kMostParts = 64;
constexpr std::int64_t kRowsPerSum = 16;  ///< of which a column's squares are added in fp32

/// One pass over a matrix or another, with what they share.
class AdafactorMatrix {
public:
    AdafactorMatrix(const ParameterMatrix& matrix, const ParameterAccess& access, float gradientFactor,
                    int threads)
        : m_matrix(matrix),
          m_access(access),
          m_factor(gradientFactor),
          m_threads(threads),
          m_parts(fixedParts(matrix.count(), std::min(matrix.rows, kMostParts))) {}

    /// New means of the squares by row; sums of squares of gradients and parameters.
    [[nodiscard]] PartSums rowMeans(double share) const;
    /// New means of the squares by column.
    void columnMeans(double share) const;
    /// `sum`: of squares of the update before it is clipped.
    [[nodiscard]] PartSums norm(const AdafactorConstants& constants) const;
    /// The update itself.
    [[nodiscard]] PartSums update(const AdafactorConstants& constants, double rate) const;

private:
    [[nodiscard]] double meanOfRows(double least) const;
    template <class Work>
    PartSums forParts(Work&& work) const;
    /// Calls work(block, first element) for all blocks of some rows, with their factors.
    template <class Work>
    void forBlocks(std::int64_t rowBegin, std::int64_t rowEnd, const AdafactorConstants& constants,
                   double rowMean, Work&& work) const;

    /// Columns that are worked on at once, and rows; a block of theirs has at most kRuleBlock elements,
    /// without gaps in memory.
    [[nodiscard]] std::int64_t blockColumns() const { return std::min(m_matrix.columns, kRuleBlock); }
    [[nodiscard]] std::int64_t blockRows() const {
        return std::max<std::int64_t>(kRuleBlock / m_matrix.columns, 1);
    }

    const ParameterMatrix& m_matrix;
    const ParameterAccess& m_access;
    float m_factor;
    int m_threads;
    std::int64_t m_parts;
};

using Block = std::array<float, kRuleBlock>;

template <class Work>
PartSums AdafactorMatrix::forParts(Work&& work) const {
    std::array<PartSums, kMostParts> parts{};
    const std::int64_t leastParts =
        std::max<std::int64_t>(kElementsPerThread * m_parts / std::max<std::int64_t>(m_matrix.count(), 1), 1);
    parallelRanges(m_threads, m_parts, 1, leastParts, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t part = begin; part < end; ++part)
            work(m_matrix.rows * part / m_parts, m_matrix.rows * (part + 1) / m_parts, entryAt(parts, part));
    });
    PartSums total;
    for (std::int64_t part = 0; part < m_parts; ++part) total.add(entryAt(parts, part));
    return total;
}

PartSums AdafactorMatrix::rowMeans(double share) const {
    return forParts([&](std::int64_t rowBegin, std::int64_t rowEnd, PartSums& seen) {
        alignas(64) Block gradientRoom;
        alignas(64) Block parameterRoom;
        for (std::int64_t row = rowBegin; row < rowEnd; row += blockRows()) {
            std::array<double, kRuleBlock> sums;
            AdafactorArguments block{.rows = std::min(blockRows(), rowEnd - row),
                                     .gradientFactor = m_factor,
                                     .sums = sums.data(),
                                     .squares = &seen.squares};
            std::fill_n(sums.begin(), block.rows, 0.0);
            for (std::int64_t column = 0; column < m_matrix.columns; column += blockColumns()) {
                block.columns = std::min(blockColumns(), m_matrix.columns - column);
                block.stride = block.columns;
                const std::int64_t first = row * m_matrix.columns + column;
                const std::int64_t count = block.rows * block.columns;
                block.gradient = m_access.read(m_matrix.gradient, first, count, gradientRoom.data());
                block.parameter = m_access.parameters(m_matrix, first, count, parameterRoom.data());
                m_access.rules().adafactorRows(block);
            }
            for (std::int64_t i = 0; i < block.rows; ++i) {
                float& state = m_matrix.states[0][row + i];
                state =
                    common::mixedMean(state, entryAt(sums, i) / static_cast<double>(m_matrix.columns), share);
            }
        }
    });
}

// Stripes of columns, so that a column's sum is never split between threads.
void AdafactorMatrix::columnMeans(double share) const {
    const std::int64_t stripes = (m_matrix.columns + kAdafactorStripe - 1) / kAdafactorStripe;
    const auto sumStripe = [&](std::int64_t stripe) {
        alignas(64) std::array<float, kRowsPerSum * kAdafactorStripe> room;
        std::array<double, kAdafactorStripe> sums{};
        const std::int64_t column = stripe * kAdafactorStripe;
        AdafactorArguments block{.columns = std::min(kAdafactorStripe, m_matrix.columns - column),
                                 .gradientFactor = m_factor,
                                 .sums = sums.data()};
        for (std::int64_t row = 0; row < m_matrix.rows; row += kRowsPerSum) {
            block.rows = std::min(kRowsPerSum, m_matrix.rows - row);
            const std::int64_t first = row * m_matrix.columns + column;
            if (m_matrix.gradient.plain() || stripes == 1) {
                block.stride = m_matrix.columns;
                block.gradient =
                    m_access.read(m_matrix.gradient, first, block.rows * block.columns, room.data());
            } else {
                block.stride = block.columns;
                block.gradient = room.data();
                for (std::int64_t i = 0; i < block.rows; ++i)
                    m_access.read(m_matrix.gradient, first + i * m_matrix.columns, block.columns,
                                  room.data() + i * block.columns);
            }
            m_access.rules().adafactorColumns(block);
        }
        for (std::int64_t i = 0; i < block.columns; ++i) {
            float& state = m_matrix.states[1][column + i];
            state = common::mixedMean(state, entryAt(sums, i) / static_cast<double>(m_matrix.rows), share);
        }
    };
    const std::int64_t perStripe = m_matrix.rows * std::min(kAdafactorStripe, m_matrix.columns);
    parallelRanges(m_threads, stripes, 1, (kElementsPerThread - 1) / perStripe + 1,
                   [&](std::int64_t begin, std::int64_t end) {
                       for (std::int64_t stripe = begin; stripe < end; ++stripe) sumStripe(stripe);
                   });
}

double AdafactorMatrix::meanOfRows(double least) const {
    double sum = 0;
    for (std::int64_t row = 0; row < m_matrix.rows; ++row)
        sum += static_cast<double>(m_matrix.states[0][row]);
    const double mean = sum / static_cast<double>(m_matrix.rows);
    return mean < least ? least : mean;  // not a number stays so
}

template <class Work>
void AdafactorMatrix::forBlocks(std::int64_t rowBegin, std::int64_t rowEnd,
                                const AdafactorConstants& constants, double rowMean, Work&& work) const {
    alignas(64) Block columnFactors;
    alignas(64) Block gradientRoom;
    Block rowFactors;
    AdafactorArguments block{.gradientFactor = m_factor,
                             .rowFactor = rowFactors.data(),
                             .columnFactor = columnFactors.data(),
                             .largestFactor = static_cast<float>(1 / constants.epsilon)};
    for (std::int64_t column = 0; column < m_matrix.columns; column += blockColumns()) {
        block.columns = std::min(blockColumns(), m_matrix.columns - column);
        block.stride = block.columns;
        for (std::int64_t i = 0; i < block.columns; ++i)
            entryAt(columnFactors, i) =
                common::rootFactor(static_cast<double>(m_matrix.states[1][column + i]));
        for (std::int64_t row = rowBegin; row < rowEnd; row += blockRows()) {
            block.rows = std::min(blockRows(), rowEnd - row);
            for (std::int64_t i = 0; i < block.rows; ++i)
                entryAt(rowFactors, i) =
                    common::rootFactor(static_cast<double>(m_matrix.states[0][row + i]) / rowMean);
            const std::int64_t first = row * m_matrix.columns + column;
            block.gradient =
                m_access.read(m_matrix.gradient, first, block.rows * block.columns, gradientRoom.data());
            work(block, first);
        }
    }
}

PartSums AdafactorMatrix::norm(const AdafactorConstants& constants) const {
    const double mean = meanOfRows(constants.epsilon);
    return forParts([&](std::int64_t rowBegin, std::int64_t rowEnd, PartSums& seen) {
        forBlocks(rowBegin, rowEnd, constants, mean, [&](AdafactorArguments& block, std::int64_t /*first*/) {
            block.sums = &seen.sum;
            m_access.rules().adafactorNorm(block);
        });
    });
}

PartSums AdafactorMatrix::update(const AdafactorConstants& constants, double rate) const {
    const double mean = meanOfRows(constants.epsilon);
    return forParts([&](std::int64_t rowBegin, std::int64_t rowEnd, PartSums& seen) {
        alignas(64) Block room;
        forBlocks(rowBegin, rowEnd, constants, mean, [&](AdafactorArguments& block, std::int64_t first) {
            const std::int64_t count = block.rows * block.columns;
            block.parameter = m_access.parameters(m_matrix, first, count, room.data());
            block.rate = static_cast<float>(rate);
            block.keep = static_cast<float>(constants.keep);
            block.squares = &seen.squares;
            m_access.rules().adafactorUpdate(block);
            m_access.write(m_matrix, first, count, block.parameter, seen.tally);
        });
    });
}

}  // namespace

void adafactorStep(const ParameterMatrix& matrix, const ParameterAccess& access, const RunConfig& config,
                   double rate, std::int64_t step, float gradientFactor, int threads, PartSums& total) {
    const AdafactorConstants constants = common::adafactorConstants(config, rate, step);
    const AdafactorMatrix passes(matrix, access, gradientFactor, threads);
    const auto count = static_cast<double>(matrix.count());
    const PartSums means = passes.rowMeans(constants.meanShare);
    passes.columnMeans(constants.meanShare);
    const double updateSquares = passes.norm(constants).sum;
    total.add(means);
    total.add(passes.update(constants,
                            common::adafactorRate(constants, means.squares.parameter, updateSquares, count)));
}

}  // namespace plumb::cpu
