// SPDX-License-Identifier: Apache-2.0
#include "core/machine/machine_speed.h"

#include <gtest/gtest.h>

#include <vector>

namespace plumb {
namespace {

TEST(MachineSpeed, IsTheMedianOfEachPartAndItsSpreadThatOfTheWorst) {
    EXPECT_FALSE(medianOf({}).has_value());
    EXPECT_EQ(spreadOf({}), 0);
    const std::vector<SpeedProbe> probes{{100, 10, 5}, {300, 10, 5}, {200, 11, 5}};
    EXPECT_EQ(medianOf(probes), (SpeedProbe{200, 10, 5}));
    EXPECT_NEAR(spreadOf(probes), (280.0 - 120.0) / 200, 1e-12);
    EXPECT_EQ(spreadOf(std::vector<SpeedProbe>{{1, 2, 3}}), 0);
}

TEST(MachineSpeed, IsRelativePartByPart) {
    const RelativeSpeed speed = relativeSpeed({60, 10, 12}, {100, 10, 10});
    EXPECT_DOUBLE_EQ(speed.product, 0.6);
    EXPECT_DOUBLE_EQ(speed.copy, 1);
    EXPECT_DOUBLE_EQ(speed.loop, 1.2);
    EXPECT_DOUBLE_EQ(relativeSpeed({}, {100, 10, 10}).product, 1) << "nothing was probed";
}

TEST(MachineSpeed, ABusyMachineIsToldFromAQuietOne) {
    EXPECT_EQ(disturbanceOf({{1, 1, 1}, 0.1, 0.2, 50}), "");
    const std::string varied = disturbanceOf({{1, 1, 1}, 0.6, 0, 50});
    EXPECT_NE(varied.find("varied by 60 %"), std::string::npos) << varied;
    EXPECT_NE(varied.find("calibrate again"), std::string::npos) << varied;
    EXPECT_NE(disturbanceOf({{1, 1, 1}, 0.1, 1.5, 50}).find("1.5 other programs"), std::string::npos);
    const std::string shared = disturbanceOf({{1, 1, 1}, 0.6, 0, 50, "1 other program used this device"});
    EXPECT_NE(shared.find("varied by 60 %, and 1 other program used this device)"), std::string::npos)
        << shared;
}

}  // namespace
}  // namespace plumb
