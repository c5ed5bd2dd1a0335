// SPDX-License-Identifier: Apache-2.0
#include "core/base/philox.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <tuple>

namespace plumb {
namespace {

struct KnownAnswer {
    PhiloxBlock counter;
    std::uint32_t key0;
    std::uint32_t key1;
    PhiloxBlock answer;
};

// philox4x32 with 10 rounds in Random123's tests/kat_vectors (D. E. Shaw Research, BSD licence).
constexpr KnownAnswer kKnownAnswers[] = {
    {{{0, 0, 0, 0}}, 0, 0, {{0x6627e8d5U, 0xe169c58dU, 0xbc57ac4cU, 0x9b00dbd8U}}},
    {{{0xffffffffU, 0xffffffffU, 0xffffffffU, 0xffffffffU}},
     0xffffffffU,
     0xffffffffU,
     {{0x408f276dU, 0x41c83b0eU, 0xa20bc7c6U, 0x6d5451fdU}}},
    {{{0x243f6a88U, 0x85a308d3U, 0x13198a2eU, 0x03707344U}},
     0xa4093822U,
     0x299f31d0U,
     {{0xd16cfe09U, 0x94fdccebU, 0x5001e420U, 0x24126ea1U}}},
};

TEST(Philox, GivesThePublishedAnswers) {
    for (const KnownAnswer& known : kKnownAnswers) {
        const PhiloxBlock block = philox4x32(known.counter, known.key0, known.key1);
        for (int i = 0; i < 4; ++i) EXPECT_EQ(block.word[i], known.answer.word[i]) << "word " << i;
    }
}

TEST(Philox, SeedStreamPartAndIndexAllChangeTheNumbers) {
    const auto words = [](std::uint64_t seed, RandomStream stream, std::uint32_t sub, std::uint64_t index) {
        const PhiloxBlock block = philoxAt(seed, stream, sub, index);
        return std::tuple(block.word[0], block.word[1], block.word[2], block.word[3]);
    };
    std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>> seen;
    int asked = 0;
    for (const std::uint64_t seed : {0ULL, 1ULL, 1ULL << 32U, ~0ULL}) {
        for (const RandomStream stream :
             {RandomStream::Weights, RandomStream::Head, RandomStream::Features, RandomStream::Noise}) {
            for (const std::uint32_t sub : {0U, 1U, 7U}) {
                for (const std::uint64_t index : {0ULL, 1ULL, 1ULL << 32U}) {
                    seen.insert(words(seed, stream, sub, index));
                    ++asked;
                }
            }
        }
    }
    EXPECT_EQ(static_cast<int>(seen.size()), asked);
}

TEST(NormalFromPhilox, HasTheMomentsOfItsDefinition) {
    constexpr int kCount = 1 << 20;
    double sum = 0;
    double squares = 0;
    double cubes = 0;
    double fourths = 0;
    for (int i = 0; i < kCount; ++i) {
        const double value =
            normalFromPhilox(philoxAt(42, RandomStream::Weights, 3, static_cast<std::uint64_t>(i)));
        sum += value;
        squares += value * value;
        cubes += value * value * value;
        fourths += value * value * value * value;
    }
    // Five standard errors of each estimate over 2^20 samples; Irwin-Hall of 8 has kurtosis 3 - 1.2/8.
    EXPECT_NEAR(sum / kCount, 0.0, 0.005);
    EXPECT_NEAR(squares / kCount, 1.0, 0.007);
    EXPECT_NEAR(cubes / kCount, 0.0, 0.019);
    EXPECT_NEAR(fourths / kCount, 2.85, 0.05);
}

TEST(NormalFromPhilox, IsSymmetricAndBounded) {
    constexpr PhiloxBlock kLowest{{0, 0, 0, 0}};
    constexpr PhiloxBlock kHighest{{~0U, ~0U, ~0U, ~0U}};
    EXPECT_EQ(normalFromPhilox(kLowest), -normalFromPhilox(kHighest));
    EXPECT_NEAR(normalFromPhilox(kHighest), std::sqrt(24.0), 1e-3);
}

TEST(TruncatedNormal, IsTheNormalDeviateWithinThreeSigmaAndAnotherOneBeyond) {
    constexpr int kCount = 1 << 18;
    int repeated = 0;
    double squares = 0;
    for (int i = 0; i < kCount; ++i) {
        const auto index = static_cast<std::uint64_t>(i);
        const float plain = normalFromPhilox(philoxAt(42, RandomStream::Weights, 3, index));
        const float value = truncatedNormalAt(42, RandomStream::Weights, 3, index);
        ASSERT_LE(std::fabs(value), 3.0F);
        if (std::fabs(plain) <= 3.0F) {
            ASSERT_EQ(value, plain);
        } else {
            ++repeated;
            const float second =
                normalFromPhilox(philoxAt(42, RandomStream::Weights, 3 + (1U << 24U), index));
            if (std::fabs(second) <= 3.0F) {
                ASSERT_EQ(value, second);
            }
        }
        squares += static_cast<double>(value) * static_cast<double>(value);
    }
    // One in 605 by the sum of eight uniforms; five standard errors of that count.
    EXPECT_NEAR(repeated, kCount / 605.0, 105);
    EXPECT_NEAR(std::sqrt(squares / kCount), 0.992, 0.007);
    static_assert(truncatedNormalAt(1, RandomStream::Head, 2, 3) <= 3.0F);
}

}  // namespace
}  // namespace plumb
