// SPDX-License-Identifier: Apache-2.0
#include "core/lab/tensor_values.h"

#include "core/base/shape_text.h"
#include "tests/core/lab/chains.h"

#include "test_paths.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>

namespace plumb::lab {
namespace {

using Numbers = std::vector<double>;
using testing::ElementsAre;
using testing::HasSubstr;

Numbers lastOf(Sizes shape, std::string_view text, Dtype dtype = Dtype::Fp32) {
    const LayoutChain chain = chainOf(std::move(shape), text);
    EXPECT_FALSE(chain.failure.has_value()) << text;
    const auto values = valuesOf(chain, dtype);
    return values && !values->steps.empty() ? values->steps.back() : Numbers{};
}

std::string answerOf(Sizes shape, std::string_view text) {
    const LayoutChain chain = chainOf(std::move(shape), text);
    EXPECT_FALSE(chain.failure.has_value()) << text;
    return chain.steps.empty() ? "" : chain.steps.back().answer;
}

void expectEqual(const Numbers& values, const nlohmann::json& recorded, const std::string& where) {
    ASSERT_EQ(values.size(), recorded.size()) << where;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (recorded[i].is_string()) {
            const auto text = recorded[i].get<std::string>();
            EXPECT_TRUE(text == "nan" ? std::isnan(values[i]) : std::isinf(values[i]))
                << where << ' ' << text;
            EXPECT_TRUE(text == "nan" || std::signbit(values[i]) == (text[0] == '-')) << where << ' ' << text;
        } else {
            const auto value = recorded[i].get<double>();
            EXPECT_NEAR(values[i], value, 3e-7 * std::fabs(value)) << where << " [" << i << "]";
        }
    }
}

/// The cases of a file of tests/data/lab.
nlohmann::json recordedIn(const std::string& name) {
    std::ifstream file(PLUMB_TEST_DATA "/lab/" + name);
    auto cases = nlohmann::json::parse(file);
    EXPECT_GT(cases.size(), 1000U);
    return cases;
}

/// What tests/data/lab/make_values.py recorded: views, copies, arithmetic and writes through views.
TEST(TensorValues, AreThoseOfArrays) {
    int written = 0;
    for (const auto& recorded : recordedIn("values.json")) {
        std::string text = "x";
        for (const auto& step : recorded[1]) {
            // As the file has them, "x[0::2] * 2.T" would be another thing.
            const auto one = step.get<std::string>();
            if (one[0] == ' ')
                text.insert(0, 1, '(').append(one).append(1, ')');
            else
                text += one;
        }
        const LayoutChain chain = chainOf(recorded[0].get<Sizes>(), text);
        ASSERT_FALSE(chain.failure.has_value()) << text << ": " << chain.failure->text();
        ASSERT_EQ(chain.steps.size(), recorded[1].size()) << text;
        const auto values = valuesOf(chain, Dtype::Fp32);
        ASSERT_TRUE(values.has_value()) << text;
        expectEqual(values->startAfter, recorded[2], text + " afterwards");
        for (std::size_t i = 0; i < values->steps.size(); ++i)
            expectEqual(values->steps[i], recorded[3][i], text + " step " + std::to_string(i));
        written += values->startAfter != values->start ? 1 : 0;
    }
    EXPECT_GT(written, 100) << "writes through views that reach the first tensor";
}

/// What tests/data/lab/make_pairs.py recorded: values as numpy's, strides and refusals as torch's.
TEST(TensorPairs, AreBroadcastAndReckonedAsInNumPy) {
    int refused = 0;
    for (const auto& recorded : recordedIn("pairs.json")) {
        const auto text = recorded[1].get<std::string>();
        const LayoutChain chain = chainOf(recorded[0].get<Sizes>(), text);
        const std::string where = shapeText(chain.start.shape) + ' ' + text;
        if (recorded.size() == 3) {
            ++refused;
            ASSERT_TRUE(chain.failure.has_value()) << where;
            EXPECT_EQ(chain.failure->message, recorded[2].get<std::string>()) << where;
            continue;
        }
        ASSERT_FALSE(chain.failure.has_value()) << where << ": " << chain.failure->text();
        EXPECT_EQ(chain.last().shape, recorded[2].get<Sizes>()) << where;
        EXPECT_EQ(chain.last().strides, recorded[3].get<Sizes>()) << where;
        const auto values = valuesOf(chain, Dtype::Fp32);
        ASSERT_TRUE(values.has_value()) << where;
        expectEqual(values->steps.back(), recorded[4], where);
        EXPECT_EQ(values->startAfter, values->start) << where;
    }
    EXPECT_GT(refused, 100);
}

TEST(TensorPairs, AreWrittenAsMethodsThatAreReadAgain) {
    for (const auto& [text, joined] :
         {std::pair("x + x", ".add(x)"), std::pair("x.T*x[0]", ".T.mul(x[0])"),
          std::pair("1 - x / (x + 1)", ".div(x.add(1)).neg().add(1)"),
          std::pair("x ** x ** 2", ".pow(x.pow(2))"), std::pair("-x - -x", ".neg().sub(x.neg())"),
          std::pair("w.sub(w.T)", ".sub(w.T)")}) {
        const auto steps = parseSteps(text);
        ASSERT_TRUE(steps.has_value()) << text << ": " << steps.error().text();
        std::string again;
        for (const LayoutStep& step : *steps) again += step.text;
        EXPECT_EQ(again, joined);
        EXPECT_EQ(lastOf({3, 3}, again), lastOf({3, 3}, text)) << text;
    }
}

TEST(TensorPairs, SeeWhatTheirOperandsHaveWritten) {
    // As in Python: the left one is a name of the memory that the right one writes.
    EXPECT_THAT(lastOf({3}, "x + x.mul_(10)"), ElementsAre(0, 20, 40));
    EXPECT_THAT(lastOf({3}, "(x + 0) + x.mul_(10)"), ElementsAre(0, 11, 22));
    EXPECT_THAT(chainOf({3}, "x + x.numel()").failure->text(), HasSubstr("which is no tensor"));
    EXPECT_THAT(chainOf({3}, "x.cuda() + x").failure->text(), HasSubstr("on the same device"));
    EXPECT_FALSE(chainOf({3}, "x.cuda() + x[0]").failure.has_value()) << "a number to the GPU";
}

TEST(TensorPairs, MoveTheBytesOfBothAndOfWhatTheSecondTook) {
    Machine machine;
    machine.bandwidthBytesPerSecond = 100;
    const auto bytesOf = [&](std::string_view text) {
        return copyCost(chainOf({4, 5}, text).steps.back(), Dtype::Fp32, machine, 10).bytes;
    };
    EXPECT_EQ(bytesOf("x + x"), 160) << "the same memory is read once";
    EXPECT_EQ(bytesOf("x + x[0]"), 80 + 20 + 80);
    EXPECT_EQ(bytesOf("x + (x * 2)"), 160 + 80 + 80 + 80);
    EXPECT_LE(bytesOf("x[:, :1] + x[:1]"), 16 + 20 + 80);
}

TEST(TensorPairs, NestToABoundedDepth) {
    std::string towers = "x";
    for (int i = 0; i < 100'000; ++i) towers += " ** x";
    EXPECT_FALSE(parseSteps(towers).has_value());
    std::string calls;
    for (int i = 0; i < 100'000; ++i) calls += "x.add(";
    EXPECT_FALSE(parseSteps(calls).has_value());
    std::string sum = "x";
    for (int i = 0; i < 10'000; ++i) sum += " + x";
    EXPECT_EQ(lastOf({2}, sum)[1], 10'001);
}

TEST(TensorValues, WrittenThroughAViewReachItsBase) {
    const LayoutChain chain = chainOf({2, 3}, "x.T[1:] = 7");
    ASSERT_FALSE(chain.failure.has_value());
    EXPECT_EQ(chain.last().storage, chain.start.storage);
    EXPECT_THAT(valuesOf(chain, Dtype::Fp32)->startAfter, ElementsAre(0, 7, 7, 3, 7, 7));
    EXPECT_THAT(valuesOf(chainOf({2, 3}, "x[0] += 10"), Dtype::Fp32)->startAfter,
                ElementsAre(10, 11, 12, 3, 4, 5));
    EXPECT_THAT(valuesOf(chainOf({4}, "x *= 2"), Dtype::Fp32)->startAfter, ElementsAre(0, 2, 4, 6));
    // A copy in between keeps the first as it was.
    EXPECT_THAT(valuesOf(chainOf({2, 2}, "x.T.contiguous()[0] = 9"), Dtype::Fp32)->startAfter,
                ElementsAre(0, 1, 2, 3));
    const LayoutChain expanded = chainOf({1, 2}, "x.expand(3, 2)[:] = 0");
    ASSERT_TRUE(expanded.failure.has_value());
    EXPECT_THAT(expanded.failure->text(), HasSubstr("refers to a single memory location"));
}

TEST(TensorValues, AreReckonedInTheOrderOfPython) {
    EXPECT_THAT(lastOf({3}, "1 + 2 * x"), ElementsAre(1, 3, 5));
    EXPECT_THAT(lastOf({3}, "x * 2 + 1"), ElementsAre(1, 3, 5));
    EXPECT_THAT(lastOf({3}, "1 - x"), ElementsAre(1, 0, -1));
    EXPECT_THAT(lastOf({3}, "-x ** 2"), ElementsAre(0, -1, -4));
    EXPECT_THAT(lastOf({3}, "(-x) ** 2"), ElementsAre(0, 1, 4));
    EXPECT_THAT(lastOf({3}, "x + -2 ** 2"), ElementsAre(-4, -3, -2));
    EXPECT_THAT(lastOf({3}, "x + 2 ** 3 ** 0"), ElementsAre(2, 3, 4));
    EXPECT_THAT(lastOf({3}, "x - 6 / 2 * 3"), ElementsAre(-9, -8, -7));
    EXPECT_THAT(lastOf({3}, "12 / (x + 1)"), ElementsAre(12, 6, 4));
    EXPECT_THAT(lastOf({2, 2}, "(x + 1).T * 2"), ElementsAre(2, 6, 4, 8));
    EXPECT_THAT(lastOf({3}, "2 * 3 * x"), ElementsAre(0, 6, 12));
    EXPECT_THAT(lastOf({3}, "x.pow(exponent=2)"), ElementsAre(0, 1, 4));
}

TEST(TensorValues, AreRoundedAsTheirFormatIs) {
    EXPECT_EQ(lastOf({2}, "x / 3", Dtype::Fp64)[1], 1.0 / 3);
    EXPECT_EQ(lastOf({2}, "x / 3")[1], static_cast<double>(1.0F / 3));
    EXPECT_EQ(lastOf({2}, "x / 3", Dtype::Bf16)[1], 0.333984375);
    EXPECT_EQ(lastOf({2}, "x * 70000", Dtype::Fp16)[1], HUGE_VAL);
    EXPECT_EQ(lastOf({300}, "[...]", Dtype::Bf16)[257], 256);
    EXPECT_TRUE(std::isnan(lastOf({2}, "(x - 1).sqrt()")[0]));
}

TEST(TensorValues, OfLargeTensorsAreLeftOut) {
    EXPECT_FALSE(valuesOf(chainOf({1025}, ""), Dtype::Fp32).has_value());
    EXPECT_FALSE(valuesOf(chainOf({2, 2}, ".expand(1000000000, 2, 2)"), Dtype::Fp32).has_value());
    EXPECT_TRUE(valuesOf(chainOf({1024}, ""), Dtype::Fp32).has_value());
}

TEST(TensorValues, AreWrittenInNestedBrackets) {
    EXPECT_EQ(valuesText(Sizes{2, 3}, Numbers{0, 1, 2, 3, 4, 5}), "[[0, 1, 2], [3, 4, 5]]");
    EXPECT_EQ(valuesText(Sizes{}, Numbers{0.1}), "0.1");
    EXPECT_EQ(valuesText(Sizes{2, 0}, Numbers{}), "[[], []]");
    EXPECT_EQ(valuesText(Sizes{1000000, 0}, Numbers{}), "[]");
}

TEST(TensorQuestions, AreAnsweredAsPythonPrints) {
    EXPECT_EQ(answerOf({2, 3}, ".stride()"), "(3, 1)");
    EXPECT_EQ(answerOf({2, 3}, ".T.stride()"), "(1, 3)");
    EXPECT_EQ(answerOf({4}, "[::2].stride()"), "(2,)");
    EXPECT_EQ(answerOf({}, ".stride()"), "()");
    EXPECT_EQ(answerOf({2, 3}, ".stride(-1)"), "1");
    EXPECT_EQ(answerOf({2, 3}, ".size()"), "torch.Size([2, 3])");
    EXPECT_EQ(answerOf({2, 3}, ".shape"), "torch.Size([2, 3])");
    EXPECT_EQ(answerOf({2, 3}, ".size(dim=1)"), "3");
    EXPECT_EQ(answerOf({2, 3}, ".numel()"), "6");
    EXPECT_EQ(answerOf({2, 3}, ".dim()"), "2");
    EXPECT_EQ(answerOf({2, 3}, "[1:].storage_offset()"), "3");
    EXPECT_EQ(answerOf({2, 3}, ".is_contiguous()"), "True");
    EXPECT_EQ(answerOf({2, 3}, ".T.is_contiguous()"), "False");
    const LayoutChain chain = chainOf({2, 3}, ".numel().T");
    ASSERT_TRUE(chain.failure.has_value());
    EXPECT_THAT(chain.failure->text(), HasSubstr("ask it last"));
    EXPECT_THAT(chainOf({2, 3}, ".stride(2)").failure->text(), HasSubstr("Dimension out of range"));
    EXPECT_THAT(chainOf({}, ".stride(0)").failure->text(), HasSubstr("tensor has no dimensions"));
}

TEST(TensorQuestions, WhatIsWorkedOutOrWrittenMovesBytes) {
    Machine machine;
    machine.bandwidthBytesPerSecond = 100;
    const auto bytesOf = [&](std::string_view text) {
        const LayoutChain chain = chainOf({4, 5}, text);
        return copyCost(chain.steps.back(), Dtype::Fp32, machine, 10).bytes;
    };
    EXPECT_EQ(bytesOf(".sqrt()"), 160);
    EXPECT_EQ(bytesOf("[0].mul_(2)"), 40);
    EXPECT_EQ(bytesOf("[0] = 2"), 20);
    EXPECT_EQ(bytesOf(".numel()"), 0);
    // As torch: a copy keeps the order of dimensions.
    EXPECT_EQ(chainOf({4, 5}, ".T * 2").last().strides, (Sizes{1, 5}));
}

}  // namespace
}  // namespace plumb::lab
