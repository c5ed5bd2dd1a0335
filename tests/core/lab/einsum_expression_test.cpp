// SPDX-License-Identifier: Apache-2.0
#include "core/lab/contraction_order.h"
#include "core/lab/einsum_cost.h"
#include "core/machine/hardware_database.h"

#include "test_paths.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>

namespace plumb::lab {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

EinsumExpression parsed(std::string_view text, const DimensionSizes& sizes = {}) {
    auto expression = EinsumExpression::parse(text, sizes);
    EXPECT_TRUE(expression.has_value())
        << text << (expression.has_value() ? "" : ": " + expression.error().text());
    return expression.has_value() ? *expression : EinsumExpression{};
}

ExpressionCost costed(std::string_view text, const DimensionSizes& sizes, Dtype dtype = Dtype::Bf16) {
    auto cost = costOf(parsed(text, sizes), sizes, dtype);
    EXPECT_TRUE(cost.has_value()) << text << (cost.has_value() ? "" : ": " + cost.error().text());
    return cost.has_value() ? *cost : ExpressionCost{};
}

std::vector<std::string> gradientTexts(std::string_view text) {
    std::vector<std::string> texts;
    for (const GradientExpression& gradient : gradientsOf(parsed(text))) texts.push_back(gradient.text);
    return texts;
}

TEST(EinsumExpression, IsReadInNamesAndInLetters) {
    EXPECT_EQ(parsed("batch in, in out -> batch out").kind, ExpressionKind::Product);
    EXPECT_EQ(parsed("ij,jk->ik").text(), "i j, j k -> i k");
    EXPECT_EQ(parsed("bhqk, bhkd -> bhqd").loops.text(), "b h q k, b h k d -> b h q d");
    EXPECT_EQ(parsed("ij->ji").kind, ExpressionKind::Rearrange);
    EXPECT_EQ(parsed("ab,ab->ab").dimensions().size(), 2U);
    EXPECT_EQ(parsed("ab,ab->ab", {{"ab", 3}}).dimensions().size(), 1U);
    EXPECT_EQ(parsed("batch, batch ->").dimensions().size(), 1U);
    EXPECT_EQ(parsed("relu: dim").dimensions(), (std::vector<std::string>{"dim"}));
    EXPECT_EQ(parsed("relu: dim", {{"d", 1}, {"i", 2}, {"m", 3}}).dimensions().size(), 3U);
    EXPECT_EQ(parsed("...ij,...jk->...ik").loops.text(), "... i j, ... j k -> ... i k");
}

TEST(EinsumExpression, KindsFollowFromWhatBecomesOfTheDimensions) {
    EXPECT_EQ(parsed("b (h w) c -> b c h w").kind, ExpressionKind::Rearrange);
    EXPECT_EQ(parsed("b h w -> b").kind, ExpressionKind::Reduce);
    EXPECT_EQ(parsed("b h w -> b").function, "sum");
    EXPECT_EQ(parsed("mean: b (h 2) (w 2) c -> b h w c").function, "mean");
    EXPECT_EQ(parsed("repeat: h w -> h w c").kind, ExpressionKind::Repeat);
    EXPECT_EQ(parsed("gelu: batch dim").kind, ExpressionKind::Elementwise);
    EXPECT_EQ(parsed("max: b (h 2) -> b h").fixed.begin()->second, 2);
    EXPECT_EQ(parsed("b c -> b 1 c").output.size(), 3U);
}

TEST(EinsumExpression, TextReadsBackAsItself) {
    for (const char* text : {"batch in, in out -> batch out", "b (h w) c -> b c h w",
                             "mean: b (h 2) (w 2) c -> b h w c", "repeat: h w -> h w 3", "relu: batch dim",
                             "b h w -> b", "n, n ->", "b c -> b 1 c", "... i, i o -> ... o", "add: n m, n m",
                             "a b, b c, c d -> a d", "einsum: i i ->", "i i, i j -> j"}) {
        EXPECT_EQ(parsed(text).text(), text);
        EXPECT_EQ(parsed(parsed(text).text()).loops.text(), parsed(text).loops.text());
    }
}

TEST(EinsumExpression, WhatCannotBeReadSaysWhy) {
    const auto refused = [](std::string_view text, std::string_view says) {
        const auto expression = EinsumExpression::parse(text);
        ASSERT_FALSE(expression.has_value()) << text;
        EXPECT_EQ(expression.error().code, ErrorCode::BadInput);
        EXPECT_THAT(expression.error().text(), HasSubstr(std::string(says))) << text;
        EXPECT_THAT(expression.error().message, HasSubstr(std::string(text)));
    };
    refused("", "has no \"->\"");
    refused("a b, b c", "has no \"->\"");
    refused("a b, , b c -> a c", "has an empty operand");
    refused("batch in, in out -> batch put", "has put in the result but in no operand");
    refused("max: a a -> a", "twice");
    refused("a b -> a a", "twice");
    refused("rearrange: a a -> a", "twice");
    refused("relu: a a", "twice");
    refused("ä b -> b", "has 'ä' where");
    refused("\U0001F916 b -> b", "has '\U0001F916' where");
    refused("a (b c -> a b c", "never closed");
    refused("a ((b c)) -> a b c", "where a dimension should be");
    refused("a b) -> a b", "where a dimension should be");
    refused("a b; c -> a", "where a dimension should be");
    refused("rearrange: a b -> a", "loses b");
    refused("rearrange: a -> a b", "has b in the result");
    refused("repeat: a b -> a c", "loses b");
    refused("relu: a b -> b a", "different dimensions");
    refused("add: a", "takes 2");
    refused("mean: a, b -> a", "takes one");
    refused("a 2, b -> a b", "a number among");
    refused("a -> a 3", "has a number among the result");
    refused("mena: a -> ", "did you mean mean");
    refused("max: a 0 -> a", "size 0");
    refused("max: a 99999999999999999999 -> a", "63 bits");
    refused(": a -> a", "colon");
}

TEST(EinsumExpression, ADimensionTwiceInAnOperandIsItsDiagonal) {
    const EinsumExpression trace = parsed("i i ->");
    EXPECT_EQ(trace.kind, ExpressionKind::Product);
    EXPECT_EQ(trace.loops.text(), "i ->");
    EXPECT_THAT(trace.operandLoops.front(), ElementsAre("i", "i"));
    const ExpressionCost cost = costed("i i ->", {{"i", 7}});
    EXPECT_EQ(cost.flops, 7);
    EXPECT_EQ(cost.exactFlops, 6);
    EXPECT_EQ(cost.bytes, 2 * (7 + 1)) << "what is not on the diagonal is not read";
    const auto gradients = gradientsOf(parsed("i i, j j -> i j"));
    ASSERT_EQ(gradients.size(), 2U);
    EXPECT_EQ(gradients[0].text, "i j, j j -> i");
    EXPECT_EQ(gradients[0].note, "on the diagonal, and 0 beside it");
    EXPECT_EQ(gradients[1].text, "i i, i j -> j");
    EXPECT_EQ(gradientsOf(trace)[0].note, "then repeated over i, on the diagonal, and 0 beside it");
    EXPECT_EQ(parsed("ii->i").text(), "einsum: i i -> i");
}

TEST(EinsumExpression, SaysWhatIsWrongInASentenceThatCanBeRead) {
    std::string text;
    for (int i = 0; i < 20'000; ++i) text += "\u00e4 ";
    EXPECT_LT(EinsumExpression::parse(text + "-> b").error().text().size(), 500U);
    std::string many = "a0";
    for (int i = 1; i < 40; ++i) many += ", a" + std::to_string(i);
    const std::string missing = parsed(many + " ->").checkSizes({}).error().text();
    EXPECT_THAT(missing, HasSubstr("no size for a0, a1, a2, a3, a4, a5, … (40)"));
    EXPECT_LT(missing.size(), 500U);
}

TEST(EinsumExpression, SizesThatLackOrAreTooManyAreAllNamed) {
    const EinsumExpression product = parsed("batch in, in out -> batch out");
    EXPECT_TRUE(product.checkSizes({{"batch", 1}, {"in", 2}, {"out", 3}}).has_value());
    EXPECT_THAT(product.checkSizes({{"in", 2}}).error().text(), HasSubstr("no size for batch, out"));
    EXPECT_THAT(product.checkSizes({{"batch", 1}, {"in", 2}, {"out", 3}, {"outt", 3}}).error().text(),
                HasSubstr("no dimension outt"));
    EXPECT_TRUE(parsed("mean: b (h 2) -> b h").checkSizes({{"b", 1}, {"h", 2}}).has_value());
}

TEST(ExpressionCost, CountsWhatTheLoopsDo) {
    const ExpressionCost layer =
        costed("batch in, in out -> batch out", {{"batch", 64}, {"in", 256}, {"out", 128}});
    EXPECT_EQ(layer.points, 64 * 256 * 128);
    EXPECT_EQ(layer.flops, 2 * 64 * 256 * 128);
    EXPECT_EQ(layer.exactFlops, 64 * 128 * (2 * 256 - 1));
    EXPECT_EQ(layer.bytes, 2 * (64 * 256 + 256 * 128 + 64 * 128));
    EXPECT_THAT(layer.operandBytes, ElementsAre(2 * 64 * 256, 2 * 256 * 128));
    EXPECT_EQ(layer.resultBytes, 2 * 64 * 128);
    EXPECT_EQ(layer.flopsFormula, "2 · batch · in · out = 2 · 64 · 256 · 128");
    const ExpressionCost pool =
        costed("mean: b (h 2) (w 2) -> b h w", {{"b", 3}, {"h", 4}, {"w", 5}}, Dtype::Fp32);
    EXPECT_EQ(pool.flops, 3 * 4 * 5 * 4);
    EXPECT_EQ(pool.exactFlops, 3 * 4 * 5 * (3 + 1));  // three adds and a division
    EXPECT_EQ(pool.bytes, 4 * (3 * 8 * 10 + 3 * 4 * 5));
    const ExpressionCost repeat = costed("repeat: h w -> h w 3", {{"h", 4}, {"w", 5}});
    EXPECT_EQ(repeat.flops, 0);
    EXPECT_EQ(repeat.resultBytes, 2 * 60);
    EXPECT_THAT(repeat.operandBytes, ElementsAre(2 * 20));
    EXPECT_EQ(costed("softmax: batch n", {{"batch", 3}, {"n", 10}}).exactFlops, 3 * (5 * 10 - 2));
    EXPECT_EQ(costed("add: n, n", {{"n", 7}}).bytes, 2 * 3 * 7);
}

TEST(ExpressionCost, AgreesWithTheLoopsRunOneByOne) {
    for (int seed = 1; seed <= 30; ++seed) {
        const std::int64_t b = seed % 5 + 1, i = seed % 7 + 1, o = seed % 3 + 1;
        std::int64_t multiplies = 0, adds = 0;
        for (std::int64_t x = 0; x < b; ++x)
            for (std::int64_t y = 0; y < o; ++y)
                for (std::int64_t z = 0; z < i; ++z) {
                    ++multiplies;
                    adds += z > 0 ? 1 : 0;
                }
        const ExpressionCost cost = costed("b i, i o -> b o", {{"b", b}, {"i", i}, {"o", o}});
        EXPECT_EQ(cost.exactFlops, multiplies + adds);
        EXPECT_EQ(cost.points, multiplies);
    }
}

TEST(ExpressionCost, ARearrangementIsAViewWhenOnlyStridesChange) {
    const DimensionSizes sizes{{"b", 2}, {"h", 3}, {"w", 4}, {"c", 5}};
    EXPECT_TRUE(costed("b h w c -> b c h w", sizes).isView);
    EXPECT_TRUE(costed("b (h w) c -> b c h w", sizes).isView);
    EXPECT_TRUE(costed("b h w c -> b (h w c)", sizes).isView);
    EXPECT_FALSE(costed("b h w c -> b (w h) c", sizes).isView);
    EXPECT_FALSE(costed("b h w c -> (c b h w)", sizes).isView);
    EXPECT_FALSE(costed("b h w c -> b", sizes).isView);
}

TEST(ExpressionCost, AbsurdSizesAreRefusedInsteadOfWrappingRound) {
    const std::int64_t big = std::int64_t{1} << 40;
    const DimensionSizes sizes{{"a", big}, {"b", big}};
    for (const char* text : {"a, b -> a b", "gelu: a b", "a b ->", "repeat: a -> a b"}) {
        const auto cost = costOf(parsed(text, sizes), sizes, Dtype::Bf16);
        ASSERT_FALSE(cost.has_value()) << text;
        EXPECT_THAT(cost.error().message, HasSubstr("63 bits")) << text;
    }
    EXPECT_FALSE(costOf(parsed("a ->"), {{"a", 0}}, Dtype::Bf16).has_value());
    EXPECT_FALSE(costOf(parsed("a ->"), {{"a", -4}}, Dtype::Bf16).has_value());
    EXPECT_FALSE(costOf(parsed("a ->"), {}, Dtype::Bf16).has_value());
}

TEST(IntensityLadder, IsTheClassicOneInBf16) {
    const auto intensity = [](std::string_view id) {
        for (const LadderStep& step : intensityLadder())
            if (step.id == id) return costed(step.text, step.sizes).intensity;
        ADD_FAILURE() << id;
        return 0.0;
    };
    EXPECT_DOUBLE_EQ(intensity("relu"), 0.25);
    EXPECT_DOUBLE_EQ(intensity("gelu"), 5);
    EXPECT_NEAR(intensity("dot"), 0.5, 1e-5);
    EXPECT_NEAR(intensity("matvec"), 1, 2e-3);
    EXPECT_DOUBLE_EQ(intensity("softmax"), 1.25);
    EXPECT_NEAR(intensity("matmul"), 1024.0 / 3, 1e-9);
    EXPECT_NEAR(intensity("small"), 64.0 / 3, 1e-9);
    EXPECT_NEAR(intensity("layer"), 64, 2);
}

TEST(ExpressionBound, IsTheRooflineOfTheDevice) {
    const auto h100 = HardwareDatabase::builtIn().find("H100 SXM");
    ASSERT_TRUE(h100.has_value());
    const auto bound = [&](std::string_view text, const DimensionSizes& sizes, Dtype dtype) {
        const EinsumExpression expression = parsed(text, sizes);
        return boundOn(expression, *costOf(expression, sizes, dtype), dtype, *h100);
    };
    const auto small = bound("i k, k j -> i j", {{"i", 880}, {"j", 880}, {"k", 880}}, Dtype::Bf16);
    ASSERT_TRUE(small.has_value());
    EXPECT_NEAR(small->balance, 295.4, 0.1);
    EXPECT_FALSE(small->computeBound);
    const auto large = bound("i k, k j -> i j", {{"i", 890}, {"j", 890}, {"k", 890}}, Dtype::Bf16);
    EXPECT_TRUE(large->computeBound);
    EXPECT_EQ(large->seconds, large->computeSeconds);
    EXPECT_EQ(bound("gelu: n", {{"n", 1000}}, Dtype::Bf16)->peakDtype, Dtype::Fp32);
    EXPECT_EQ(bound("n, n ->", {{"n", 1000}}, Dtype::Fp8E5M2)->peakDtype, Dtype::Fp8E4M3);
}

TEST(ExpressionBound, ADtypeThatTheDeviceLacksIsAnErrorAndNoNeighboursNumber) {
    const auto v100 = HardwareDatabase::builtIn().find("v100-sxm2-16gb");
    ASSERT_TRUE(v100.has_value());
    const EinsumExpression product = parsed("i k, k j -> i j");
    const ExpressionCost cost = *costOf(product, {{"i", 8}, {"j", 8}, {"k", 8}}, Dtype::Bf16);
    const Error missing = boundOn(product, cost, Dtype::Bf16, *v100).error();
    EXPECT_THAT(missing.message, HasSubstr("has no bf16 peak"));
    EXPECT_THAT(missing.hint, testing::Not(HasSubstr("calibrate")));
    const auto tpu = HardwareDatabase::builtIn().find("TPU v5p");
    ASSERT_TRUE(tpu.has_value());
    const EinsumExpression pass = parsed("relu: n");
    const auto none = boundOn(pass, *costOf(pass, {{"n", 8}}, Dtype::Bf16), Dtype::Bf16, *tpu);
    ASSERT_FALSE(none.has_value());
    EXPECT_THAT(none.error().message, HasSubstr("no fp32 peak, at which bf16 is computed"));
    EXPECT_EQ(none.error().hint, "choose another device");
    Machine unknown;
    unknown.peakFlopPerSecond = {{Dtype::Bf16, 1.0}};
    EXPECT_FALSE(boundOn(product, cost, Dtype::Bf16, unknown).has_value());
}

TEST(Gradients, AreExpressionsOfTheGradientOfTheResult) {
    EXPECT_THAT(gradientTexts("batch in, in out -> batch out"),
                ElementsAre("batch out, in out -> batch in", "batch in, batch out -> in out"));
    EXPECT_THAT(gradientTexts("n, n ->"), ElementsAre("1, n -> n", "n, 1 -> n"));
    EXPECT_THAT(gradientTexts("a b, b c, c d -> a d"),
                ElementsAre("a d, b c, c d -> a b", "a b, a d, c d -> b c", "a b, b c, a d -> c d"));
    EXPECT_THAT(gradientTexts("b h w -> b"), ElementsAre("repeat: b -> b h w"));
    EXPECT_THAT(gradientTexts("b h w ->"), ElementsAre("repeat: 1 -> b h w"));
    EXPECT_THAT(gradientTexts("repeat: h w -> h w c"), ElementsAre("sum: h w c -> h w"));
    EXPECT_THAT(gradientTexts("b (h w) -> b h w"), ElementsAre("b h w -> b (h w)"));
    EXPECT_THAT(gradientTexts("relu: n"), ElementsAre("relu_backward: n, n"));
    const auto partly = gradientsOf(parsed("a b, c -> c"));
    EXPECT_EQ(partly[0].text, "c, c -> 1");
    EXPECT_EQ(partly[0].note, "then repeated over a and b");
    for (const ElementFunction& function : elementFunctions()) {
        const std::string text = std::string(function.name) + (function.operands == 1 ? ": n" : ": n, n");
        for (const GradientExpression& gradient : gradientsOf(parsed(text)))
            EXPECT_FALSE(gradient.text.empty() && gradient.note.empty()) << text;
    }
    EXPECT_EQ(gradientsOf(parsed("sqrt: n"))[0].note, "the gradient divided by twice the result");
    EXPECT_EQ(gradientsOf(parsed("subtract: n, n"))[1].note, "minus the gradient");
    for (const char* text : {"batch in, in out -> batch out", "n, n ->", "a b, c -> c", "b h w ->",
                             "repeat: h w -> h w c", "mean: b (h 2) -> b h", "relu: n", "max: a b -> a"})
        for (const GradientExpression& gradient : gradientsOf(parsed(text))) {
            EXPECT_FALSE(gradient.text.empty() && gradient.note.empty()) << text;
            if (!gradient.text.empty()) {
                parsed(gradient.text);
            }
        }
}

TEST(LoopNest, PutsTheSumsInnermost) {
    EXPECT_EQ(
        loopNest(parsed("batch in, in out -> batch out"), {{"batch", 2}, {"in", 3}}),
        "for batch in 2:\n  for out in ?:\n    for in in 3:\n      y[batch out] += a[batch in] · b[in out]");
    EXPECT_EQ(loopNest(parsed("n, n ->"), {{"n", 4}}), "for n in 4:\n  y += a[n] · b[n]");
}

TEST(ContractionOrder, IsAsCheapAsNumpysOptimalPath) {
    std::ifstream file(PLUMB_TEST_DATA "/lab/orders.json");
    const nlohmann::json cases = nlohmann::json::parse(file);
    ASSERT_GE(cases.size(), 400U);
    for (const nlohmann::json& entry : cases) {
        const auto text = entry[0].get<std::string>();
        DimensionSizes sizes;
        for (const auto& item : entry[1].items()) sizes[item.key()] = item.value().get<std::int64_t>();
        const auto order = bestOrder(parsed(text, sizes), sizes);
        ASSERT_TRUE(order.has_value()) << text;
        EXPECT_EQ(order->flops, entry[2].get<Flops>()) << entry;
        EXPECT_LE(order->flops, entry[3].get<Flops>()) << entry;
        Flops sum = 0;
        for (const ContractionStep& step : order->steps) sum += step.flops;
        EXPECT_EQ(sum, order->flops) << entry;
        EXPECT_EQ(order->steps.size() + 1, parsed(text, sizes).inputs.size());
    }
}

TEST(ContractionOrder, MultipliesTheNarrowEndFirst) {
    const auto order =
        bestOrder(parsed("a b, b c, c d -> a d"), {{"a", 1000}, {"b", 1000}, {"c", 1000}, {"d", 1}});
    ASSERT_TRUE(order.has_value());
    ASSERT_EQ(order->steps.size(), 2U);
    EXPECT_EQ(order->steps[0].first, 1U);
    EXPECT_EQ(order->steps[0].second, 2U);
    EXPECT_EQ(order->steps[0].product.text(), "b c, c d -> b d");
    EXPECT_EQ(order->steps[1].product.text(), "a b, b d -> a d");
    EXPECT_EQ(order->flops, 4'000'000);
    EXPECT_EQ(order->directFlops, 3'000'000'000);
    EXPECT_EQ(order->largestIntermediate, 1000);
}

TEST(ContractionOrder, RefusesTooManyOperandsAndFindsTheOrderThatCanBeCounted) {
    std::string text;
    DimensionSizes sizes;
    for (int i = 0; i < 13; ++i) {
        text += (i == 0 ? "" : ", ") + ("d" + std::to_string(i)) + " d" + std::to_string(i + 1);
        sizes["d" + std::to_string(i)] = 2;
    }
    sizes["d13"] = 2;
    EXPECT_THAT(bestOrder(parsed(text + " -> d0 d13"), sizes).error().message, HasSubstr("13 operands"));
    const std::int64_t big = std::int64_t{1} << 30;
    const DimensionSizes wide{{"a", big}, {"b", big}, {"c", big}, {"d", 1}};
    EXPECT_EQ(bestOrder(parsed("a b, b c, c d -> a d"), wide)->directFlops, -1);
    const DimensionSizes all{{"a", big}, {"b", big}, {"c", big}, {"d", big}};
    EXPECT_FALSE(bestOrder(parsed("a b, b c, c d -> a d"), all).has_value());
}

}  // namespace
}  // namespace plumb::lab
