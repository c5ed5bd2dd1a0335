// SPDX-License-Identifier: Apache-2.0
#include "core/measure/telemetry.h"

#include "core/measure/telemetry_json.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace plumb {
namespace {

DeviceSample sampleAt(double clock, std::vector<Throttle> throttles) {
    return DeviceSample{
        .smClockHz = clock, .powerLimitWatts = 300 + clock / 1e9, .throttles = std::move(throttles)};
}

TEST(Telemetry, IsMeanAndRangeOfItsSamples) {
    const std::vector<DeviceSample> samples{sampleAt(1e9, {Throttle::PowerLimit}), sampleAt(2e9, {}),
                                            sampleAt(1.8e9, {Throttle::PowerLimit, Throttle::Temperature})};
    const Telemetry telemetry = summariseSamples(samples);
    EXPECT_EQ(telemetry.samples, 3);
    ASSERT_TRUE(telemetry.smClockHz.has_value());
    EXPECT_DOUBLE_EQ(telemetry.smClockHz->mean, 1.6e9);
    EXPECT_EQ(telemetry.smClockHz->low, 1e9);
    EXPECT_EQ(telemetry.smClockHz->high, 2e9);
    EXPECT_DOUBLE_EQ(telemetry.powerLimitWatts.value_or(0), 301) << "the lowest";
    EXPECT_FALSE(telemetry.powerWatts.has_value());
    ASSERT_EQ(telemetry.throttles.size(), 2U);
    EXPECT_DOUBLE_EQ(telemetry.throttles[0].share, 2.0 / 3);
    EXPECT_DOUBLE_EQ(telemetry.throttles[1].share, 1.0 / 3);
    EXPECT_EQ(disturbancesOf(telemetry).front(),
              "the clock of this device was held down by its power limit in 67 % of the samples");
}

TEST(Telemetry, KnowsEachProcessOnceWithItsMostMemory) {
    std::vector<DeviceSample> samples(3);
    samples[0].processes = {{5, Bytes{100}}, {6, std::nullopt}};
    samples[1].processes = {{5, Bytes{300}}};
    samples[2].processes = {{6, Bytes{7}}};
    EXPECT_EQ(summariseSamples(samples).processes, (std::vector<DeviceProcess>{{5, 300}, {6, 7}}));
}

TEST(Telemetry, LacksWhatNoSampleHas) {
    std::vector<DeviceSample> samples(2);
    samples[0].absent = {{"power", "once"}, {"energy", "never"}};
    samples[1].absent = {{"temperature", "now"}, {"energy", "never"}};
    EXPECT_EQ(summariseSamples(samples).absent, (std::vector<Absence>{{"energy", "never"}}));
    EXPECT_EQ(summariseSamples({}), Telemetry{});
}

TEST(Telemetry, SaysAReasonOnce) {
    const std::vector<Absence> absent{
        {"power", "no permission"}, {"clock", "x"}, {"energy", "no permission"}};
    EXPECT_EQ(absenceTexts(absent), (std::vector<std::string>{"power, energy: no permission", "clock: x"}));
}

TEST(Telemetry, IsTheSameAfterTheWayThroughAFile) {
    DeviceSample sample = sampleAt(1.5e9, {});
    sample.processes = {{5, std::nullopt}};
    sample.absent = {{"power", "no permission"}};
    const auto read = fromJson<DeviceSample>(toJson(sample));
    ASSERT_TRUE(read.has_value()) << read.error().text();
    EXPECT_EQ(*read, sample);
    EXPECT_TRUE(read->throttles.has_value()) << "that nothing holds it down is known";
}

TEST(Telemetry, RefusesAMeanOutsideOfItsRange) {
    nlohmann::json document = toJson(summariseSamples(std::vector{sampleAt(1e9, {})}));
    document["sm_clock_hz"]["mean"] = 2e9;
    EXPECT_FALSE(fromJson<Telemetry>(document).has_value());
    document["sm_clock_hz"]["mean"] = 1e9;
    EXPECT_TRUE(fromJson<Telemetry>(document).has_value());
    document["throttles"] = {{{"reason", "mood"}, {"share", 1}}};
    EXPECT_FALSE(fromJson<Telemetry>(document).has_value());
}

}  // namespace
}  // namespace plumb
