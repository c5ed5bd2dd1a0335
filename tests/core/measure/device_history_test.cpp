// SPDX-License-Identifier: Apache-2.0
#include "core/measure/device_history.h"

#include "core/measure/telemetry_json.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace plumb {
namespace {

DeviceMoment momentAt(std::int64_t step, std::vector<Throttle> throttles = {}) {
    DeviceMoment moment;
    moment.step = step;
    moment.seconds = static_cast<double>(step) / 100;
    moment.sample.smClockHz = 2e9 - static_cast<double>(step);
    moment.sample.throttles = std::move(throttles);
    return moment;
}

TEST(DeviceHistory, LacksWhatNoMomentHasAndSaysItOnce) {
    DeviceHistory history;
    DeviceMoment first = momentAt(0);
    first.sample.absent = {{"power", "once"}, {"energy", "never"}};
    DeviceMoment second = momentAt(1);
    second.sample.absent = {{"energy", "never"}};
    history.add(first);
    history.add(second);
    EXPECT_EQ(history.absent, (std::vector<Absence>{{"energy", "never"}}));
    EXPECT_TRUE(history.moments.front().sample.absent.empty());
}

TEST(DeviceHistory, KeepsWhatHeldTheDeviceBackWhenItIsThinned) {
    DeviceHistory history;
    for (std::int64_t step = 0; step < 5000; ++step)
        history.add(momentAt(step, step == 1234 ? std::vector<Throttle>{Throttle::PowerLimit}
                                                : std::vector<Throttle>{}));
    EXPECT_LE(history.moments.size(), DeviceHistory::kMostMoments);
    EXPECT_EQ(history.moments.back().step, 4999);
    EXPECT_EQ(
        disturbancesOf(history),
        (std::vector<std::string>{"the clock of this device was held down by its power limit (step 1234)"}));
    for (std::size_t i = 1; i < history.moments.size(); ++i)
        EXPECT_LT(history.moments[i - 1].step, history.moments[i].step);
}

TEST(DeviceHistory, SaysDuringWhichStepsOthersUsedTheDevice) {
    DeviceHistory history;
    for (std::int64_t step = 0; step < 4; ++step) {
        DeviceMoment moment = momentAt(step, {Throttle::Temperature});
        moment.sample.processes = std::vector<DeviceProcess>{};
        if (step == 1 || step == 2) moment.sample.processes = {{4242, Bytes{step * 1'000'000'000}}};
        history.add(moment);
    }
    EXPECT_EQ(disturbancesOf(history),
              (std::vector<std::string>{
                  "the clock of this device was held down by its temperature (steps 0 to 3)",
                  "1 other program used this device (process 4242 with 2.00 GB), steps 1 to 2"}));
    EXPECT_TRUE(disturbancesOf(DeviceHistory{}).empty());
}

TEST(DeviceHistory, IsRefusedWithMoreMomentsThanItKeeps) {
    DeviceHistory history;
    for (std::int64_t step = 0; step < 200; ++step) history.add(momentAt(step));
    nlohmann::json document = toJson(history);
    const auto read = fromJson<DeviceHistory>(document);
    ASSERT_TRUE(read.has_value()) << read.error().text();
    EXPECT_EQ(*read, history);
    for (int i = 0; i < 100; ++i) document["moments"].push_back(document["moments"][0]);
    EXPECT_FALSE(fromJson<DeviceHistory>(document).has_value());
}

}  // namespace
}  // namespace plumb
