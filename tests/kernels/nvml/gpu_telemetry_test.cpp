// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/gpu_telemetry.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <unistd.h>

namespace plumb::cuda {
namespace {

constexpr const char* kUuid = "GPU-00112233-4455-6677-8899-aabbccddeeff";

class FakeNvml : public ::testing::Test {
protected:
    static DeviceSample sampled(const char* file = FAKE_NVML) { return GpuTelemetry(kUuid, file).sample(); }
    static std::string whyNot(const DeviceSample& sample, const std::string& what) {
        for (const Absence& absence : sample.absent)
            if (absence.what == what) return absence.why;
        return "";
    }
    static void set(const char* variable, const std::string& value) { setenv(variable, value.c_str(), 1); }
    void TearDown() override {
        for (const char* variable : {"FAKE_NVML_FAIL", "FAKE_NVML_MIG", "FAKE_NVML_CLOCK",
                                     "FAKE_NVML_REASONS", "FAKE_NVML_PROCESSES"})
            unsetenv(variable);
    }
};

TEST_F(FakeNvml, TellsClocksPowerAndTemperatureInUnitsOfTheInternationalSystem) {
    const DeviceSample sample = sampled();
    EXPECT_EQ(sample.smClockHz, 1.98e9);
    EXPECT_EQ(sample.memoryClockHz, 3.201e9);
    EXPECT_DOUBLE_EQ(sample.powerWatts.value_or(0), 412.5);
    EXPECT_DOUBLE_EQ(sample.powerLimitWatts.value_or(0), 700);
    EXPECT_EQ(sample.temperatureCelsius, 62);
    EXPECT_DOUBLE_EQ(sample.utilisation.value_or(0), 0.97);
    EXPECT_EQ(sample.throttles, std::vector<Throttle>{});
    EXPECT_EQ(sample.processes, std::vector<DeviceProcess>{});
    EXPECT_TRUE(sample.absent.empty());
    EXPECT_TRUE(disturbancesOf(sample).empty());
}

TEST_F(FakeNvml, CountsEnergyInJoules) {
    GpuTelemetry device(kUuid, FAKE_NVML);
    const auto before = device.energy();
    const auto after = device.energy();
    ASSERT_TRUE(before.has_value() && after.has_value());
    EXPECT_DOUBLE_EQ(*after - *before, 100);
}

TEST_F(FakeNvml, NamesWhatHoldsTheClocksDown) {
    set("FAKE_NVML_CLOCK", "1200");
    set("FAKE_NVML_REASONS", "0x25");  // idle says nothing
    DeviceSample sample = sampled();
    EXPECT_EQ(sample.smClockHz, 1.2e9);
    EXPECT_EQ(sample.throttles, (std::vector<Throttle>{Throttle::PowerLimit, Throttle::Temperature}));
    EXPECT_EQ(disturbancesOf(sample).front(), "the clock of this device is held down by its power limit");
    set("FAKE_NVML_REASONS", "0x40000");
    sample = sampled();
    EXPECT_EQ(sample.throttles, std::vector<Throttle>{Throttle::Other}) << "a reason of later drivers";
}

TEST_F(FakeNvml, LeavesItselfOutOfTheProcesses) {
    set("FAKE_NVML_PROCESSES", std::to_string(getpid()) + ":500,4242:3000000000,77:?");
    const DeviceSample sample = sampled();
    EXPECT_EQ(sample.processes,
              (std::vector<DeviceProcess>{{4242, Bytes{3'000'000'000}}, {77, std::nullopt}}));
    EXPECT_EQ(disturbancesOf(sample).front(),
              "2 other programs use this device (process 4242 with 3.00 GB, process 77)");
}

TEST_F(FakeNvml, ListsMoreProcessesThanFitAtFirst) {
    std::string list;
    for (int pid = 1'000'001; pid <= 1'000'040; ++pid)
        list += (list.empty() ? "" : ",") + std::to_string(pid) + ":1";
    set("FAKE_NVML_PROCESSES", list);
    EXPECT_EQ(sampled().processes->size(), 40U);
}

TEST_F(FakeNvml, SaysOfEachNumberWhyItIsNotThere) {
    set("FAKE_NVML_FAIL", "nvmlDeviceGetPowerUsage=4,nvmlDeviceGetTotalEnergyConsumption=4,"
                          "nvmlDeviceGetComputeRunningProcesses_v3=3,nvmlDeviceGetTemperature=999");
    const DeviceSample sample = sampled();
    EXPECT_TRUE(sample.smClockHz.has_value()) << "the others go on";
    EXPECT_FALSE(sample.powerWatts.has_value());
    EXPECT_FALSE(sample.processes.has_value());
    EXPECT_NE(whyNot(sample, "power").find("no permission"), std::string::npos);
    EXPECT_NE(whyNot(sample, "other programs").find("does not tell"), std::string::npos);
    EXPECT_NE(whyNot(sample, "temperature").find("Unknown Error"), std::string::npos);
    // Once, though two numbers lack it.
    EXPECT_EQ(absenceTexts(sample.absent).size(), 3U);
}

TEST_F(FakeNvml, SaysOnceAndInTheSameWordsThatTheDeviceIsLost) {
    std::string all;
    for (const char* function :
         {"nvmlDeviceGetClockInfo", "nvmlDeviceGetPowerUsage", "nvmlDeviceGetEnforcedPowerLimit",
          "nvmlDeviceGetTotalEnergyConsumption", "nvmlDeviceGetTemperature", "nvmlDeviceGetUtilizationRates",
          "nvmlDeviceGetCurrentClocksEventReasons", "nvmlDeviceGetComputeRunningProcesses_v3"})
        all += std::string(all.empty() ? "" : ",") + function + "=15";
    set("FAKE_NVML_FAIL", all);
    GpuTelemetry device(kUuid, FAKE_NVML);
    EXPECT_EQ(device.energy().error().code, ErrorCode::DeviceLost);
    const auto texts = absenceTexts(device.sample().absent);
    ASSERT_EQ(texts.size(), 1U);
    EXPECT_NE(texts.front().find(": the GPU is lost to this program (NVML_ERROR_GPU_IS_LOST"),
              std::string::npos)
        << texts.front();
}

TEST_F(FakeNvml, UsesWhatAnOlderDriverHas) {
    set("FAKE_NVML_REASONS", "4");
    const DeviceSample sample = sampled(FAKE_OLD_NVML);
    EXPECT_EQ(sample.throttles, std::vector<Throttle>{Throttle::PowerLimit});
    EXPECT_FALSE(sample.energyJoules.has_value());
    EXPECT_NE(whyNot(sample, "energy").find("lacks nvmlDeviceGetTotalEnergyConsumption"), std::string::npos);
    EXPECT_NE(whyNot(sample, "energy").find("update the driver"), std::string::npos);
}

TEST_F(FakeNvml, FindsAnInstanceByItsOwnUuidAndAsksItsCard) {
    set("FAKE_NVML_MIG", "1");
    const DeviceSample sample = sampled();
    EXPECT_EQ(sample.smClockHz, 1.98e9);
    EXPECT_FALSE(sample.energyJoules.has_value()) << "others use that card, too";
    const auto texts = absenceTexts(sample.absent);
    ASSERT_EQ(texts.size(), 1U);
    EXPECT_NE(texts.front().find("power of this instance alone"), std::string::npos) << texts.front();
    EXPECT_NE(texts.front().find("MIG"), std::string::npos);
}

TEST_F(FakeNvml, SaysOnceWhereItIsNotThereOrDoesNotStart) {
    const DeviceSample nowhere = sampled("/nowhere/libnvidia-ml.so.1");
    ASSERT_EQ(nowhere.absent.size(), 1U);
    EXPECT_NE(nowhere.absent.front().why.find("/nowhere/libnvidia-ml.so.1"), std::string::npos);
    EXPECT_EQ(GpuTelemetry(kUuid, "/nowhere/x").energy().error().code, ErrorCode::Unavailable);
    set("FAKE_NVML_FAIL", "nvmlInit_v2=9");
    const DeviceSample stopped = sampled();
    ASSERT_EQ(stopped.absent.size(), 1U);
    EXPECT_NE(stopped.absent.front().why.find("Driver Not Loaded"), std::string::npos);
    set("FAKE_NVML_FAIL", "nvmlDeviceGetHandleByUUID=6");
    const DeviceSample unknown = sampled();
    ASSERT_EQ(unknown.absent.size(), 1U);
    EXPECT_FALSE(unknown.smClockHz.has_value());
}

// The last one: what it learns holds until the program ends.
TEST_F(FakeNvml, KnowsItselfByTheNumberThatTheDriverGivesItInAContainer) {
    set("FAKE_NVML_PROCESSES", "900001:5");
    GpuTelemetry device(kUuid, FAKE_NVML);
    set("FAKE_NVML_PROCESSES", "900001:5,900002:7");
    EXPECT_EQ(device.sample().processes->size(), 2U);
    device.knowSelf();
    EXPECT_EQ(device.sample().processes, (std::vector<DeviceProcess>{{900001, Bytes{5}}}));
}

}  // namespace
}  // namespace plumb::cuda
