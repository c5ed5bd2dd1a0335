// SPDX-License-Identifier: Apache-2.0
// The update rules as kernels: what they owe each other and their callers. That they are torch.optim's is
// checked in tests/core/train/optimizer_trajectories_test.cpp.
#include "tests/kernels/samples.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace plumb::cpu {
namespace {

using test::availableKernels;
using test::randomFloats;

constexpr std::int64_t kCount = 2 * kRuleBlock + 37;  // whole blocks, whole vectors and a rest
constexpr std::array kAllRules{
    Rule::Sgd,     Rule::Momentum,        Rule::Nesterov,        Rule::Adagrad,
    Rule::RmsProp, Rule::RmsPropMomentum, Rule::RmsPropCentered, Rule::RmsPropCenteredMomentum,
    Rule::Adam,    Rule::AdamAmsgrad,     Rule::AdamW,           Rule::AdamWAmsgrad,
    Rule::Lion};
static_assert(kAllRules.size() == kRules);

RuleConstants constants() {
    return RuleConstants{.rate = 0.05F,
                         .decay = 0.1F,
                         .keep = 0.995F,
                         .momentum = 0.9F,
                         .gradientShare = 0.7F,
                         .lookAhead = 0.9F,
                         .beta1 = 0.9F,
                         .beta1Rest = 0.01F,
                         .beta2 = 0.99F,
                         .beta2Rest = 0.01F,
                         .secondCorrection = 1.5F,
                         .epsilon = 1e-3F};
}

/// Parameters with all the states that a rule may have, and what a run saw of them.
struct Parameters {
    explicit Parameters(std::int64_t count) : p(randomFloats(count, 1)), g(randomFloats(count, 2)) {
        for (auto& state : states) state.assign(p.size(), 0.0F);
        for (float& value : states[0]) value = 0.5F;
        for (float& value : states[1]) value = 0.25F;
    }
    void run(const Kernels& kernels, Rule rule, std::int64_t begin, std::int64_t count, float factor = 1) {
        const RuleConstants c = constants();
        RuleArguments arguments;
        arguments.parameter = p.data() + begin;
        arguments.gradient = g.data() + begin;
        for (std::size_t i = 0; i < 3; ++i) arguments.states[i] = states[i].data() + begin;
        arguments.count = count;
        arguments.gradientFactor = factor;
        arguments.constants = &c;
        arguments.squares = &squares;
        kernels.optimizer.rules[static_cast<std::size_t>(rule)](arguments);
    }
    std::vector<float> p, g, states[3];
    StepSquares squares;
};

bool sameBits(const std::vector<float>& a, const std::vector<float>& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

void expectSame(const Parameters& a, const Parameters& b) {
    EXPECT_TRUE(sameBits(a.p, b.p));
    for (std::size_t i = 0; i < 3; ++i) EXPECT_TRUE(sameBits(a.states[i], b.states[i])) << "state " << i;
    EXPECT_EQ(a.squares.gradient, b.squares.gradient);
    EXPECT_EQ(a.squares.update, b.squares.update);
    EXPECT_EQ(a.squares.parameter, b.squares.parameter);
}

class OptimizerRule : public testing::TestWithParam<Rule> {};
INSTANTIATE_TEST_SUITE_P(Cpu, OptimizerRule, testing::ValuesIn(kAllRules));

TEST_P(OptimizerRule, GivesTheSameBitsAtEveryInstructionSet) {
    Parameters first(kCount);
    for (int step = 0; step < 3; ++step) first.run(*availableKernels().front(), GetParam(), 0, kCount);
    for (const Kernels* kernels : availableKernels()) {
        SCOPED_TRACE(kernels->name);
        Parameters parameters(kCount);
        for (int step = 0; step < 3; ++step) parameters.run(*kernels, GetParam(), 0, kCount);
        expectSame(parameters, first);
    }
}

TEST_P(OptimizerRule, MayBeCutAtMultiplesOfABlock) {
    for (const Kernels* kernels : availableKernels()) {
        Parameters whole(kCount), cut(kCount);
        whole.run(*kernels, GetParam(), 0, kCount);
        for (std::int64_t begin = 0; begin < kCount; begin += kRuleBlock)
            cut.run(*kernels, GetParam(), begin, std::min(kRuleBlock, kCount - begin));
        expectSame(cut, whole);
    }
}

TEST_P(OptimizerRule, TreatsAnElementTheSameWhereverItLies) {
    for (const Kernels* kernels : availableKernels()) {
        Parameters whole(kCount), single(kCount);
        whole.run(*kernels, GetParam(), 0, kCount);
        for (std::int64_t i = 0; i < kCount; ++i) single.run(*kernels, GetParam(), i, 1);
        EXPECT_TRUE(sameBits(single.p, whole.p));
        for (std::size_t i = 0; i < 3; ++i) EXPECT_TRUE(sameBits(single.states[i], whole.states[i]));
    }
}

TEST_P(OptimizerRule, TouchesNothingBeyondItsRun) {
    for (const Kernels* kernels : availableKernels())
        for (const std::int64_t count : {1, 15, 16, 17, 40}) {
            Parameters parameters(64);
            const Parameters before = parameters;
            parameters.run(*kernels, GetParam(), 3, count);
            for (std::size_t i = 0; i < 64; ++i) {
                const auto at = static_cast<std::int64_t>(i);
                if (at >= 3 && at < 3 + count) continue;
                EXPECT_EQ(parameters.p[i], before.p[i]);
                for (std::size_t state = 0; state < 3; ++state)
                    EXPECT_EQ(parameters.states[state][i], before.states[state][i]);
            }
        }
}

TEST_P(OptimizerRule, AddsUpTheSquaresOfWhatItSaw) {
    for (const Kernels* kernels : availableKernels()) {
        Parameters parameters(kCount);
        const std::vector<float> before = parameters.p;
        parameters.run(*kernels, GetParam(), 0, kCount, 0.25F);
        StepSquares expected;
        for (std::size_t i = 0; i < before.size(); ++i) {
            const double g = static_cast<double>(parameters.g[i]) * 0.25;
            const double change = static_cast<double>(parameters.p[i]) - static_cast<double>(before[i]);
            expected.add(
                {g * g, change * change, static_cast<double>(before[i]) * static_cast<double>(before[i])});
        }
        EXPECT_NEAR(parameters.squares.gradient, expected.gradient, 1e-6 * expected.gradient);
        EXPECT_NEAR(parameters.squares.update, expected.update,
                    1e-4 * expected.update);  // of rounded changes
        EXPECT_NEAR(parameters.squares.parameter, expected.parameter, 1e-6 * expected.parameter);
    }
}

TEST_P(OptimizerRule, MultipliesTheGradientByItsFactor) {
    for (const Kernels* kernels : availableKernels()) {
        Parameters factored(kCount), scaled(kCount);
        factored.run(*kernels, GetParam(), 0, kCount, 0.125F);
        for (float& g : scaled.g) g *= 0.125F;
        scaled.run(*kernels, GetParam(), 0, kCount);
        scaled.g = factored.g;
        expectSame(factored, scaled);
    }
}

TEST_P(OptimizerRule, ShowsAGradientThatIsNotANumber) {
    if (GetParam() == Rule::Lion) GTEST_SKIP() << "the sign of what is not a number is 0, as in torch.sign";
    for (const Kernels* kernels : availableKernels()) {
        Parameters parameters(40);
        parameters.g[5] = std::nanf("");
        parameters.run(*kernels, GetParam(), 0, 40);
        EXPECT_TRUE(std::isnan(parameters.p[5]));
        EXPECT_TRUE(std::isnan(parameters.squares.gradient));
        EXPECT_FALSE(std::isnan(parameters.p[4]));
    }
}

TEST(OptimizerKernels, TakeDenormalMomentsForZeroAndLeaveArithmeticElsewhereAlone) {
    for (const Kernels* kernels : availableKernels()) {
        SCOPED_TRACE(kernels->name);
        Parameters parameters(kCount);
        std::fill(parameters.g.begin(), parameters.g.end(), 0.0F);
        for (std::size_t state = 0; state < 2; ++state)
            std::fill(parameters.states[state].begin(), parameters.states[state].end(), 1e-39F);
        parameters.run(*kernels, Rule::AdamW, 0, kCount);
        for (const float moment : parameters.states[0]) EXPECT_EQ(moment, 0.0F);
        for (const float moment : parameters.states[1]) EXPECT_EQ(moment, 0.0F);
        volatile float smallest = 1e-40F;
        EXPECT_GT(smallest * 0.5F, 0.0F) << "denormal numbers are lost outside of the optimizer";
    }
}

TEST(OptimizerKernels, AddTheSquaresOfGradientsInAFixedOrder) {
    const std::vector<float> values = randomFloats(kCount, 3);
    double expected = 0;
    for (const float value : values) expected += static_cast<double>(value) * static_cast<double>(value);
    const double first = availableKernels().front()->optimizer.squares(values.data(), kCount);
    EXPECT_NEAR(first, expected, 1e-6 * expected);
    for (const Kernels* kernels : availableKernels())
        EXPECT_EQ(kernels->optimizer.squares(values.data(), kCount), first) << kernels->name;
}

// The passes of Adafactor on blocks of odd shapes: sums against double precision, and the same bits
// everywhere.
TEST(AdafactorKernels, AddUpRowsColumnsAndUpdatesAtEveryShape) {
    constexpr float kFactor = 0.5F;
    for (const std::int64_t columns : {1, 5, 16, 35, 200})
        for (const std::int64_t rows : {1, 3, 16}) {
            const auto count = static_cast<std::size_t>(rows * columns);
            const auto gradient = randomFloats(rows * columns, 4);
            const auto start = randomFloats(rows * columns, 5);
            std::vector<float> rowFactor(static_cast<std::size_t>(rows), 0.5F);
            std::vector<float> columnFactor(static_cast<std::size_t>(columns), 2.0F);
            rowFactor[0] = 8.0F;  // times 2: beyond the bound
            std::vector<double> firstRows, firstColumns;
            std::vector<float> firstParameters;
            for (const Kernels* kernels : availableKernels()) {
                std::vector<float> parameter = start;
                std::vector<double> rowSums(static_cast<std::size_t>(rows)),
                    columnSums(static_cast<std::size_t>(columns));
                StepSquares squares;
                AdafactorArguments block;
                block.parameter = parameter.data();
                block.gradient = gradient.data();
                block.rows = rows;
                block.columns = columns;
                block.stride = columns;
                block.gradientFactor = kFactor;
                block.rowFactor = rowFactor.data();
                block.columnFactor = columnFactor.data();
                block.largestFactor = 10.0F;
                block.rate = 0.01F;
                block.keep = 0.9F;
                block.squares = &squares;
                block.sums = rowSums.data();
                kernels->optimizer.adafactorRows(block);
                block.sums = columnSums.data();
                kernels->optimizer.adafactorColumns(block);
                double norm = 0;
                block.sums = &norm;
                kernels->optimizer.adafactorNorm(block);
                kernels->optimizer.adafactorUpdate(block);

                std::vector<double> expectedRows(rowSums.size()), expectedColumns(columnSums.size());
                double expectedNorm = 0;
                for (std::size_t i = 0; i < count; ++i) {
                    const std::size_t row = i / static_cast<std::size_t>(columns);
                    const double g = static_cast<double>(gradient[i] * kFactor);
                    expectedRows[row] += g * g;
                    expectedColumns[i % static_cast<std::size_t>(columns)] += g * g;
                    const double step = g * std::min(10.0, static_cast<double>(rowFactor[row]) * 2);
                    expectedNorm += step * step;
                    EXPECT_NEAR(static_cast<double>(parameter[i]),
                                static_cast<double>(start[i]) * 0.9 - 0.01 * step,
                                1e-6 * (1 + std::abs(step)));
                }
                for (std::size_t i = 0; i < rowSums.size(); ++i)
                    EXPECT_NEAR(rowSums[i], expectedRows[i], 1e-6 * expectedRows[i]);
                for (std::size_t i = 0; i < columnSums.size(); ++i)
                    EXPECT_NEAR(columnSums[i], expectedColumns[i], 1e-6 * expectedColumns[i]);
                EXPECT_NEAR(norm, expectedNorm, 1e-6 * expectedNorm);
                if (firstRows.empty()) {
                    firstRows = rowSums;
                    firstColumns = columnSums;
                    firstParameters = parameter;
                }
                EXPECT_EQ(rowSums, firstRows) << kernels->name;
                EXPECT_EQ(columnSums, firstColumns) << kernels->name;
                EXPECT_TRUE(sameBits(parameter, firstParameters)) << kernels->name;
            }
        }
}

}  // namespace
}  // namespace plumb::cpu
