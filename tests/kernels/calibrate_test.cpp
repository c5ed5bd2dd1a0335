// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/calibrate.h"

#include <gtest/gtest.h>

namespace plumb {
namespace {

TEST(Calibrate, StopsWhenAskedAndChangesNothing) {
    std::stop_source stop;
    stop.request_stop();
    int reports = 0;
    const auto machine = calibrateCpu(
        [&](std::string_view, int done, int total) {
            EXPECT_LT(done, total);
            ++reports;
        },
        stop.get_token());
    ASSERT_FALSE(machine.has_value());
    EXPECT_EQ(machine.error().code, ErrorCode::RunFailed);
    EXPECT_EQ(reports, 1);
}

}  // namespace
}  // namespace plumb
