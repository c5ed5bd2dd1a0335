// SPDX-License-Identifier: Apache-2.0
#include "core/measure/training_series.h"

#include <gtest/gtest.h>

namespace plumb {
namespace {

TEST(TrainingSeries, SaysHowItEnded) {
    EXPECT_EQ(endOf("finished"), TrainingEnd::Finished);
    for (const char* stopped : {"stopped", "stopped after 12 steps"})
        EXPECT_EQ(endOf(stopped), TrainingEnd::Stopped) << stopped;
    for (const char* failed :
         {"diverged at step 12: lower the learning rate", "failed at step 3: out of memory",
          "the engine ended during step 7", "a loss of another program"})
        EXPECT_EQ(endOf(failed), TrainingEnd::Failed) << failed;
    for (const std::string_view unseen : {std::string_view(), kStillRunning, kFromFile})
        EXPECT_EQ(endOf(unseen), TrainingEnd::Unknown) << unseen;
}

}  // namespace
}  // namespace plumb
