// SPDX-License-Identifier: Apache-2.0
// The head's three products against a double loop in double precision, and bit for bit between instruction
// sets.
#include "tests/kernels/samples.h"
#include "tests/kernels/stored.h"

#include <gtest/gtest.h>

#include <cmath>

namespace plumb::cpu {
namespace {

using test::availableKernels;
using test::randomFloats;
using test::Stored;

struct HeadShape {
    std::int64_t rows, dim, outputs;
};
// Odd sizes, sizes around the tiles (256 columns, 16 outputs, 16 and 4 rows), and each of 1..7 outputs.
const std::vector<HeadShape> kShapes{{1, 1, 1},    {3, 5, 1},    {4, 16, 2},   {5, 17, 3},  {16, 255, 4},
                                     {17, 256, 5}, {2, 257, 6},  {33, 300, 7}, {7, 64, 16}, {9, 40, 17},
                                     {20, 530, 1}, {18, 70, 33}, {64, 64, 1}};
constexpr float kHeadCanary = -777.0F;
constexpr double kFp32Tolerance = 2e-5;  // fp32 sums of up to 530 terms of size about 1

/// How the operands and the results of a recipe are stored.
struct HeadRecipe {
    const char* name;
    Storage h, dy, weightGradient;
    bool fp32Gradient;
    double tolerance;  ///< half an ulp of what is stored, of g; of dW the smaller
    double weightTolerance;
};
const HeadRecipe kRecipes[] = {
    {"fp32", Storage::Fp32, Storage::Fp32, Storage::Fp32, false, kFp32Tolerance, kFp32Tolerance},
    {"tf32", Storage::Tf32, Storage::Tf32, Storage::Fp32, false, kFp32Tolerance, kFp32Tolerance},
    {"bf16", Storage::Bf16, Storage::Bf16, Storage::Bf16, false, 4e-3, 4e-3},
    {"bf16_fp32", Storage::Bf16, Storage::Bf16, Storage::Fp32, true, 4e-3, kFp32Tolerance},
    {"fp16", Storage::Fp16, Storage::Fp16, Storage::Fp16, false, 5e-4, 5e-4},
    {"fp16_fp32", Storage::Fp16, Storage::Fp16, Storage::Fp32, true, 5e-4, kFp32Tolerance},
    {"fp8", Storage::Fp8E4M3, Storage::Fp8E5M2, Storage::Bf16, false, 0.13, 4e-3},
    {"fp8_fp32", Storage::Fp8E4M3, Storage::Fp8E5M2, Storage::Fp32, true, 0.13, kFp32Tolerance},
};
Storage writtenAs(Storage storage) { return storage == Storage::Tf32 ? Storage::Fp32 : storage; }

class Head : public testing::TestWithParam<HeadRecipe> {};
INSTANTIATE_TEST_SUITE_P(Recipes, Head, testing::ValuesIn(kRecipes),
                         [](const auto& parameter) { return std::string(parameter.param.name); });

void checkShape(const HeadRecipe& recipe, const HeadShape& shape) {
    SCOPED_TRACE(testing::Message() << shape.rows << " x " << shape.dim << " x " << shape.outputs);
    const auto type = static_cast<std::size_t>(recipe.h);
    const auto [rows, dim, outputs] = shape;
    // fp8 carries scales: the stored numbers mean half of what they say, and g is stored eightfold.
    const bool scaled = test::isFp8(recipe.h);
    const double factor = scaled ? 0.25 : 1;
    const double resultFactor = scaled ? 8 : 1;
    Stored h(recipe.h, randomFloats(rows * dim, 1));
    Stored w(recipe.h, randomFloats(dim * outputs, 2));
    Stored dy(recipe.dy, randomFloats(rows * outputs, 3));
    const Stored old(recipe.weightGradient, randomFloats(dim * outputs, 4));
    const auto at = [](const Stored& m, std::int64_t i) {
        return static_cast<double>(m.value(static_cast<std::size_t>(i)));
    };
    /// A sum of products with the sum of their sizes, which its rounding is a share of.
    struct Sum {
        double value = 0;
        double size = 1;
    };
    const auto sumOf = [&](std::int64_t count, double first, const auto& productAt) {
        Sum sum{first, 1 + std::abs(first)};
        for (std::int64_t i = 0; i < count; ++i) {
            const double term = factor * productAt(i);
            sum.value += term;
            sum.size += std::abs(term);
        }
        return sum;
    };
    std::vector<float> firstY;
    std::vector<unsigned char> firstDw, firstG;
    Tally firstTally;

    for (const Kernels* kernels : availableKernels()) {
        SCOPED_TRACE(kernels->name);
        std::vector<float> y(static_cast<std::size_t>(rows * outputs) + 1, std::nanf(""));
        y.back() = kHeadCanary;
        Stored dw = old;
        Stored g(writtenAs(recipe.dy), rows * dim);
        Tally tally;
        HeadArguments head;
        head.h = h.data();
        head.weight = w.data();
        head.dy = dy.data();
        head.y = y.data();
        head.weightGradient = dw.data();
        head.inputGradient = g.data();
        head.rows = rows;
        head.dim = dim;
        head.outputs = outputs;
        head.accumulate = true;
        head.mask = true;
        head.factor = static_cast<float>(factor);
        // In two pieces, as two threads do it.
        for (const auto& [begin, end] : {std::pair{std::int64_t{0}, rows / 2}, std::pair{rows / 2, rows}}) {
            head.resultFactor = 1;
            head.tally = nullptr;
            kernels->headForward[type](head, begin, end);
            head.resultFactor = static_cast<float>(resultFactor);
            head.tally = &tally;
            kernels->headInputGradient[type](head, begin, end);
        }
        head.resultFactor = 1;
        head.tally = nullptr;
        const auto weightGradient = kernels->headWeightGradient[type][recipe.fp32Gradient ? 1 : 0];
        weightGradient(head, 0, dim / 2);
        weightGradient(head, dim / 2, dim);

        for (std::int64_t r = 0; r < rows; ++r)
            for (std::int64_t k = 0; k < outputs; ++k) {
                const Sum sum = sumOf(
                    dim, 0, [&](std::int64_t i) { return at(h, r * dim + i) * at(w, i * outputs + k); });
                // y is fp32 in every recipe.
                ASSERT_NEAR(static_cast<double>(y[static_cast<std::size_t>(r * outputs + k)]), sum.value,
                            kFp32Tolerance * sum.size);
            }
        for (std::int64_t i = 0; i < dim; ++i)
            for (std::int64_t k = 0; k < outputs; ++k) {
                const Sum sum = sumOf(rows, at(old, i * outputs + k), [&](std::int64_t r) {
                    return at(h, r * dim + i) * at(dy, r * outputs + k);
                });
                ASSERT_NEAR(at(dw, i * outputs + k), sum.value, recipe.weightTolerance * sum.size);
            }
        double squares = 0;
        for (std::int64_t r = 0; r < rows; ++r)
            for (std::int64_t i = 0; i < dim; ++i) {
                const Sum sum = sumOf(outputs, 0, [&](std::int64_t k) {
                    return at(dy, r * outputs + k) * at(w, i * outputs + k);
                });
                const double expected = at(h, r * dim + i) <= 0 ? 0 : sum.value;
                squares += expected * expected;
                ASSERT_NEAR(at(g, r * dim + i) / resultFactor, expected, recipe.tolerance * sum.size);
            }
        EXPECT_NEAR(tally.squares, squares, 1e-5 * (1 + squares));
        EXPECT_EQ(y.back(), kHeadCanary);
        dw.expectCanary();
        g.expectCanary();

        if (firstY.empty()) {
            firstY = y;
            firstDw = dw.bytes();
            firstG = g.bytes();
            firstTally = tally;
        }
        EXPECT_EQ(y, firstY) << "differs from the baseline";
        EXPECT_EQ(dw.bytes(), firstDw) << "differs from the baseline";
        EXPECT_EQ(g.bytes(), firstG) << "differs from the baseline";
        EXPECT_EQ(tally.squares, firstTally.squares) << "differs from the baseline";
    }
}

TEST_P(Head, MatchesADoubleLoopAtEveryInstructionSet) {
    for (const HeadShape& shape : kShapes) checkShape(GetParam(), shape);
}

TEST_P(Head, OverwritesWhatIsThereWhenItDoesNotAccumulate) {
    const HeadRecipe& recipe = GetParam();
    Stored h(recipe.h, randomFloats(3 * 5, 1));
    Stored dy(recipe.dy, randomFloats(3 * 2, 2));
    for (const Kernels* kernels : availableKernels()) {
        Stored dw(recipe.weightGradient, std::vector<float>(10, std::nanf("")));
        HeadArguments head{
            .h = h.data(), .dy = dy.data(), .weightGradient = dw.data(), .rows = 3, .dim = 5, .outputs = 2};
        kernels->headWeightGradient[static_cast<std::size_t>(recipe.h)][recipe.fp32Gradient ? 1 : 0](head, 0,
                                                                                                     5);
        for (std::size_t i = 0; i < 10; ++i) EXPECT_TRUE(std::isfinite(dw.value(i)));
    }
}

TEST_P(Head, TalliesWithoutWritingAsItDoesWithWriting) {
    const HeadRecipe& recipe = GetParam();
    const HeadShape shape{20, 300, 3};
    Stored h(recipe.h, randomFloats(shape.rows * shape.dim, 1));
    Stored w(recipe.h, randomFloats(shape.dim * shape.outputs, 2));
    Stored dy(recipe.dy, randomFloats(shape.rows * shape.outputs, 3));
    for (const Kernels* kernels : availableKernels()) {
        Stored g(writtenAs(recipe.dy), shape.rows * shape.dim);
        Tally written, only;
        HeadArguments head;
        head.h = h.data();
        head.weight = w.data();
        head.dy = dy.data();
        head.rows = shape.rows;
        head.dim = shape.dim;
        head.outputs = shape.outputs;
        head.mask = true;
        head.tally = &only;
        const auto run = kernels->headInputGradient[static_cast<std::size_t>(recipe.h)];
        run(head, 0, shape.rows);
        head.inputGradient = g.data();
        head.tally = &written;
        run(head, 0, shape.rows);
        EXPECT_EQ(only.squares, written.squares);
        EXPECT_EQ(only.amax, written.amax);
        EXPECT_GT(only.amax, 0);
    }
}

}  // namespace
}  // namespace plumb::cpu
