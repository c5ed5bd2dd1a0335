// SPDX-License-Identifier: Apache-2.0
#include "core/train/token_batches.h"

#include "tests/train/npy_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace plumb {
namespace {

using testing::AllOf;
using testing::HasSubstr;

RunConfig configOf(const std::string& path, std::int64_t dim, std::int64_t outputs, std::int64_t vocabulary) {
    RunConfig config;
    config.dim = dim;
    config.outputs = outputs;
    config.data = path;
    config.vocabulary = vocabulary;
    config.seed = 11;
    return config;
}

template <class Id>
std::string counting(const std::string& name, std::size_t tokens) {
    std::vector<Id> ids(tokens);
    std::iota(ids.begin(), ids.end(), Id{0});
    return test::writeTokens(name, ids);
}

std::string errorOf(const RunConfig& config, TokenType type) {
    auto batches = TokenBatches::open(config, type);
    if (!batches.has_value()) return batches.error().text();
    std::vector<float> x(static_cast<std::size_t>(config.dim)), t(static_cast<std::size_t>(config.outputs));
    for (std::int64_t i = 0; i < (*batches)->samples(); ++i) {
        auto copied = (*batches)->copySamples(i, x, t);
        if (!copied.has_value()) return copied.error().text();
    }
    return "no error";
}

TEST(TokenBatches, CutsWindowsWithTheirNextTokensAndEveryTokenOncePerEpoch) {
    constexpr std::int64_t kDim = 5, kOutputs = 2;
    const auto check = [&](const std::string& path, TokenType type) {
        // 33 tokens: six windows of 5, the last with targets 30 and 31; token 32 is left over.
        auto batches = TokenBatches::open(configOf(path, kDim, kOutputs, 64), type);
        ASSERT_TRUE(batches.has_value()) << batches.error().text();
        ASSERT_EQ((*batches)->samples(), 6);
        std::vector<float> x(18 * kDim), t(18 * kOutputs);
        ASSERT_TRUE((*batches)->copySamples(0, x, t).has_value());  // three epochs
        std::vector<int> seen(33);
        const auto idOf = [](float scaled) {
            return static_cast<std::int64_t>(std::lround((scaled / std::sqrt(12.0) + 0.5) * 64));
        };
        for (std::size_t sample = 0; sample < 18; ++sample) {
            const std::int64_t first = idOf(x[sample * kDim]);
            EXPECT_EQ(first % kDim, 0);
            for (std::size_t i = 0; i < kDim; ++i) {
                const std::int64_t id = idOf(x[sample * kDim + i]);
                EXPECT_EQ(id, first + static_cast<std::int64_t>(i));
                EXPECT_EQ(x[sample * kDim + i],
                          static_cast<float>((static_cast<double>(id) / 64 - 0.5) * std::sqrt(12.0)));
                ++seen[static_cast<std::size_t>(id)];
            }
            for (std::size_t k = 0; k < kOutputs; ++k)
                EXPECT_EQ(idOf(t[sample * kOutputs + k]), first + kDim + static_cast<std::int64_t>(k));
            EXPECT_EQ((*batches)->describe(static_cast<std::int64_t>(sample)),
                      "tokens " + std::to_string(first) + " to " + std::to_string(first + 6) + " of " + path);
        }
        for (std::size_t id = 0; id < 33; ++id) EXPECT_EQ(seen[id], id < 30 ? 3 : 0) << id;
    };
    check(counting<std::uint16_t>("a.u16", 33), TokenType::U16);
    check(counting<std::int32_t>("a.i32", 33), TokenType::I32);
}

TEST(TokenBatches, ScalesEvenlySpreadIdsToMeanZeroAndVarianceOne) {
    const std::string path = counting<std::uint16_t>("all.u16", 65536);
    auto batches = TokenBatches::open(configOf(path, 64, 1, 65536), TokenType::U16);
    ASSERT_TRUE(batches.has_value());
    const auto samples = static_cast<std::size_t>((*batches)->samples());
    std::vector<float> x(samples * 64), t(samples);
    ASSERT_TRUE((*batches)->copySamples(0, x, t).has_value());
    double sum = 0, squares = 0;
    for (const float value : x) {
        sum += static_cast<double>(value);
        squares += static_cast<double>(value) * static_cast<double>(value);
    }
    const auto count = static_cast<double>(x.size());
    EXPECT_NEAR(sum / count, 0, 3e-3);
    EXPECT_NEAR(squares / count, 1, 5e-3);
}

TEST(TokenBatches, RefusesFilesThatAreNotOfTokens) {
    const RunConfig missing = configOf(test::temporaryPath("none.u16"), 4, 1, 10);
    EXPECT_THAT(errorOf(missing, TokenType::U16), HasSubstr("none.u16"));
    const std::string odd = test::writeTokens<char>("odd.u16", std::vector<char>(33, 0));
    EXPECT_THAT(errorOf(configOf(odd, 4, 1, 10), TokenType::U16),
                AllOf(HasSubstr("odd.u16"), HasSubstr("2-byte token ids (33 bytes)"), HasSubstr("uint16")));
    EXPECT_THAT(errorOf(configOf(odd, 4, 1, 10), TokenType::I32), HasSubstr("4-byte token ids (33 bytes)"));
    const std::string empty = test::writeTokens<char>("empty.u16", {});
    EXPECT_THAT(errorOf(configOf(empty, 4, 1, 10), TokenType::U16), HasSubstr("is empty"));
    const std::string brief = counting<std::uint16_t>("short.u16", 8);
    EXPECT_THAT(errorOf(configOf(brief, 8, 1, 10), TokenType::U16),
                AllOf(HasSubstr("too short"), HasSubstr("8 + 1"), HasSubstr("(8 tokens)")));
    EXPECT_EQ(errorOf(configOf(brief, 7, 1, 10), TokenType::U16), "no error");
    EXPECT_THAT(errorOf(configOf(brief, std::int64_t{1} << 40, 1, 10), TokenType::U16),
                HasSubstr("too short"));
}

TEST(TokenBatches, NamesAnIdThatTheVocabularyDoesNotHold) {
    EXPECT_THAT(errorOf(configOf(counting<std::uint16_t>("v.u16", 40), 4, 1, 39), TokenType::U16), "no error")
        << "token 39 is left over";
    EXPECT_THAT(
        errorOf(configOf(counting<std::uint16_t>("v.u16", 40), 3, 1, 39), TokenType::U16),
        AllOf(HasSubstr("token 39 of"), HasSubstr("vocabulary of 39 (39)"), HasSubstr("--vocabulary 40")));
    const std::string negative = test::writeTokens<std::int32_t>("n.i32", {1, 2, -7, 3, 4});
    EXPECT_THAT(errorOf(configOf(negative, 4, 1, 10), TokenType::I32),
                AllOf(HasSubstr("token 2 of"), HasSubstr("negative (-7)")));
    const std::string huge = test::writeTokens<std::int32_t>("h.i32", {1, 2, 2147483647, 3, 4});
    EXPECT_THAT(errorOf(configOf(huge, 4, 1, 10), TokenType::I32), HasSubstr("--vocabulary 2147483648"));
    EXPECT_EQ(errorOf(configOf(huge, 4, 1, 2147483648), TokenType::I32), "no error");
}

}  // namespace
}  // namespace plumb
