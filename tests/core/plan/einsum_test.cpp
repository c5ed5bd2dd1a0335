// SPDX-License-Identifier: Apache-2.0
#include "core/plan/einsum.h"

#include <gtest/gtest.h>

namespace plumb {
namespace {

Einsum parsed(std::string_view text) {
    Result<Einsum> einsum = Einsum::parse(text);
    EXPECT_TRUE(einsum.has_value()) << text;
    return einsum.has_value() ? *einsum : Einsum();
}

TEST(Einsum, TextReadsBackWithBlanksMadeEven) {
    EXPECT_EQ(parsed("batch in, in out -> batch out").text(), "batch in, in out -> batch out");
    EXPECT_EQ(parsed("  a   b ,b c->a c ").text(), "a b, b c -> a c");
    EXPECT_EQ(parsed("a b ->").text(), "a b ->");
    EXPECT_EQ(parsed("a_1 B2 -> B2 a_1").text(), "a_1 B2 -> B2 a_1");
}

TEST(Einsum, DimensionsComeInOrderOfFirstAppearance) {
    EXPECT_EQ(parsed("b i, i o -> o b").dimensions(), (std::vector<std::string>{"b", "i", "o"}));
}

TEST(Einsum, RefusesWhatIsNoProductOfOneOrTwo) {
    for (const char* text :
         {"", "a b", "-> a", ", a -> a", "a, -> a", "a a -> a", "a b -> a a", "a -> b", "a, b, c -> a",
          "a - b -> a", "a -> a -> a", "a; b -> a", "a.b -> a", "é -> é"}) {
        const Result<Einsum> einsum = Einsum::parse(text);
        ASSERT_FALSE(einsum.has_value()) << text;
        EXPECT_EQ(einsum.error().code, ErrorCode::BadInput);
        EXPECT_NE(einsum.error().message.find(text), std::string::npos);
        EXPECT_FALSE(einsum.error().hint.empty()) << text;
    }
}

TEST(Einsum, BackwardPutsTheGradientWhereTheInputStood) {
    const Einsum forward = parsed("b i, i o -> b o");
    EXPECT_EQ(forward.backward(0).text(), "b o, i o -> b i");
    EXPECT_EQ(forward.backward(1).text(), "b i, b o -> i o");
}

TEST(Einsum, BackwardTwiceIsTheExpressionAgain) {
    for (const char* text : {"b i, i o -> b o", "h b q d, h b k d -> h b q k", "a, b -> a b"}) {
        const Einsum forward = parsed(text);
        for (const std::size_t index : {std::size_t{0}, std::size_t{1}})
            EXPECT_EQ(forward.backward(index).backward(index).text(), forward.text());
    }
}

TEST(EinsumFlops, CountsAMultiplyAndAnAddPerPointOfTheLoopNest) {
    const Einsum product = parsed("batch in, in out -> batch out");
    const DimensionSizes sizes{{"batch", 7}, {"in", 5}, {"out", 3}};
    Flops counted = 0;
    for (int b = 0; b < 7; ++b)
        for (int i = 0; i < 5; ++i)
            for (int o = 0; o < 3; ++o) counted += 2;
    EXPECT_EQ(*einsumFlops(product, sizes), counted);
    EXPECT_EQ(*einsumFlops(product.backward(0), sizes), counted);
    EXPECT_EQ(*einsumFlops(product.backward(1), sizes), counted);
}

TEST(EinsumFlops, ASingleOperandCostsItsSumsAndNothingForAPermutation) {
    EXPECT_EQ(*einsumFlops(parsed("a b -> a"), {{"a", 4}, {"b", 6}}), 24);
    EXPECT_EQ(*einsumFlops(parsed("a b -> b a"), {{"a", 4}, {"b", 6}}), 0);
}

TEST(EinsumFlops, ExactlyASumTakesOneAddLessThanItHasTerms) {
    const DimensionSizes sizes{{"b", 7}, {"i", 5}, {"o", 3}};
    EXPECT_EQ(*einsumExactFlops(parsed("b i, i o -> b o"), sizes), 7 * 3 * (2 * 5 - 1));
    EXPECT_EQ(*einsumExactFlops(parsed("i, i ->"), sizes), 2 * 5 - 1);
    EXPECT_EQ(*einsumExactFlops(parsed("b i -> b"), sizes), 7 * (5 - 1));
    EXPECT_EQ(*einsumExactFlops(parsed("b, o -> b o"), sizes), 7 * 3);  // nothing is summed
}

TEST(EinsumFlops, ManyOperandsAreMultipliedAtOnce) {
    const auto chain = Einsum::of({{"a", "b"}, {"b", "c"}, {"c", "d"}}, {"a", "d"});
    ASSERT_TRUE(chain.has_value());
    EXPECT_EQ(*einsumFlops(*chain, {{"a", 2}, {"b", 3}, {"c", 5}, {"d", 7}}), 3 * 2 * 3 * 5 * 7);
    EXPECT_EQ(chain->backward(1).text(), "a b, a d, c d -> b c");
    EXPECT_EQ(parsed("a b, c -> c").backward(0).text(), "c, c ->");  // repeats over a and b
    EXPECT_FALSE(Einsum::of({}, {}).has_value());
    EXPECT_FALSE(Einsum::of({{"a", "a"}}, {"a"}).has_value());
    EXPECT_FALSE(Einsum::of({{"a"}}, {"b"}).has_value());
}

TEST(EinsumBytes, ReadsEachInputOnceAndWritesTheOutputOnce) {
    const Einsum product = parsed("batch in, in out -> batch out");
    const DimensionSizes sizes{{"batch", 7}, {"in", 5}, {"out", 3}};
    EXPECT_EQ(*einsumBytes(product, sizes, {Dtype::Bf16, Dtype::Bf16, Dtype::Fp32}),
              7 * 5 * 2 + 5 * 3 * 2 + 7 * 3 * 4);
    EXPECT_FALSE(einsumBytes(product, sizes, {Dtype::Bf16, Dtype::Bf16}).has_value());
}

TEST(EinsumFlops, RefusesMissingSmallAndOverflowingSizes) {
    const Einsum product = parsed("batch in, in out -> batch out");
    EXPECT_FALSE(einsumFlops(product, {{"batch", 7}, {"in", 5}}).has_value());
    EXPECT_FALSE(einsumFlops(product, {{"batch", 7}, {"in", 5}, {"out", 0}}).has_value());
    EXPECT_FALSE(einsumFlops(product, {{"batch", 7}, {"in", -5}, {"out", 1}}).has_value());
    const std::int64_t big = std::int64_t{1} << 31;
    EXPECT_FALSE(einsumFlops(product, {{"batch", big}, {"in", big}, {"out", 1}}).has_value());  // 2 * 2^62
    EXPECT_TRUE(einsumFlops(product, {{"batch", big}, {"in", big / 2}, {"out", 1}}).has_value());
    EXPECT_FALSE(einsumBytes(product, {{"batch", big}, {"in", big}, {"out", 1}},
                             {Dtype::Fp32, Dtype::Fp32, Dtype::Fp32})
                     .has_value());
}

}  // namespace
}  // namespace plumb
