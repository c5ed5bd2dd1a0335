// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/contraction.h"

#include "tests/support/loop_nest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace plumb::cpu {
namespace {

using testing::HasSubstr;

Einsum parsed(std::string_view text) {
    auto expression = Einsum::parse(text);
    EXPECT_TRUE(expression.has_value()) << text;
    return *expression;
}

/// The expression by its definition.
std::vector<double> byDefinition(const Einsum& expression, const DimensionSizes& sizes,
                                 const std::vector<float>& a, const std::vector<float>& b) {
    std::vector<double> result(
        static_cast<std::size_t>(*einsumElements(expression, expression.output(), sizes)), 0);
    test::forEachPoint(expression.dimensions(), sizes, [&](const auto& at) {
        const double second =
            expression.inputs().size() > 1 ? static_cast<double>(b[at(expression.inputs()[1])]) : 1;
        result[at(expression.output())] += static_cast<double>(a[at(expression.inputs()[0])]) * second;
    });
    return result;
}

std::vector<float> someNumbers(std::int64_t count, int seed) {
    std::vector<float> numbers;
    for (std::int64_t i = 0; i < count; ++i)
        numbers.push_back(static_cast<float>((i * 31 + std::int64_t{seed} * 17) % 13 - 6) /
                          4);  // exact in bf16
    return numbers;
}

struct Case {
    const char* text;
    bool kernel;  ///< whether a Product does it
};

constexpr Case kCases[] = {
    {"batch in, in out -> batch out", true},
    {"i k, j k -> i j", true},
    {"k i, k j -> i j", true},
    {"k i, j k -> j i", true},
    {"k i, j k -> i j", true},
    {"h b q d, h b k d -> h b q k", true},
    {"h b q k, h b k d -> h b q d", true},
    {"i k, k j -> j i", true},
    {"a, b -> a b", false},
    {"n, n ->", false},
    {"in, in out -> out", false},
    {"a b c, b c d -> a d", true},
    {"a b, a b -> a b", false},
    {"a b -> b a", false},
    {"a b c -> b", false},
    {"a b, c -> c", false},
    {"b a, c b -> a c", true},
    {"b q h d, b k h d -> b h q k", true},
    {"i j k, k l -> i l", false},
};

DimensionSizes sizesOf(const Einsum& expression) {
    DimensionSizes sizes;
    std::int64_t size = 3;
    for (const std::string& name : expression.dimensions()) sizes[name] = size++ % 4 + 2;
    return sizes;
}

TEST(Contraction, GivesWhatItsDefinitionGives) {
    for (const Case& entry : kCases) {
        const Einsum expression = parsed(entry.text);
        const DimensionSizes sizes = sizesOf(expression);
        auto contraction = Contraction::create(expression, sizes, Dtype::Fp32, 2);
        ASSERT_TRUE(contraction.has_value()) << entry.text;
        EXPECT_EQ(!contraction->isLoops(), entry.kernel) << entry.text;
        const std::vector<float> a = someNumbers(contraction->operandElements(0), 1);
        const std::vector<float> b = expression.inputs().size() > 1
                                         ? someNumbers(contraction->operandElements(1), 2)
                                         : std::vector<float>();
        std::vector<float> result(static_cast<std::size_t>(contraction->resultElements()), std::nanf(""));
        ASSERT_TRUE(contraction->run(a.data(), b.data(), result.data()).has_value());
        const std::vector<double> expected = byDefinition(expression, sizes, a, b);
        ASSERT_EQ(result.size(), expected.size());
        for (std::size_t i = 0; i < result.size(); ++i)
            EXPECT_NEAR(static_cast<double>(result[i]), expected[i], 1e-4) << entry.text << ' ' << i;
    }
}

TEST(Contraction, TheSameInBf16) {
    const Einsum expression = parsed("batch in, in out -> batch out");
    const DimensionSizes sizes{{"batch", 5}, {"in", 33}, {"out", 17}};
    auto contraction = Contraction::create(expression, sizes, Dtype::Bf16, 1);
    ASSERT_TRUE(contraction.has_value());
    const std::vector<float> a = someNumbers(contraction->operandElements(0), 1);
    const std::vector<float> b = someNumbers(contraction->operandElements(1), 2);
    std::vector<std::uint16_t> a16, b16, c16(static_cast<std::size_t>(contraction->resultElements()));
    for (const float value : a) a16.push_back(bf16FromFloat(value));
    for (const float value : b) b16.push_back(bf16FromFloat(value));
    ASSERT_TRUE(contraction->run(a16.data(), b16.data(), c16.data()).has_value());
    const std::vector<double> expected = byDefinition(expression, sizes, a, b);
    for (std::size_t i = 0; i < c16.size(); ++i)
        EXPECT_NEAR(static_cast<double>(floatFromBf16(c16[i])), expected[i],
                    std::abs(expected[i]) / 128 + 1e-6)
            << i;
}

TEST(Contraction, RefusesWithTheReasonWhatItCannotDo) {
    const DimensionSizes sizes{{"a", 2}, {"b", 3}, {"c", 4}, {"d", 5}};
    const Einsum three = *Einsum::of({{"a", "b"}, {"b", "c"}, {"c", "d"}}, {"a", "d"});
    EXPECT_THAT(Contraction::create(three, sizes, Dtype::Fp32, 1).error().text(), HasSubstr("at most two"));
    const Einsum turned = parsed("a b -> b a");
    EXPECT_THAT(Contraction::create(turned, sizes, Dtype::Fp16, 1).error().text(),
                HasSubstr("fp32 and bf16"));
    EXPECT_FALSE(Contraction::create(turned, {{"a", 2}}, Dtype::Fp32, 1).has_value());
}

}  // namespace
}  // namespace plumb::cpu
