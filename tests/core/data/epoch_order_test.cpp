// SPDX-License-Identifier: Apache-2.0
#include "core/data/epoch_order.h"

#include <gtest/gtest.h>

#include <array>
#include <set>
#include <vector>

namespace plumb {
namespace {

TEST(EpochOrder, VisitsEverySampleOncePerEpoch) {
    for (const std::int64_t count : {1, 2, 3, 4, 5, 16, 17, 64, 100, 1797}) {
        const EpochOrder order(count, 3);
        for (std::int64_t epoch = 0; epoch < 3; ++epoch) {
            std::set<std::int64_t> seen;
            for (std::int64_t i = 0; i < count; ++i) seen.insert(order.at(epoch * count + i));
            EXPECT_EQ(static_cast<std::int64_t>(seen.size()), count);
            EXPECT_EQ(*seen.begin(), 0);
            EXPECT_EQ(*seen.rbegin(), count - 1);
        }
    }
}

TEST(EpochOrder, DiffersBetweenSeedsAndEpochs) {
    const EpochOrder order(1000, 0), other(1000, 1);
    int sameSeed = 0, sameEpoch = 0;
    for (std::int64_t i = 0; i < 1000; ++i) {
        sameSeed += order.at(i) == other.at(i) ? 1 : 0;
        sameEpoch += order.at(i) == order.at(1000 + i) ? 1 : 0;
    }
    EXPECT_LT(sameSeed, 20);  // one on average
    EXPECT_LT(sameEpoch, 20);
}

// Recorded: a run must find its place again after an update of the program.
TEST(EpochOrder, StaysWhatItIs) {
    const EpochOrder order(1797, 42);
    std::vector<std::int64_t> samples(8);
    order.fill(1793, samples);
    EXPECT_EQ(samples, (std::vector<std::int64_t>{977, 1742, 747, 1314, 725, 785, 1249, 10}));
    for (std::size_t i = 0; i < samples.size(); ++i)
        EXPECT_EQ(samples[i], order.at(1793 + static_cast<std::int64_t>(i)));
}

TEST(EpochOrder, ReachesAllOverACountThatNoArrayWouldHold) {
    constexpr std::int64_t kCount = (std::int64_t{1} << 40) + 7;
    const EpochOrder order(kCount, 5);
    std::array<int, 8> octants{};
    for (std::int64_t i = 0; i < 4000; ++i) {
        const std::int64_t sample = order.at(kCount - 2000 + i);
        ASSERT_TRUE(sample >= 0 && sample < kCount);
        ++octants[static_cast<std::size_t>(sample / (kCount / 8 + 1))];
    }
    // 500 on average, with a spread of 21.
    for (const int hits : octants) EXPECT_NEAR(hits, 500, 105);
}

}  // namespace
}  // namespace plumb
