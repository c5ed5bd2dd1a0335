// SPDX-License-Identifier: Apache-2.0
#include "core/comm/world.h"

#include "tests/core/comm/on_ranks.h"

#include <gtest/gtest.h>

namespace plumb::test {
namespace {

TEST(World, GathersWhatEachRankSaysRoundByRound) {
    onRanks(4, [](World& world) {
        for (int round = 0; round < 50; ++round) {
            const auto all = world.gather(std::to_string(100 * round + world.rank()));
            ASSERT_TRUE(all.has_value());
            for (int rank = 0; rank < 4; ++rank)
                EXPECT_EQ((*all)[static_cast<std::size_t>(rank)], std::to_string(100 * round + rank));
        }
    });
}

TEST(World, BroadcastsWhatTheRootSays) {
    onRanks(3, [](World& world) {
        const auto said = world.broadcast("from " + std::to_string(world.rank()), 2);
        ASSERT_TRUE(said.has_value());
        EXPECT_EQ(*said, "from 2");
    });
}

TEST(World, VotesForTheWorstFailureAndNamesItsRank) {
    onRanks(4, [](World& world) {
        EXPECT_TRUE(world.vote({}).has_value());
        Result<void> mine;
        if (world.rank() == 1) mine = badInput("a file is torn", "copy it again");
        if (world.rank() >= 2)
            mine = Error{ErrorCode::OutOfMemory, "4 GB do not fit", "use smaller batches: 2 fit"};
        const auto all = world.vote(mine);
        ASSERT_FALSE(all.has_value());
        EXPECT_EQ(all.error().code, ErrorCode::OutOfMemory);
        EXPECT_EQ(all.error().message, "rank 2: 4 GB do not fit");
        EXPECT_EQ(all.error().hint, "use smaller batches: 2 fit");
        EXPECT_TRUE(world.vote({}).has_value()) << "and goes on afterwards";
    });
}

TEST(World, WaitsForNobodyWhoHasEnded) {
    onRanks(3, [](World& world) {
        if (world.rank() == 0) return;
        const auto all = world.gather("here");
        ASSERT_FALSE(all.has_value());
        EXPECT_EQ(all.error().message,
                  "rank 0 has ended while rank " + std::to_string(world.rank()) + " waits for it");
    });
}

TEST(World, AbortEndsEveryWaitWithTheFirstReason) {
    onRanks(3, [](World& world) {
        if (world.rank() == 0) {
            world.abort({ErrorCode::DeviceLost, "the device is gone", "restart it"});
            world.abort({ErrorCode::Io, "something later", "look at it"});
        }
        const auto all = world.gather("here");
        // Rank 0's own call comes after its abort; the others' may have been complete before only with it.
        ASSERT_FALSE(all.has_value());
        EXPECT_EQ(all.error().message, "the device is gone");
    });
}

}  // namespace
}  // namespace plumb::test
