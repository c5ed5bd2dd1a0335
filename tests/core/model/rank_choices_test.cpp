// SPDX-License-Identifier: Apache-2.0
#include "core/model/rank_choices.h"

#include <gtest/gtest.h>

#include <vector>

namespace plumb {
namespace {

TEST(RankChoices, OffersTheNumbersThatDivideTheBatchAndKeepTheMicroBatchWhole) {
    RunConfig config{.batch = 12, .microBatch = 4};
    EXPECT_EQ(rankCounts(config), (std::vector<std::int64_t>{1, 2, 3, 4, 6, 12}));
    EXPECT_EQ(withRanks(config, 2).microBatchSize(), 2) << "the largest of 4 that divides 6";
    EXPECT_EQ(withRanks(config, 3).microBatchSize(), 4);
    config.microBatch = 12;
    EXPECT_EQ(withRanks(config, 4).microBatchSize(), 3) << "all of the part";
    for (const std::int64_t count : rankCounts(config))
        EXPECT_TRUE(validate(withRanks(config, count)).has_value()) << count;
    config.parallel = {.data = 4, .zero = Zero::Weights};
    config.microBatch = 0;
    EXPECT_TRUE(validate(withRanks(config, 1)).has_value()) << "nobody is there to share with";
    EXPECT_EQ(withRanks(config, 2).parallel.zero, Zero::Weights);
    EXPECT_EQ(withRanks(withRanks(config, 4), 1).microBatchSize(), 12);
}

}  // namespace
}  // namespace plumb
