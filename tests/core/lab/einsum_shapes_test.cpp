// SPDX-License-Identifier: Apache-2.0
#include "core/lab/einsum_shapes.h"

#include "core/base/format_alias.h"
#include "core/base/number_format.h"

#include <gtest/gtest.h>

namespace plumb::lab {
namespace {

using Shapes = std::vector<std::vector<std::int64_t>>;

Result<DimensionSizes> sizesOf(std::string_view text, const Shapes& shapes,
                               const DimensionSizes& given = {}) {
    const auto expression = EinsumExpression::parse(text, given);
    EXPECT_TRUE(expression.has_value()) << text;
    return sizesFromShapes(*expression, shapes, given);
}

TEST(EinsumShapes, SayTheSizeOfEveryDimension) {
    EXPECT_EQ(*sizesOf("batch in, in out -> batch out", {{64, 256}, {256, 128}}),
              (DimensionSizes{{"batch", 64}, {"in", 256}, {"out", 128}}));
    EXPECT_EQ(*sizesOf("ij,jk->ik", {{2, 3}, {3, 4}}), (DimensionSizes{{"i", 2}, {"j", 3}, {"k", 4}}));
    EXPECT_EQ(*sizesOf("sqrt: n", {{7}}), (DimensionSizes{{"n", 7}}));
    EXPECT_EQ(*sizesOf("n ->", {}), DimensionSizes{});
}

TEST(EinsumShapes, SayWhatTheDotsStandFor) {
    EXPECT_EQ(*sizesOf("... in, in out -> ... out", {{8, 128, 64}, {64, 32}}),
              (DimensionSizes{{"...", 8 * 128}, {"in", 64}, {"out", 32}}));
    EXPECT_EQ(sizesOf("... in, in out -> ... out", {{64}, {64, 32}})->at("..."), 1);
    EXPECT_EQ(sizesOf("a ... b -> b ... a", {{2, 3, 4, 5}})->at("..."), 12);
    EXPECT_FALSE(sizesOf("a ... b -> b ... a", {{2}}).has_value());
}

TEST(EinsumShapes, SayAFactorWhoseOthersAreKnown) {
    EXPECT_EQ(sizesOf("b (h w) c -> b c h w", {{2, 12, 3}}, {{"h", 4}})->at("w"), 3);
    EXPECT_EQ(sizesOf("mean: b (h 2) (w 2) c -> b h w c", {{1, 8, 6, 3}})->at("h"), 4);
    // Known from the operand after it.
    EXPECT_EQ(sizesOf("(h w) c, h -> w c", {{12, 3}, {4}})->at("w"), 3);
    const auto open = sizesOf("b (h w) c -> b c h w", {{2, 12, 3}});
    ASSERT_TRUE(open.has_value());
    EXPECT_EQ(open->count("h"), 0U);
}

TEST(EinsumShapes, AreRefusedWhenTheyContradictEachOther) {
    for (const auto& [text, shapes] :
         {std::pair<std::string_view, Shapes>{"batch in, in out -> batch out", {{64, 256}, {255, 128}}},
          {"batch in, in out -> batch out", {{64, 256}}},
          {"batch in, in out -> batch out", {{64, 256, 1}, {256, 128}}},
          {"i i ->", {{3, 4}}},
          {"mean: b (h 2) c -> b h c", {{1, 7, 3}}},
          {"n ->", {{0}}},
          {"n ... ->", {{std::int64_t{1} << 40, std::int64_t{1} << 40, std::int64_t{1} << 40}}}}) {
        const auto sizes = sizesOf(text, shapes);
        ASSERT_FALSE(sizes.has_value()) << text;
        EXPECT_FALSE(sizes.error().hint.empty()) << sizes.error().text();
    }
    EXPECT_FALSE(sizesOf("i j -> j i", {{3, 4}}, {{"i", 5}}).has_value());
}

TEST(EinsumShapes, AreReadInEveryUsualSpelling) {
    for (const char* text : {"8x128x64", "8,128,64", "[8, 128, 64]", " 8 , 128 , 64 "})
        EXPECT_EQ(*shapeFromText(text), (std::vector<std::int64_t>{8, 128, 64})) << text;
    EXPECT_TRUE(shapeFromText("[]")->empty());
    EXPECT_EQ(*shapeFromText("4Ki"), (std::vector<std::int64_t>{4096}));
    for (const char* text :
         {"", "x", "8x", "8,,4", "[8", "8]", "a", "-1", "8x99999999999999999999", "[", "]"})
        EXPECT_FALSE(shapeFromText(text).has_value()) << text;
}

TEST(FormatAlias, KnowsWhatOthersCallTheFormats) {
    for (const auto& [other, name] :
         {std::pair{"fp4", "fp4_e2m1"}, std::pair{"e2m1", "fp4_e2m1"}, std::pair{"E4M3", "fp8_e4m3"},
          std::pair{"fp8", "fp8_e4m3"}, std::pair{"fp8-e5m2", "fp8_e5m2"}, std::pair{"e3m2", "fp6_e3m2"},
          std::pair{"torch.bfloat16", "bf16"}, std::pair{"float32", "fp32"}, std::pair{"half", "fp16"},
          std::pair{"float8_e4m3fn", "fp8_e4m3"}, std::pair{"TF32", "tf32"}, std::pair{"double", "fp64"}}) {
        const auto format = findFormat(other);
        ASSERT_TRUE(format.has_value()) << other;
        EXPECT_EQ(format->name, name) << other;
    }
    for (const NumberFormat& format : numberFormats()) EXPECT_EQ(canonicalFormat(format.name), format.name);
    EXPECT_FALSE(findFormat("fp12").has_value());
}

}  // namespace
}  // namespace plumb::lab
