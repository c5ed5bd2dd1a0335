// SPDX-License-Identifier: Apache-2.0
#include "core/measure/value_histogram.h"

#include "core/base/dtype.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

namespace plumb::lab {
namespace {

std::uint64_t splitmix(std::uint64_t index) {
    std::uint64_t z = (index + 1) * 0x9E3779B97F4A7C15U;
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31U);
}

/// Random bit patterns, and the borders of every format with their neighbours.
std::vector<float> awkwardValues() {
    std::vector<float> values{0.0F,
                              -0.0F,
                              1.0F,
                              -1.0F,
                              std::numeric_limits<float>::denorm_min(),
                              std::numeric_limits<float>::max(),
                              std::numeric_limits<float>::min()};
    for (std::uint64_t i = 0; i < 20'000; ++i) {
        const auto value = std::bit_cast<float>(static_cast<std::uint32_t>(splitmix(i)));
        if (std::isfinite(value)) values.push_back(value);
        // Many of few bits, so that some are exact in narrow formats.
        values.push_back(
            std::ldexp(static_cast<float>(splitmix(i) % 16), static_cast<int>(splitmix(~i) % 300) - 150));
    }
    for (const NumberFormat& format : numberFormats())
        for (const double border :
             {format.largest(), format.leastNormal(), format.leastSubnormal(), format.leastSubnormal() / 2,
              format.largest() * (1 + format.epsilon() / 4)}) {
            const auto value = static_cast<float>(border);
            if (!std::isfinite(value)) continue;
            for (const float near : {value, std::nextafter(value, 0.0F), std::nextafter(value, 1e38F)})
                values.push_back(near);
        }
    return values;
}

FormatLoss lossIn(const ValueHistogram& histogram, std::string_view name) {
    for (const FormatLoss& loss : histogram.formats)
        if (loss.format == name) return loss;
    ADD_FAILURE() << name;
    return {};
}

TEST(ValueHistogram, CountsInEveryFormatWhatStoringEachNumberDoes) {
    const std::vector<float> values = awkwardValues();
    const ValueHistogram histogram = histogramOf(values);
    EXPECT_EQ(histogram.formats.size(), 8U);
    for (const FormatLoss& loss : histogram.formats) {
        const NumberFormat format = *findFormat(loss.format);
        FormatLoss expected;
        expected.format = loss.format;
        for (const float value : values) {
            if (!std::isfinite(value)) continue;
            switch (store(format, static_cast<double>(value)).fate) {
            case Fate::Exact:
                ++expected.exact;
                break;
            case Fate::Rounded:
                ++expected.rounded;
                break;
            case Fate::Subnormal:
                ++expected.subnormal;
                break;
            case Fate::Underflow:
                ++expected.toZero;
                break;
            case Fate::Overflowed:
            case Fate::Saturated:
            case Fate::NotANumber:
                ++expected.beyond;
                break;
            }
        }
        EXPECT_EQ(loss.exact, expected.exact) << loss.format;
        EXPECT_EQ(loss.rounded, expected.rounded) << loss.format;
        EXPECT_EQ(loss.subnormal, expected.subnormal) << loss.format;
        EXPECT_EQ(loss.toZero, expected.toZero) << loss.format;
        EXPECT_EQ(loss.beyond, expected.beyond) << loss.format;
    }
}

TEST(ValueHistogram, BinsArePowersOfTwo) {
    const ValueHistogram histogram = histogramOf(std::vector<float>{
        0.0F, 1.0F, -1.5F, 2.0F, 0.25F, 1e-45F, std::numeric_limits<float>::infinity(), std::nanf("")});
    EXPECT_EQ(histogram.count, 8);
    EXPECT_EQ(histogram.zeros, 1);
    EXPECT_EQ(histogram.infinities, 1);
    EXPECT_EQ(histogram.notNumbers, 1);
    EXPECT_EQ(histogram.negatives, 1);
    EXPECT_EQ(histogram.largest, 2);
    EXPECT_EQ(histogram.smallest, static_cast<double>(1e-45F));
    EXPECT_EQ(histogram.lowestExponent, -149);
    ASSERT_EQ(histogram.counts.size(), 151U);
    EXPECT_EQ(histogram.counts.front(), 1);
    EXPECT_EQ(histogram.counts[149], 2);
    EXPECT_EQ(histogram.counts[150], 1);
    std::int64_t numbers = 0;
    for (const std::int64_t bin : histogram.counts) numbers += bin;
    EXPECT_EQ(numbers + histogram.zeros + histogram.infinities + histogram.notNumbers, histogram.count);
    EXPECT_TRUE(histogramOf({}).counts.empty());
    EXPECT_TRUE(histogramOf(std::vector<float>{0, 0}).counts.empty());
}

TEST(ValueHistogram, AFactorMovesTheBins) {
    const std::vector<float> values{1.0F, 3.0F, 5.0F};
    const ValueHistogram whole = histogramOf(values), part = histogramOf(values, 1.0 / 1024);
    EXPECT_EQ(part.lowestExponent, whole.lowestExponent - 10);
    EXPECT_EQ(part.counts, whole.counts);
}

TEST(LossScaleWindow, KeepsTheGradientsBetweenBothEnds) {
    std::vector<float> gradients;
    gradients.reserve(10'000);
    for (int i = 0; i < 10'000; ++i)
        gradients.push_back(std::ldexp(1.0F + static_cast<float>(i % 100) / 200, -20 - i % 15));
    const ValueHistogram histogram = histogramOf(gradients);
    const NumberFormat fp16 = *findFormat("fp16");
    const LossScaleWindow window = lossScaleWindow(histogram, fp16);
    ASSERT_TRUE(window.lowest && window.highest);
    EXPECT_TRUE(window.exists());
    EXPECT_FALSE(window.needsNone());
    const auto lossAt = [&](int power) {
        return lossIn(histogramOf(gradients, std::ldexp(1.0, power)), "fp16");
    };
    EXPECT_EQ(lossAt(*window.highest).beyond, 0);
    EXPECT_GT(lossAt(*window.highest + 1).beyond, 0);
    EXPECT_LE(lossAt(*window.lowest + 1).toZero, 10);  // a share of 0.001
    EXPECT_GT(lossAt(*window.lowest - 1).toZero, 10);
}

TEST(LossScaleWindow, Bf16NeedsNoneAndFp4HasNoneForAWideTensor) {
    std::vector<float> gradients;
    gradients.reserve(1000);
    for (int i = 0; i < 1000; ++i) gradients.push_back(std::ldexp(1.0F, -10 - i % 20));
    const ValueHistogram histogram = histogramOf(gradients);
    EXPECT_TRUE(lossScaleWindow(histogram, *findFormat("bf16")).needsNone());
    EXPECT_FALSE(lossScaleWindow(histogram, *findFormat("fp4_e2m1")).exists());
    EXPECT_TRUE(lossScaleWindow(histogramOf(std::vector<float>{0}), *findFormat("fp16")).needsNone());
}

TEST(DecodeValues, ReadsEveryDtypeThatATensorCanHave) {
    const std::uint16_t halves[] = {0x3c00, 0xc000};
    EXPECT_EQ(decodeValues(Dtype::Fp16, std::as_bytes(std::span(halves))), (std::vector<float>{1, -2}));
    const std::uint16_t brains[] = {0x3f80, 0xc000};
    EXPECT_EQ(decodeValues(Dtype::Bf16, std::as_bytes(std::span(brains))), (std::vector<float>{1, -2}));
    const std::uint8_t small[] = {0x38, 0xc0};
    EXPECT_EQ(decodeValues(Dtype::Fp8E4M3, std::as_bytes(std::span(small))), (std::vector<float>{1, -2}));
    const std::uint8_t wide[] = {0x3c, 0xc0};
    EXPECT_EQ(decodeValues(Dtype::Fp8E5M2, std::as_bytes(std::span(wide))), (std::vector<float>{1, -2}));
    const double doubles[] = {0.5};
    EXPECT_EQ(decodeValues(Dtype::Fp64, std::as_bytes(std::span(doubles))), (std::vector<float>{0.5}));
    const float floats[] = {1.25F};
    EXPECT_EQ(decodeValues(Dtype::Fp32, std::as_bytes(std::span(floats))), (std::vector<float>{1.25}));
}

TEST(ValueGrid, ASmallMatrixIsItselfAndALargeOneIsTheMeansOfItsCells) {
    const std::vector<float> small{1, 2, 3, 4, 5, 6};
    const ValueGrid itself = gridOf(small, 2, 3, 0.5);
    EXPECT_EQ(itself.rows, 2);
    EXPECT_EQ(itself.columns, 3);
    EXPECT_EQ(itself.means, (std::vector<double>{0.5, 1, 1.5, 2, 2.5, 3}));
    // 100 rows in 48 cells: every number in one cell, and the mean of equal rows is that row.
    std::vector<float> large;
    for (int row = 0; row < 100; ++row)
        for (int column = 0; column < 3; ++column) large.push_back(static_cast<float>(column));
    const ValueGrid cells = gridOf(large, 100, 3);
    EXPECT_EQ(cells.rows, ValueGrid::kMostCells);
    for (std::int64_t row = 0; row < cells.rows; ++row)
        for (std::int64_t column = 0; column < 3; ++column)
            EXPECT_EQ(cells.means[static_cast<std::size_t>(row * 3 + column)], static_cast<double>(column));
    EXPECT_TRUE(std::isnan(gridOf(std::vector<float>{std::nanf("")}, 1, 1).means[0]));
}

}  // namespace
}  // namespace plumb::lab
