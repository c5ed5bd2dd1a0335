// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/expression_run.h"

#include "core/machine/local_cpu.h"
#include "kernels/cpu/gemm.h"
#include "kernels/cpu/kernels.h"
#include "kernels/cpu/lab_kernels.h"
#include "tests/support/loop_nest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace plumb::cpu {
namespace {

using lab::EinsumExpression;
using testing::HasSubstr;
using testing::StartsWith;
using Tensor = std::vector<double>;

EinsumExpression expressionOf(std::string_view text, const DimensionSizes& sizes = {}) {
    auto expression = EinsumExpression::parse(text, sizes);
    EXPECT_TRUE(expression.has_value()) << text;
    return *expression;
}

DimensionSizes sizesOf(const EinsumExpression& expression) {
    DimensionSizes sizes;
    std::int64_t size = 3;
    for (const std::string& name : expression.dimensions()) sizes[name] = size++ % 5 + 2;
    return sizes;
}

/// Exact in bf16; none of them 0, so that a product says something.
Tensor samplesOf(std::int64_t count, std::int64_t seed) {
    Tensor numbers;
    for (std::int64_t i = 0; i < count; ++i) {
        const auto step = static_cast<double>((i * 31 + seed * 17) % 13 - 6);
        numbers.push_back(step == 0 ? 0.75 : step / 4);
    }
    return numbers;
}

/// The expression by its definition.
Tensor byDefinition(const EinsumExpression& expression, const DimensionSizes& given,
                    const std::vector<Tensor>& operands) {
    const DimensionSizes sizes = expression.complete(given);
    std::vector<std::string> names = expression.resultLoops;
    for (const auto& operand : expression.operandLoops)
        for (const std::string& name : operand)
            if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    std::int64_t points = 1, outputs = 1;
    for (const std::string& name : names) points *= sizes.find(name)->second;
    for (const std::string& name : expression.resultLoops) outputs *= sizes.find(name)->second;
    const std::string& how = expression.function;
    const double start = how == "prod"  ? 1
                         : how == "max" ? -std::numeric_limits<double>::infinity()
                         : how == "min" ? std::numeric_limits<double>::infinity()
                                        : 0;
    Tensor result(static_cast<std::size_t>(outputs), start);
    test::forEachPoint(names, sizes, [&](const auto& at) {
        double value = 1;
        for (std::size_t i = 0; i < operands.size(); ++i)
            value *= operands[i][at(expression.operandLoops[i])];
        double& to = result[at(expression.resultLoops)];
        to = how == "prod"  ? to * value
             : how == "max" ? std::max(to, value)
             : how == "min" ? std::min(to, value)
                            : to + value;
    });
    if (how == "mean")
        for (double& value : result) value *= static_cast<double>(outputs) / static_cast<double>(points);
    return result;
}

/// What it makes of `operands`, in `dtype`.
Tensor run(const EinsumExpression& expression, const DimensionSizes& sizes,
           const std::vector<Tensor>& operands, Dtype dtype, int threads = 1) {
    auto work = ExpressionRun::create(expression, sizes, dtype, threads);
    EXPECT_TRUE(work.has_value()) << expression.text() << ": " << work.error().text();
    if (!work.has_value()) return {};
    const bool bf16 = dtype == Dtype::Bf16;
    std::vector<std::vector<float>> wide;
    std::vector<std::vector<std::uint16_t>> narrow;
    std::vector<const void*> places;
    for (const Tensor& operand : operands) {
        wide.emplace_back(operand.begin(), operand.end());
        narrow.emplace_back();
        for (const double value : operand) narrow.back().push_back(bf16FromFloat(static_cast<float>(value)));
    }
    for (std::size_t i = 0; i < operands.size(); ++i)
        places.push_back(bf16 ? static_cast<const void*>(narrow[i].data()) : wide[i].data());
    const auto count = static_cast<std::size_t>(work->resultElements());
    std::vector<float> result(count, std::nanf(""));
    std::vector<std::uint16_t> result16(count, 0x7fc0);
    for (int again = 0; again < 2; ++again)  // what is on the way is used again
        EXPECT_TRUE(
            work->run(places, bf16 ? static_cast<void*>(result16.data()) : result.data()).has_value());
    if (bf16)
        for (std::size_t i = 0; i < count; ++i) result[i] = floatFromBf16(result16[i]);
    return {result.begin(), result.end()};
}

std::vector<Tensor> operandsOf(const EinsumExpression& expression, const DimensionSizes& given) {
    const DimensionSizes sizes = expression.complete(given);
    std::vector<Tensor> operands;
    for (const auto& names : expression.operandLoops) {
        std::int64_t count = 1;
        for (const std::string& name : names) count *= sizes.find(name)->second;
        operands.push_back(samplesOf(count, static_cast<std::int64_t>(operands.size()) + 1));
    }
    return operands;
}

void expectNear(const Tensor& given, const Tensor& expected, double relative, const std::string& what) {
    ASSERT_EQ(given.size(), expected.size()) << what;
    for (std::size_t i = 0; i < given.size(); ++i)
        EXPECT_NEAR(given[i], expected[i], relative * (std::abs(expected[i]) + 1)) << what << ' ' << i;
}

constexpr const char* kExpressions[] = {
    "batch in, in out -> batch out",
    "b a, c b -> a c",
    "a b -> b a",
    "b (h w) c -> b c h w",
    "a b c -> b",
    "mean: a b c -> b",
    "max: a b c -> a c",
    "min: a b -> ",
    "prod: a b -> b",
    "mean: b (h 2) (w 3) c -> b h w c",
    "sum: ... a -> ...",
    "repeat: h w -> w 3 h c",
    "i i ->",
    "i i -> i",
    "i i i j -> j i",
    "i i, i j -> j",
    "i i, j j -> i j",
    "a b, b c, c d -> a d",
    "a, b, c -> c a b",
    "i i, i j, j j k -> k",
    "a b, a b, a b -> a b",
    "b q d, b k d, b k e, e f -> b q f",
    "a b, c d, d e ->",
};

TEST(ExpressionRun, GivesWhatItsDefinitionGivesInBothDtypes) {
    for (const char* text : kExpressions) {
        const EinsumExpression expression = expressionOf(text);
        const DimensionSizes sizes = sizesOf(expression);
        const std::vector<Tensor> operands = operandsOf(expression, sizes);
        const Tensor expected = byDefinition(expression, sizes, operands);
        expectNear(run(expression, sizes, operands, Dtype::Fp32), expected, 1e-5, text);
        // A tensor on the way is rounded as well, and some of its numbers cancel.
        double size = 1;
        for (const double value : expected) size = std::max(size, std::abs(value));
        const Tensor rounded = run(expression, sizes, operands, Dtype::Bf16);
        ASSERT_EQ(rounded.size(), expected.size()) << text;
        for (std::size_t i = 0; i < rounded.size(); ++i)
            EXPECT_NEAR(rounded[i], expected[i],
                        std::abs(expected[i]) / 128 + (operands.size() > 2 ? size / 32 : 0))
                << text << ' ' << i;
    }
}

// Sizes beyond a block, a square or a part of the loops, and not a multiple of any.
void expectDefinitionsAtSizesThatFillNoBlock() {
    const std::vector<std::pair<const char*, DimensionSizes>> cases{
        {"i ->", {{"i", 140'001}}},
        {"max: i ->", {{"i", 140'001}}},
        {"i, i ->", {{"i", 140'001}}},
        {"a b -> b", {{"a", 13}, {"b", 5003}}},
        {"min: a b -> b", {{"a", 13}, {"b", 5003}}},
        {"mean: a b c -> a c", {{"a", 3}, {"b", 7}, {"c", 4101}}},
        {"k, k j -> j", {{"k", 9}, {"j", 4200}}},
        {"j k, k -> j", {{"k", 1201}, {"j", 19}}},
        {"j k, j k -> j", {{"k", 1201}, {"j", 19}}},
        {"a b -> b a", {{"a", 67}, {"b", 133}}},
        {"a b c -> c b a", {{"a", 66}, {"b", 3}, {"c", 81}}},
        {"a b c -> b a c", {{"a", 17}, {"b", 19}, {"c", 71}}},
        {"a b, b -> a b", {{"a", 21}, {"b", 601}}},
        {"a b, a -> a b", {{"a", 21}, {"b", 601}}},
        {"a, b -> a b", {{"a", 21}, {"b", 601}}},
        {"a b -> b", {{"a", 1801}, {"b", 101}}},
        {"max: a b -> b", {{"a", 1801}, {"b", 101}}},
        {"prod: a b -> b", {{"a", 1801}, {"b", 101}}},
        {"mean: a b c -> c", {{"a", 19}, {"b", 97}, {"c", 101}}},
        {"a, a b -> b", {{"a", 1801}, {"b", 101}}},
        {"repeat: a -> a k", {{"a", 70'001}, {"k", 3}}},
        {"repeat: a b -> a b k", {{"a", 67}, {"b", 301}, {"k", 17}}},
        {"repeat: a b -> b a k", {{"a", 67}, {"b", 907}, {"k", 5}}},
        {"b q h d, b k h d -> b h q k", {{"b", 2}, {"q", 33}, {"k", 35}, {"h", 3}, {"d", 37}}},
        {"k i, j k -> i j", {{"i", 33}, {"k", 35}, {"j", 41}}},
        {"b i k, b k j -> b i j", {{"b", 13}, {"i", 17}, {"k", 19}, {"j", 23}}},
    };
    for (const auto& [text, sizes] : cases) {
        const EinsumExpression expression = expressionOf(text);
        const std::vector<Tensor> operands = operandsOf(expression, sizes);
        const Tensor expected = byDefinition(expression, sizes, operands);
        for (const int threads : {1, 3}) {
            expectNear(run(expression, sizes, operands, Dtype::Fp32, threads), expected, 1e-5, text);
            expectNear(run(expression, sizes, operands, Dtype::Bf16, threads), expected, 1.0 / 128, text);
        }
    }
}

TEST(ExpressionRun, GivesWhatItsDefinitionGivesAtSizesThatFillNoBlock) {
    expectDefinitionsAtSizesThatFillNoBlock();
}

TEST(ExpressionRun, SaysWhatKeepsItFromTheSpeedOfTheMemory) {
    const auto said = [](const char* text, std::int64_t size) {
        return ExpressionRun::create(expressionOf(text), {{"a", size}, {"b", size}}, Dtype::Fp32, 1)
            ->implementation();
    };
    EXPECT_THAT(said("a b -> b a", 4096), HasSubstr("short runs of memory far apart"));
    EXPECT_EQ(said("a b -> b a", 64), "plain loops");
    EXPECT_EQ(said("a b -> b", 4096), "plain loops");
    EXPECT_EQ(said("a b -> a", 32), "plain loops, limited by lines of only 32 numbers");
    EXPECT_EQ(said("a b -> a", 64), "plain loops");
    EXPECT_EQ(said("a b -> b", 32), "plain loops, limited by lines of only 32 numbers");
    EXPECT_EQ(said("a b, a -> a b", 32), "plain loops, limited by lines of only 32 numbers");
    EXPECT_EQ(said("a, a ->", 32), "plain loops");
    const auto cube = [](const char* text, std::int64_t size, int threads) {
        return ExpressionRun::create(expressionOf(text), {{"a", size}, {"b", size}, {"c", size}}, Dtype::Bf16,
                                     threads)
            ->implementation();
    };
    EXPECT_THAT(cube("a b c -> c b a", 32, 1), HasSubstr("short runs of memory far apart"));
    EXPECT_THAT(cube("a b c, a b c -> b", 256, 1), HasSubstr("short runs of memory far apart"));
    EXPECT_EQ(cube("a b c, a b c -> b", 100, 2), "plain loops, 2 threads");
    EXPECT_THAT(cube("b c, c ->", 64, 2), HasSubstr("fewer threads than there are"));
    EXPECT_EQ(cube("b c, c ->", 1024, 2), "plain loops, 2 threads");
    EXPECT_THAT(cube("b c, a b -> c", 128, 1), HasSubstr("it is no product of matrices"));
    EXPECT_THAT(cube("a b c, c -> a b", 2, 1), HasSubstr("lines of only 2 numbers"));
    const auto flat = [](const char* text) {
        return ExpressionRun::create(expressionOf(text), {{"a", 1}, {"b", 64}, {"c", 64}}, Dtype::Fp32, 1)
            ->implementation();
    };
    for (const char* text : {"b a c -> b c", "b c a, b a c -> b", "b c a -> a c b", "a b c -> c"})
        EXPECT_EQ(flat(text), "plain loops") << text;
    EXPECT_EQ(flat("a b c, c b a -> a"), flat("b c, c b ->"));
    EXPECT_EQ(said("relu: a b", 4096), "plain loops");
    EXPECT_THAT(said("softmax: a b", 4096), HasSubstr("passes over each row"));
    const auto onTwo = [](const char* text, Dtype dtype) {
        return ExpressionRun::create(expressionOf(text), {{"a", 1 << 20}}, dtype, 2)->implementation();
    };
    EXPECT_EQ(onTwo("softmax: a", Dtype::Fp32), "plain loops, limited by the thread that takes a row");
    EXPECT_THAT(onTwo("gelu: a", Dtype::Bf16), HasSubstr("arithmetic"));
    EXPECT_EQ(onTwo("gelu: a", Dtype::Fp32), "plain loops, 2 threads");
    const auto thin = [](std::int64_t rows) {
        return ExpressionRun::create(expressionOf("b i, i o -> b o"), {{"b", rows}, {"i", 4096}, {"o", 4096}},
                                     Dtype::Fp32, 1)
            ->implementation();
    };
    if (cpu::gemmKernels() != nullptr) {  // the library packs by rules of its own
        EXPECT_THAT(thin(64), HasSubstr("limited by packing"));
    }
    EXPECT_THAT(thin(256), testing::Not(HasSubstr("limited")));
    const auto cubed = [](std::int64_t size) {
        return ExpressionRun::create(expressionOf("k i, j k -> i j"), {{"i", size}, {"j", size}, {"k", size}},
                                     Dtype::Fp32, 1)
            ->implementation();
    };
    EXPECT_THAT(cubed(256), HasSubstr("limited by first rearranging 1 tensor"));
    EXPECT_THAT(cubed(1024), HasSubstr(", after rearranging 1 tensor"));
    const auto shared = [](std::int64_t size) {
        return ExpressionRun::create(expressionOf("i k, k j -> i j"), {{"i", size}, {"j", size}, {"k", size}},
                                     Dtype::Fp32, 2)
            ->implementation();
    };
    EXPECT_THAT(shared(64), HasSubstr("limited by fewer threads"));
    EXPECT_THAT(shared(256), testing::Not(HasSubstr("limited")));
    const auto pooling = expressionOf("mean: b (h 2) (w 2) c -> b h w c");
    const DimensionSizes picture{{"b", 16}, {"h", 64}, {"w", 64}, {"c", 64}};
    EXPECT_THAT(ExpressionRun::create(pooling, picture, Dtype::Fp32, 1)->implementation(),
                HasSubstr("short runs of memory far apart"));
    const auto diagonal = ExpressionRun::create(expressionOf("a a -> a"), {{"a", 4096}}, Dtype::Fp32, 1);
    EXPECT_THAT(diagonal->implementation(), HasSubstr("short runs of memory far apart"));
}

TEST(ExpressionRun, ElementFunctionsAreGoodAtTheEndsOfTheirRange) {
    const DimensionSizes sizes{{"n", 8}};
    const double big = 1e30;
    const Tensor x{-big, -100, -20, -1e-30, 0, 1e-30, 100, big};
    const auto near = [&](const char* text, const Tensor& expected) {
        expectNear(run(expressionOf(text), sizes, {x}, Dtype::Fp32), expected, 1e-6, text);
    };
    near("gelu: n", {0, 0, 0, 0, 0, 0, 100, big});
    near("silu: n", {0, 0, -20 / (1 + std::exp(20.0)), 0, 0, 0, 100, big});
    near("softmax: n", {0, 0, 0, 0, 0, 0, 0, 1});
}

TEST(ExpressionRun, TheThreadsThatShareItDoNotShowInTheResult) {
    const DimensionSizes sizes{{"a", 53}, {"b", 61}, {"c", 71}};
    for (const char* text : {"max: a b c -> c a", "a b c -> b c a", "mean: a b c -> b",
                             "repeat: a b -> a c b", "gelu: a b c", "softmax: a b c", "a b c ->"}) {
        const EinsumExpression expression = expressionOf(text);
        const std::vector<Tensor> operands = operandsOf(expression, sizes);
        EXPECT_EQ(run(expression, sizes, operands, Dtype::Fp32, 1),
                  run(expression, sizes, operands, Dtype::Fp32, 3))
            << text;
    }
    const auto threaded = ExpressionRun::create(expressionOf("relu: a b c"), sizes, Dtype::Fp32, 3);
    EXPECT_EQ(threaded->implementation(), "plain loops, 3 threads");
    const DimensionSizes few{{"a", 37}, {"b", 41}, {"c", 43}};
    EXPECT_THAT(ExpressionRun::create(expressionOf("a b c ->"), few, Dtype::Fp32, 3)->implementation(),
                HasSubstr("limited by fewer threads"));
}

void expectElementFunctionsOf(std::size_t width) {
    const auto size = static_cast<std::int64_t>(width);
    const DimensionSizes sizes{{"n", 4}, {"m", size}};
    const Tensor x = samplesOf(4 * size, 1), y = samplesOf(4 * size, 5);
    const auto each = [&](const auto& function) {
        Tensor result;
        for (std::size_t i = 0; i < x.size(); ++i) result.push_back(function(x[i], y[i]));
        return result;
    };
    const auto rows = [&](const auto& function) {
        Tensor result;
        for (std::size_t row = 0; row < 4; ++row) {
            const Tensor part(x.begin() + static_cast<std::ptrdiff_t>(row * width),
                              x.begin() + static_cast<std::ptrdiff_t>((row + 1) * width));
            const Tensor made = function(part);
            result.insert(result.end(), made.begin(), made.end());
        }
        return result;
    };
    const auto meanOf = [](const Tensor& values, const auto& function) {
        double total = 0;
        for (const double value : values) total += function(value);
        return total / static_cast<double>(values.size());
    };
    const auto mapped = [](Tensor values, const auto& function) {
        for (double& value : values) value = function(value);
        return values;
    };
    // Fit for roots and divisors.
    const auto positive = [](double value) { return std::fabs(value) + 0.25; };
    const std::vector<std::pair<std::string, Tensor>> cases{
        {"relu", each([](double a, double) { return std::max(a, 0.0); })},
        {"relu_backward", each([](double a, double b) { return b > 0 ? a : 0; })},
        {"gelu", each([](double a, double) {
             return 0.5 * a * (1 + std::tanh(std::sqrt(2 / M_PI) * (a + 0.044715 * a * a * a)));
         })},
        {"silu", each([](double a, double) { return a / (1 + std::exp(-a)); })},
        {"add", each([](double a, double b) { return a + b; })},
        {"multiply", each([](double a, double b) { return a * b; })},
        {"copy", x},
        {"subtract", each([](double a, double b) { return a - b; })},
        {"divide", each([&](double a, double b) { return positive(a) / positive(b); })},
        {"sqrt", each([&](double a, double) { return std::sqrt(positive(a)); })},
        {"rsqrt", each([&](double a, double) { return 1 / std::sqrt(positive(a)); })},
        {"reciprocal", each([&](double a, double) { return 1 / positive(a); })},
        {"square", each([](double a, double) { return a * a; })},
        {"abs", each([](double a, double) { return std::fabs(a); })},
        {"neg", each([](double a, double) { return -a; })},
        {"softmax", rows([&](const Tensor& row) {
             const double total =
                 meanOf(row, [](double a) { return std::exp(a); }) * static_cast<double>(row.size());
             return mapped(row, [&](double a) { return std::exp(a) / total; });
         })},
        {"layer_norm", rows([&](const Tensor& row) {
             const double mean = meanOf(row, [](double a) { return a; });
             const double variance = meanOf(row, [&](double a) { return (a - mean) * (a - mean); });
             return mapped(row, [&](double a) { return (a - mean) / std::sqrt(variance + 1e-5); });
         })},
        {"rms_norm", rows([&](const Tensor& row) {
             const double square = meanOf(row, [](double a) { return a * a; });
             return mapped(row, [&](double a) { return a / std::sqrt(square + 1e-5); });
         })},
    };
    EXPECT_EQ(cases.size(), lab::elementFunctions().size());
    for (const auto& [name, expected] : cases) {
        const bool two = lab::findElementFunction(name)->operands == 2;
        const EinsumExpression expression = expressionOf(name + (two ? ": n m, n m" : ": n m"));
        std::vector<Tensor> operands = two ? std::vector<Tensor>{x, y} : std::vector<Tensor>{x};
        if (name == "divide" || name == "sqrt" || name == "rsqrt" || name == "reciprocal")
            for (Tensor& operand : operands) operand = mapped(operand, positive);
        expectNear(run(expression, sizes, operands, Dtype::Fp32), expected, 2e-6, name);
        expectNear(run(expression, sizes, operands, Dtype::Bf16), expected, 0.01, name);
    }
}

TEST(ExpressionRun, ElementFunctionsAreWhatTheirNamesSay) {
    expectElementFunctionsOf(21);
    expectElementFunctionsOf(64);
}

TEST(ExpressionRun, GivesTheSameOnProcessorsWithLess) {
    for (const InstructionSet set : {InstructionSet::Avx2, InstructionSet::Baseline}) {
        limitInstructionSet(set);
        SCOPED_TRACE(labKernelsFor(set) == nullptr ? "not on this processor"
                     : set == InstructionSet::Avx2 ? "avx2"
                                                   : "baseline");
        EXPECT_EQ(labKernelsFor(InstructionSet::Avx512), nullptr);
        expectDefinitionsAtSizesThatFillNoBlock();
        expectElementFunctionsOf(21);
        expectElementFunctionsOf(9003);
    }
    limitInstructionSet(InstructionSet::Avx512);
}

// Longer than what is worked on at a time.
TEST(ExpressionRun, ElementFunctionsAreTheSameOverLongRows) { expectElementFunctionsOf(9003); }

TEST(ExpressionRun, SoftmaxFindsTheLargestOfALongRowWhereverItIs) {
    for (const bool rising : {true, false}) {
        Tensor x, expected;
        for (int i = 0; i < 9003; ++i) x.push_back((rising ? i : 9002 - i) / 128.0);
        // Nothing is left of a part that is masked whole.
        std::fill(x.begin() + (rising ? 0 : 4096), x.begin() + (rising ? 4100 : 9003),
                  -std::numeric_limits<double>::infinity());
        double total = 0;
        for (const double value : x) total += std::exp(value);
        for (const double value : x) expected.push_back(std::exp(value) / total);
        expectNear(run(expressionOf("softmax: n"), {{"n", 9003}}, {x}, Dtype::Fp32), expected, 1e-6,
                   "softmax");
    }
}

TEST(ExpressionRun, RefusesWithTheReasonWhatItCannotDo) {
    const EinsumExpression turned = expressionOf("a b -> b a");
    EXPECT_THAT(ExpressionRun::create(turned, {{"a", 2}, {"b", 2}}, Dtype::Fp16, 1).error().text(),
                HasSubstr("fp32 and bf16"));
    EXPECT_FALSE(ExpressionRun::create(turned, {{"a", 2}}, Dtype::Fp32, 1).has_value());
    const std::int64_t big = 1 << 20;
    EXPECT_THAT(timeExpression(turned, {{"a", big}, {"b", big}}, Dtype::Fp32, {}).error().text(),
                HasSubstr("too long to time in plain loops"));
    const EinsumExpression product = expressionOf("a b, b c -> a c");
    EXPECT_THAT(timeExpression(product, {{"a", big}, {"b", big}, {"c", big}}, Dtype::Fp32, {}).error().text(),
                HasSubstr("too long"));
    // The diagonal is small, the tensor is not.
    const auto square = timeExpression(expressionOf("i i ->"), {{"i", 2'000'000}}, Dtype::Fp32, {});
    ASSERT_FALSE(square.has_value());
    const auto huge = timeExpression(product, {{"a", 100'000'000'000}, {"b", 2}, {"c", 2}}, Dtype::Fp32, {});
    ASSERT_FALSE(huge.has_value());
    // Scratch in proportion to the result is taken when it is known to be there.
    const auto wide = timeExpression(product, {{"a", 400'000}, {"b", 2}, {"c", 400'000}}, Dtype::Bf16, {});
    ASSERT_FALSE(wide.has_value());
    if (availableMemory("/")) {
        EXPECT_EQ(square.error().code, ErrorCode::OutOfMemory);
        EXPECT_EQ(huge.error().code, ErrorCode::OutOfMemory);
    }
}

TEST(ExpressionRun, TimingRunsItAFewTimesAndStopsWhenAskedTo) {
    const DimensionSizes sizes{{"a", 8}, {"b", 8}, {"c", 8}, {"d", 8}};
    for (const char* text : {"a b, b c -> a c", "a b, b c, c d -> a d", "max: a b -> a", "gelu: a b"}) {
        const EinsumExpression expression = expressionOf(text);
        const auto timing = timeExpression(expression, sizes, Dtype::Fp32, {});
        ASSERT_TRUE(timing.has_value()) << text;
        EXPECT_GE(timing->runs, 3);
        EXPECT_GT(timing->median, 0);
        EXPECT_LE(timing->fastest, timing->median);
        EXPECT_EQ(timing->implementation.find("plain loops") != std::string::npos,
                  expression.kind != lab::ExpressionKind::Product)
            << text << ": " << timing->implementation;
        std::stop_source stop;
        stop.request_stop();
        EXPECT_EQ(timeExpression(expression, sizes, Dtype::Fp32, stop.get_token()).error().code,
                  ErrorCode::RunFailed);
    }
    EXPECT_THAT(timeExpression(expressionOf("a b, b c, c d -> a d"), sizes, Dtype::Fp32, {})->implementation,
                StartsWith("2 products: "));
}

}  // namespace
}  // namespace plumb::cpu
