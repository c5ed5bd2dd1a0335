// SPDX-License-Identifier: Apache-2.0
#include "core/data/token_batches.h"

#include "tests/support/npy_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <numeric>

namespace plumb {
namespace {

using testing::AllOf;
using testing::HasSubstr;

RunConfig configOf(const std::string& path, std::int64_t dim, std::int64_t outputs, std::int64_t vocabulary) {
    return RunConfig{.dim = dim, .outputs = outputs, .seed = 11, .data = path, .vocabulary = vocabulary};
}

template <class Id>
std::string counting(const std::string& name, std::size_t tokens) {
    std::vector<Id> ids(tokens);
    std::iota(ids.begin(), ids.end(), Id{0});
    return test::writeTokens(name, ids);
}

std::string errorOf(const RunConfig& config, DataFormat type) {
    RunConfig typed = config;
    typed.dataFormat = type;
    auto batches = TokenBatches::open(typed);
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
    const auto check = [&](const std::string& path, DataFormat type) {
        // 33 tokens: six windows of 5, the last with targets 30 and 31; token 32 is left over.
        RunConfig config = configOf(path, kDim, kOutputs, 64);
        config.dataFormat = type;
        auto batches = TokenBatches::open(config);
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
    check(counting<std::uint16_t>("a.u16", 33), DataFormat::TokensU16);
    check(counting<std::int32_t>("a.i32", 33), DataFormat::TokensI32);
}

TEST(TokenBatches, ScalesEvenlySpreadIdsToMeanZeroAndVarianceOne) {
    const std::string path = counting<std::uint16_t>("all.u16", 65536);
    auto batches = TokenBatches::open(configOf(path, 64, 1, 65536));
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
    EXPECT_THAT(errorOf(missing, DataFormat::TokensU16), HasSubstr("none.u16"));
    const std::string odd = test::writeTokens<char>("odd.u16", std::vector<char>(33, 0));
    EXPECT_THAT(errorOf(configOf(odd, 4, 1, 10), DataFormat::TokensU16),
                AllOf(HasSubstr("odd.u16"), HasSubstr("2-byte token ids (33 bytes)"), HasSubstr("uint16")));
    EXPECT_THAT(errorOf(configOf(odd, 4, 1, 10), DataFormat::TokensI32),
                HasSubstr("4-byte token ids (33 bytes)"));
    const std::string empty = test::writeTokens<char>("empty.u16", {});
    EXPECT_THAT(errorOf(configOf(empty, 4, 1, 10), DataFormat::TokensU16), HasSubstr("is empty"));
    const std::string brief = counting<std::uint16_t>("short.u16", 8);
    EXPECT_THAT(errorOf(configOf(brief, 8, 1, 10), DataFormat::TokensU16),
                AllOf(HasSubstr("too short"), HasSubstr("8 + 1"), HasSubstr("(8 tokens)")));
    EXPECT_EQ(errorOf(configOf(brief, 7, 1, 10), DataFormat::TokensU16), "no error");
    EXPECT_THAT(errorOf(configOf(brief, std::int64_t{1} << 40, 1, 10), DataFormat::TokensU16),
                HasSubstr("too short"));
}

TEST(TokenBatches, NamesAnIdThatTheVocabularyDoesNotHold) {
    EXPECT_THAT(errorOf(configOf(counting<std::uint16_t>("v.u16", 40), 4, 1, 39), DataFormat::TokensU16),
                "no error")
        << "token 39 is left over";
    EXPECT_THAT(
        errorOf(configOf(counting<std::uint16_t>("v.u16", 40), 3, 1, 39), DataFormat::TokensU16),
        AllOf(HasSubstr("token 39 of"), HasSubstr("vocabulary of 39 (39)"), HasSubstr("--vocabulary 40")));
    const std::string negative = test::writeTokens<std::int32_t>("n.i32", {1, 2, -7, 3, 4});
    EXPECT_THAT(errorOf(configOf(negative, 4, 1, 10), DataFormat::TokensI32),
                AllOf(HasSubstr("token 2 of"), HasSubstr("negative (-7)")));
    const std::string huge = test::writeTokens<std::int32_t>("h.i32", {1, 2, 2147483647, 3, 4});
    EXPECT_THAT(errorOf(configOf(huge, 4, 1, 10), DataFormat::TokensI32),
                HasSubstr("--vocabulary 2147483648"));
    EXPECT_EQ(errorOf(configOf(huge, 4, 1, 2147483648), DataFormat::TokensI32), "no error");
}

/// A .npy of ids, by the format's own rules.
template <class Id>
std::string npyOfIds(const std::string& name, const char* descr, std::size_t tokens) {
    std::string header = std::string("{'descr': '") + descr + "', 'fortran_order': False, 'shape': (" +
                         std::to_string(tokens) + ",), }";
    while ((10 + header.size() + 1) % 64 != 0) header += ' ';
    header += '\n';
    const std::string length{static_cast<char>(header.size() & 0xffU),
                             static_cast<char>(header.size() >> 8U)};
    std::string path = test::temporaryPath(name);
    std::ofstream out(path, std::ios::binary);
    out << "\x93NUMPY" << std::string("\x01\x00", 2) << length << header;
    std::vector<Id> ids(tokens);
    std::iota(ids.begin(), ids.end(), Id{0});
    out.write(reinterpret_cast<const char*>(ids.data()), static_cast<std::streamsize>(tokens * sizeof(Id)));
    return path;
}

std::vector<float> firstEpoch(const RunConfig& config) {
    auto batches = openData(config);
    EXPECT_TRUE(batches.has_value()) << batches.error().text();
    const auto samples = static_cast<std::size_t>((*batches)->samples());
    std::vector<float> x(samples * static_cast<std::size_t>(config.dim));
    std::vector<float> t(samples * static_cast<std::size_t>(config.outputs));
    EXPECT_TRUE((*batches)->copySamples(0, x, t).has_value());
    x.insert(x.end(), t.begin(), t.end());
    return x;
}

TEST(TokenBatches, ANpyOfEveryTypeOfIdsGivesTheSameWindowsAsAFlatFile) {
    const auto expected = firstEpoch(configOf(counting<std::uint16_t>("flat.u16", 61), 5, 2, 64));
    for (const std::string& path :
         {npyOfIds<std::uint16_t>("u16.npy", "<u2", 61), npyOfIds<std::int32_t>("i32.npy", "<i4", 61),
          npyOfIds<std::int64_t>("i64.npy", "<i8", 61)})
        EXPECT_EQ(firstEpoch(configOf(path, 5, 2, 64)), expected) << path;
}

TEST(TokenBatches, AnArrayThatIsNotOfIdsSaysWhatItIs) {
    const std::string features = test::writeNpy("features.npy", 3, 4, std::vector<float>(12));
    EXPECT_THAT(errorOf(configOf(features, 4, 1, 10), DataFormat::Auto),
                AllOf(HasSubstr("fp32 of shape [3, 4]"), HasSubstr("--targets")));
    EXPECT_THAT(errorOf(configOf(npyOfIds<std::int8_t>("i8.npy", "|i1", 40), 4, 1, 64), DataFormat::Auto),
                AllOf(HasSubstr("int8"), HasSubstr("astype('int32')")));
    EXPECT_THAT(errorOf(configOf(npyOfIds<std::int64_t>("big.npy", "<i8", 40), 4, 1, 39), DataFormat::Auto),
                HasSubstr("no error"));
    EXPECT_THAT(errorOf(configOf(npyOfIds<std::int64_t>("big.npy", "<i8", 41), 4, 1, 39), DataFormat::Auto),
                HasSubstr("outside the vocabulary of 39"));
}

TEST(TokenBatches, RandomWindowsOverlapReachEverywhereAndComeBackWithTheSeed) {
    RunConfig config = configOf(counting<std::uint16_t>("r.u16", 100), 5, 2, 128);
    config.tokenWindows = TokenWindows::Random;
    auto batches = openData(config);
    ASSERT_TRUE(batches.has_value());
    EXPECT_EQ((*batches)->samples(), 19);
    std::vector<int> starts(100);
    std::vector<float> x(2000 * 5), t(2000 * 2);
    ASSERT_TRUE((*batches)->copySamples(0, x, t).has_value());
    const auto idOf = [](float scaled) {
        return static_cast<std::int64_t>(std::lround((scaled / std::sqrt(12.0) + 0.5) * 128));
    };
    for (std::size_t sample = 0; sample < 2000; ++sample) {
        const std::int64_t begin = idOf(x[sample * 5]);
        ++starts[static_cast<std::size_t>(begin)];
        for (std::size_t i = 0; i < 5; ++i)
            ASSERT_EQ(idOf(x[sample * 5 + i]), begin + static_cast<std::int64_t>(i));
        ASSERT_EQ(idOf(t[sample * 2]), begin + 5);
        ASSERT_EQ(idOf(t[sample * 2 + 1]), begin + 6);
    }
    for (std::size_t begin = 0; begin < 100; ++begin)  // 100 - 5 - 2 + 1 places, each expected 21 times
        EXPECT_EQ(starts[begin] > 4 && starts[begin] < 50, begin < 94) << begin << ": " << starts[begin];
    // Any part of the stream by itself, and again.
    std::vector<float> part(10 * 5), targets(10 * 2);
    ASSERT_TRUE((*batches)->copySamples(1234, part, targets).has_value());
    EXPECT_TRUE(std::equal(part.begin(), part.end(), x.begin() + 1234 * 5));
    EXPECT_THAT((*batches)->describe(1234), HasSubstr("tokens " + std::to_string(idOf(part[0])) + " to "));
    config.seed += 1;
    EXPECT_NE(firstEpoch(config), std::vector<float>(x.begin(), x.begin() + 19 * 5));
}

TEST(TokenBatches, NoWindowOfTheTrainingReachesIntoWhatIsHeldOut) {
    for (const TokenWindows windows : {TokenWindows::Consecutive, TokenWindows::Random})
        for (const std::int64_t outputs : {1, 5, 12}) {
            RunConfig config = configOf(counting<std::uint16_t>("h.u16", 203), 5, outputs, 256);
            config.tokenWindows = windows;
            config.holdOut = 0.2;
            auto batches = openData(config);
            ASSERT_TRUE(batches.has_value()) << batches.error().text();
            const std::int64_t held = (*batches)->heldOut();
            EXPECT_NEAR(static_cast<double>(held) / 39, 0.2, 0.04);
            const auto width = static_cast<std::size_t>(outputs);
            const auto idOf = [](float scaled) {
                return std::lround((scaled / std::sqrt(12.0) + 0.5) * 256);
            };
            std::vector<float> x(500 * 5), t(500 * width);
            ASSERT_TRUE((*batches)->copySamples(0, x, t).has_value());
            long last = 0;
            for (std::size_t i = 0; i < t.size(); ++i) last = std::max(last, idOf(t[i]));
            std::vector<float> hx(static_cast<std::size_t>(held) * 5),
                ht(static_cast<std::size_t>(held) * width);
            ASSERT_TRUE((*batches)->copyHeldOut(0, hx, ht).has_value());
            EXPECT_LT(last, idOf(hx[0]));
            EXPECT_LE(idOf(ht.back()), 202);
        }
    RunConfig brief = configOf(counting<std::uint16_t>("hb.u16", 12), 5, 1, 256);
    brief.holdOut = 0.5;
    EXPECT_THAT(errorOf(brief, DataFormat::Auto), HasSubstr("one to hold out"));
}

}  // namespace
}  // namespace plumb
