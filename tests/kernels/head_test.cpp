// SPDX-License-Identifier: Apache-2.0
// The head's three products against a double loop in double precision, and bit for bit between instruction
// sets.
#include "tests/kernels/samples.h"

#include <gtest/gtest.h>

#include <cmath>

namespace plumb::cpu {
namespace {

using test::availableKernels;
using test::randomFloats;

struct HeadShape {
    std::int64_t rows, dim, outputs;
};
// Odd sizes, sizes around the tiles (256 columns, 16 outputs, 16 and 4 rows), and each of 1..7 outputs.
const std::vector<HeadShape> kShapes{{1, 1, 1},    {3, 5, 1},    {4, 16, 2},   {5, 17, 3},  {16, 255, 4},
                                     {17, 256, 5}, {2, 257, 6},  {33, 300, 7}, {7, 64, 16}, {9, 40, 17},
                                     {20, 530, 1}, {18, 70, 33}, {64, 64, 1}};
constexpr float kCanary = -777.0F;
// fp32 sums of up to 530 terms of size about 1; bf16 results carry 8 bits: half an ulp is up to 2^-8.
constexpr double kFp32Tolerance = 2e-5;
constexpr double kBf16Tolerance = 4e-3;

/// Operands of one type, with the same values as fp32 for the reference.
template <class T>
struct Operands {
    std::vector<T> stored;
    std::vector<float> values;
};
template <class T>
Operands<T> operands(std::int64_t count, std::uint32_t seed) {
    const auto values = randomFloats(count, seed);
    if constexpr (std::is_same_v<T, float>)
        return {values, values};
    else
        return {test::toBf16(values), test::fromBf16(test::toBf16(values))};
}
template <class T>
double valueOf(T stored) {
    if constexpr (std::is_same_v<T, float>)
        return static_cast<double>(stored);
    else
        return static_cast<double>(floatFromBf16(stored));
}
template <class T>
T canary() {
    return static_cast<T>(std::is_same_v<T, float> ? kCanary : 0xABCD);
}

template <class T>
class Head : public testing::Test {};
using Types = testing::Types<float, Bf16>;
TYPED_TEST_SUITE(Head, Types);

template <class T>
void checkShape(const HeadShape& shape) {
    SCOPED_TRACE(testing::Message() << shape.rows << " x " << shape.dim << " x " << shape.outputs);
    constexpr int kType = std::is_same_v<T, float> ? 0 : 1;
    constexpr double kTolerance = kType == 0 ? kFp32Tolerance : kBf16Tolerance;
    const auto [rows, dim, outputs] = shape;
    const auto h = operands<T>(rows * dim, 1);
    const auto w = operands<T>(dim * outputs, 2);
    const auto dy = operands<T>(rows * outputs, 3);
    const auto old = operands<T>(dim * outputs, 4);
    const auto at = [](const std::vector<float>& m, std::int64_t i) {
        return static_cast<double>(m[static_cast<std::size_t>(i)]);
    };
    std::vector<float> firstY;
    std::vector<T> firstDw, firstG;

    for (const Kernels* kernels : availableKernels()) {
        SCOPED_TRACE(kernels->name);
        std::vector<float> y(static_cast<std::size_t>(rows * outputs) + 1, std::nanf(""));
        std::vector<T> dw(old.stored),
            g(static_cast<std::size_t>(rows * dim) + 1, static_cast<T>(std::nanf("")));
        y.back() = kCanary;
        dw.push_back(canary<T>());
        g.back() = canary<T>();
        HeadArguments head;
        head.h = h.stored.data();
        head.weight = w.stored.data();
        head.dy = dy.stored.data();
        head.y = y.data();
        head.weightGradient = dw.data();
        head.inputGradient = g.data();
        head.rows = rows;
        head.dim = dim;
        head.outputs = outputs;
        head.accumulate = true;
        head.mask = true;
        // In two pieces, as two threads do it.
        for (const auto& [begin, end] : {std::pair{std::int64_t{0}, rows / 2}, std::pair{rows / 2, rows}}) {
            kernels->headForward[kType](head, begin, end);
            kernels->headInputGradient[kType](head, begin, end);
        }
        kernels->headWeightGradient[kType](head, 0, dim / 2);
        kernels->headWeightGradient[kType](head, dim / 2, dim);

        for (std::int64_t r = 0; r < rows; ++r)
            for (std::int64_t k = 0; k < outputs; ++k) {
                double expected = 0;
                double size = 1;
                for (std::int64_t i = 0; i < dim; ++i) {
                    expected += at(h.values, r * dim + i) * at(w.values, i * outputs + k);
                    size += std::abs(at(h.values, r * dim + i) * at(w.values, i * outputs + k));
                }
                // y is fp32 for both types.
                ASSERT_NEAR(static_cast<double>(y[static_cast<std::size_t>(r * outputs + k)]), expected,
                            kFp32Tolerance * size);
            }
        for (std::int64_t i = 0; i < dim; ++i)
            for (std::int64_t k = 0; k < outputs; ++k) {
                double expected = at(old.values, i * outputs + k);
                double size = 1 + std::abs(expected);
                for (std::int64_t r = 0; r < rows; ++r) {
                    expected += at(h.values, r * dim + i) * at(dy.values, r * outputs + k);
                    size += std::abs(at(h.values, r * dim + i) * at(dy.values, r * outputs + k));
                }
                ASSERT_NEAR(valueOf<T>(dw[static_cast<std::size_t>(i * outputs + k)]), expected,
                            kTolerance * size);
            }
        for (std::int64_t r = 0; r < rows; ++r)
            for (std::int64_t i = 0; i < dim; ++i) {
                double expected = 0;
                double size = 1;
                for (std::int64_t k = 0; k < outputs; ++k) {
                    expected += at(dy.values, r * outputs + k) * at(w.values, i * outputs + k);
                    size += std::abs(at(dy.values, r * outputs + k) * at(w.values, i * outputs + k));
                }
                if (at(h.values, r * dim + i) <= 0) expected = 0;
                ASSERT_NEAR(valueOf<T>(g[static_cast<std::size_t>(r * dim + i)]), expected,
                            kTolerance * size);
            }
        EXPECT_EQ(y.back(), kCanary);
        EXPECT_EQ(dw.back(), canary<T>());
        EXPECT_EQ(g.back(), canary<T>());

        if (firstY.empty()) {
            firstY = y;
            firstDw = dw;
            firstG = g;
        }
        EXPECT_EQ(y, firstY) << "differs from the baseline";
        EXPECT_EQ(dw, firstDw) << "differs from the baseline";
        EXPECT_EQ(g, firstG) << "differs from the baseline";
    }
}

TYPED_TEST(Head, MatchesADoubleLoopAtEveryInstructionSet) {
    for (const HeadShape& shape : kShapes) checkShape<TypeParam>(shape);
}

TYPED_TEST(Head, OverwritesWhatIsThereWhenItDoesNotAccumulate) {
    constexpr int kType = std::is_same_v<TypeParam, float> ? 0 : 1;
    const auto h = operands<TypeParam>(3 * 5, 1);
    const auto dy = operands<TypeParam>(3 * 2, 2);
    for (const Kernels* kernels : availableKernels()) {
        std::vector<TypeParam> dw(10, kType == 0 ? static_cast<TypeParam>(std::nanf("")) : TypeParam(0x7FFF));
        HeadArguments head;
        head.h = h.stored.data();
        head.dy = dy.stored.data();
        head.weightGradient = dw.data();
        head.rows = 3;
        head.dim = 5;
        head.outputs = 2;
        kernels->headWeightGradient[kType](head, 0, 5);
        for (const TypeParam value : dw) EXPECT_TRUE(std::isfinite(valueOf<TypeParam>(value)));
    }
}

}  // namespace
}  // namespace plumb::cpu
