// SPDX-License-Identifier: Apache-2.0
// What people type: any text is read or refused with a sentence, and what was read reads back.
#include "core/lab/contraction_order.h"
#include "core/lab/einsum_cost.h"
#include "core/lab/layout_steps.h"
#include "core/lab/lesson.h"

#include <gtest/gtest.h>

#include <random>

namespace plumb::lab {
namespace {

std::string randomText(std::mt19937& random, const std::vector<std::string>& words, std::size_t most) {
    std::string text;
    const std::size_t count = random() % (most + 1);
    for (std::size_t i = 0; i < count; ++i) text += words[random() % words.size()];
    return text;
}

void expectSentence(const Error& error, const std::string& text) {
    EXPECT_EQ(error.code, ErrorCode::BadInput) << text;
    EXPECT_FALSE(error.message.empty()) << text;
    EXPECT_FALSE(error.hint.empty()) << text;
}

TEST(LabText, AnyExpressionIsReadBackOrRefusedWithASentence) {
    const std::vector<std::string> words{"a",
                                         "b",
                                         "batch",
                                         " ",
                                         " ",
                                         ",",
                                         "->",
                                         "(",
                                         ")",
                                         "...",
                                         "1",
                                         "2",
                                         ":",
                                         "mean:",
                                         "relu:",
                                         "repeat:",
                                         "\t",
                                         "-",
                                         "99999999999999999999",
                                         "_",
                                         "#",
                                         "é"};
    std::mt19937 random(11);
    int read = 0;
    for (int i = 0; i < 40'000; ++i) {
        const std::string text = randomText(random, words, 12);
        const auto expression = EinsumExpression::parse(text);
        if (!expression.has_value()) {
            expectSentence(expression.error(), text);
            continue;
        }
        ++read;
        const auto again = EinsumExpression::parse(expression->text());
        ASSERT_TRUE(again.has_value())
            << text << " was read as " << expression->text() << ": " << again.error().text();
        EXPECT_EQ(again->loops.text(), expression->loops.text()) << text;
        EXPECT_EQ(again->kind, expression->kind) << text;
        DimensionSizes sizes;
        for (const std::string& name : expression->dimensions())
            sizes[name] = static_cast<std::int64_t>(random() % 9 + 1);
        EXPECT_TRUE(expression->checkSizes(sizes).has_value()) << text;
        const auto cost = costOf(*expression, sizes, Dtype::Bf16);
        ASSERT_TRUE(cost.has_value()) << text;
        EXPECT_LE(cost->exactFlops, cost->flops + cost->points) << text;
        EXPECT_GE(cost->exactFlops, 0) << text;
        EXPECT_GT(cost->bytes, 0) << text;
        EXPECT_FALSE(loopNest(*expression, sizes).empty()) << text;
        for (const GradientExpression& gradient : gradientsOf(*expression)) {
            if (gradient.text.empty()) continue;
            const auto parsed = EinsumExpression::parse(gradient.text, sizes);
            EXPECT_TRUE(parsed.has_value()) << text << " has the gradient " << gradient.text;
        }
        if (expression->kind == ExpressionKind::Product && expression->inputs.size() > 1) {
            const auto order = bestOrder(*expression, sizes);
            ASSERT_TRUE(order.has_value()) << text;
            EXPECT_LE(order->flops, std::max<Flops>(order->directFlops, 0)) << text;
        }
    }
    EXPECT_GT(read, 100);
}

TEST(LabText, AnyStepsAreReadBackOrRefusedWithASentence) {
    const std::vector<std::string> words{"x",           ".",
                                         "[",           "]",
                                         "(",           ")",
                                         ",",           ":",
                                         "::",          "1",
                                         "-1",          "2",
                                         "...",         "None",
                                         " ",           "T",
                                         "view",        "transpose",
                                         "reshape(-1)", ".flatten()",
                                         "dim=",        "\"cuda\"",
                                         "to",          "99999999999999999999",
                                         "squeeze",     ".expand(3, -1)",
                                         "+",           "*",
                                         "**",          "/",
                                         "-",           "=",
                                         "0.5",         ".mul_(2)",
                                         ".rsqrt()",    ".stride()"};
    std::mt19937 random(12);
    int read = 0;
    for (int i = 0; i < 40'000; ++i) {
        const std::string text = randomText(random, words, 10);
        const auto steps = parseSteps(text);
        if (!steps.has_value()) {
            expectSentence(steps.error(), text);
            continue;
        }
        std::string again;
        for (const LayoutStep& step : *steps) again += step.text;
        const auto second = parseSteps(again);
        ASSERT_TRUE(second.has_value()) << text << " was read as " << again;
        EXPECT_EQ(second->size(), steps->size()) << text;
        const LayoutChain chain = applySteps(*newTensor({2, 1, 3}), *steps);
        read += chain.steps.empty() ? 0 : 1;
        for (const AppliedStep& step : chain.steps)
            for (const std::int64_t position : storagePositions(step.layout, 100)) {
                EXPECT_GE(position, 0) << text;
                EXPECT_LT(position, step.layout.storageElements) << text;
            }
    }
    EXPECT_GT(read, 100);
}

TEST(LabText, AnyLessonIsReadOrRefused) {
    const std::vector<std::string> words{"---\n",      "title: x\n",
                                         "text\n",     "- **Do.** y\n",
                                         "- ",         "  z\n",
                                         "](control:", ")",
                                         "\n",         "- **Look.** [a](control:b)\n"};
    std::mt19937 random(13);
    int read = 0;
    for (int i = 0; i < 20'000; ++i) {
        const std::string text = "---\ntitle: t\n---\n" + randomText(random, words, 8);
        const auto lesson = Lesson::parse("x", text);
        if (lesson.has_value())
            ++read;
        else
            expectSentence(lesson.error(), text);
    }
    EXPECT_GT(read, 100);
}

}  // namespace
}  // namespace plumb::lab
