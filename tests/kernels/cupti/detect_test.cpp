// SPDX-License-Identifier: Apache-2.0
#include "kernels/cupti/detect.h"

#include "tests/kernels/cupti/fake_cupti.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace plumb::cupti {
namespace {

using testing::HasSubstr;

struct Case {
    const char* name;
    std::function<void(FakeCupti&)> change;
    ProfilingState state;
    const char* says;
    const char* mustNotCall;  ///< the first function that would be asked after this one; it may crash
};

const std::vector<Case> kCases{
    {"NoDriver", [](FakeCupti& f) { f.driverThere = false; }, ProfilingState::NoDriver, "no NVIDIA driver",
     "cuInit"},
    {"Stub", [](FakeCupti& f) { f.driverFails["cuInit"] = CUDA_ERROR_STUB_LIBRARY; },
     ProfilingState::StubDriver, "stub", "cuDriverGetVersion"},
    {"NoDeviceAtInit", [](FakeCupti& f) { f.driverFails["cuInit"] = CUDA_ERROR_NO_DEVICE; },
     ProfilingState::NoDevice, "no GPU", "cuDriverGetVersion"},
    {"Mismatch", [](FakeCupti& f) { f.driverFails["cuInit"] = CUDA_ERROR_SYSTEM_DRIVER_MISMATCH; },
     ProfilingState::DriverBroken, "differ in version", "cuDriverGetVersion"},
    {"DriverFails", [](FakeCupti& f) { f.driverFails["cuInit"] = CUDA_ERROR_UNKNOWN; },
     ProfilingState::DriverBroken, "999", "cuDriverGetVersion"},
    {"OldDriver", [](FakeCupti& f) { f.driverVersion = 12080; }, ProfilingState::DriverTooOld, "CUDA 12.8",
     "cuDeviceGetCount"},
    {"NoDevice", [](FakeCupti& f) { f.devices = 0; }, ProfilingState::NoDevice, "no GPU", "cuptiGetVersion"},
    {"NoContext", [](FakeCupti& f) { f.context = false; }, ProfilingState::NoContext, "not started",
     "cuptiGetVersion"},
    {"NoCupti", [](FakeCupti& f) { f.cuptiThere = false; }, ProfilingState::CuptiMissing, "CUPTI",
     "cuptiGetVersion"},
    {"OldCupti", [](FakeCupti& f) { f.cuptiVersion = 130000; }, ProfilingState::CuptiTooOld, "130000",
     "cuptiComputeCapabilitySupported"},
    {"NewCupti", [](FakeCupti& f) { f.cuptiVersion = 140000; }, ProfilingState::CuptiTooNew, "140000",
     "cuptiComputeCapabilitySupported"},
    {"OldDevice", [](FakeCupti& f) { f.computeSupported = 0; }, ProfilingState::DeviceTooOld, "9.9",
     "cuptiSubscribe_v2"},
    {"Nsight",
     [](FakeCupti& f) {
         f.cuptiFails["cuptiSubscribe_v2"] = CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
         f.oldSubscriber = "CUPTI__Nsight Compute";
     },
     ProfilingState::AnotherProfiler, "Nsight Compute", "cuptiProfilerInitialize"},
    {"SubscribeFails", [](FakeCupti& f) { f.cuptiFails["cuptiSubscribe_v2"] = CUPTI_ERROR_UNKNOWN; },
     ProfilingState::Failed, "cuptiSubscribe_v2", "cuptiProfilerInitialize"},
    {"VirtualGpu",
     [](FakeCupti& f) {
         f.support.isSupported = CUPTI_PROFILER_CONFIGURATION_UNSUPPORTED;
         f.support.vGpu = CUPTI_PROFILER_CONFIGURATION_DISABLED;
     },
     ProfilingState::ConfigurationRefused, "virtual GPU", "cuptiDeviceGetChipName"},
    {"Confidential",
     [](FakeCupti& f) {
         f.support.isSupported = CUPTI_PROFILER_CONFIGURATION_UNSUPPORTED;
         f.support.confidentialCompute = CUPTI_PROFILER_CONFIGURATION_UNSUPPORTED;
     },
     ProfilingState::ConfigurationRefused, "confidential computing", "cuptiDeviceGetChipName"},
    {"InitialiseRefused",
     [](FakeCupti& f) { f.cuptiFails["cuptiProfilerInitialize"] = CUPTI_ERROR_INSUFFICIENT_PRIVILEGES; },
     ProfilingState::PermissionRefused, "administrators", "cuptiProfilerDeviceSupported"},
    {"DriverTooOldForCupti",
     [](FakeCupti& f) { f.cuptiFails["cuptiProfilerInitialize"] = CUPTI_ERROR_NOT_INITIALIZED; },
     ProfilingState::DriverTooOld, "too old", "cuptiProfilerDeviceSupported"},
    {"NewChip", [](FakeCupti& f) { f.chip = "GR100"; }, ProfilingState::UnknownChip, "GR100",
     "cuptiProfilerGetCounterAvailability"},
    {"ChipWithoutSet",
     [](FakeCupti& f) {
         f.chip = "GV100";
         f.chips.push_back("GV100");
     },
     ProfilingState::UnknownChip, "Volta", "cuptiProfilerGetCounterAvailability"},
    {"HalfOfCupti",
     [](FakeCupti& f) { f.cuptiFails["cuptiProfilerHostGetSupportedChips"] = CUPTI_ERROR_NOT_INITIALIZED; },
     ProfilingState::CuptiMissing, "libnvperf_host.so", "cuptiProfilerGetCounterAvailability"},
    {"NoPermission",
     [](FakeCupti& f) {
         f.cuptiFails["cuptiProfilerGetCounterAvailability"] = CUPTI_ERROR_INSUFFICIENT_PRIVILEGES;
     },
     ProfilingState::PermissionRefused, "NVreg_RestrictProfilingToAdminUsers=0", "cuptiRangeProfilerEnable"},
    {"Busy",
     [](FakeCupti& f) { f.cuptiFails["cuptiProfilerGetCounterAvailability"] = CUPTI_ERROR_HARDWARE_BUSY; },
     ProfilingState::HardwareBusy, "dcgmi", "cuptiRangeProfilerEnable"},
    {"Mig",
     [](FakeCupti& f) {
         f.cuptiFails["cuptiProfilerGetCounterAvailability"] = CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED;
     },
     ProfilingState::ConfigurationRefused, "MIG", "cuptiRangeProfilerEnable"},
};

class DetectCounters : public testing::TestWithParam<Case> {};

TEST_P(DetectCounters, StopsAtTheFirstNoAndSaysItInOneSentence) {
    const Case& test = GetParam();
    FakeCupti fake;
    test.change(fake);
    std::unique_ptr<Subscription> subscription;
    const Detection found = detectCounters(fake.libraries(), nullptr, subscription);
    EXPECT_EQ(found.state, test.state) << stateName(found.state) << ": " << found.error.text();
    EXPECT_EQ(found.error.code, ErrorCode::Unavailable);
    EXPECT_THAT(found.error.text(), HasSubstr(test.says));
    EXPECT_FALSE(found.error.hint.empty()) << "there is always something to be done, or to be left";
    EXPECT_EQ(found.error.text().find('\n'), std::string::npos);
    EXPECT_FALSE(found.error.text().ends_with('.'));
    EXPECT_FALSE(fake.called(test.mustNotCall)) << test.mustNotCall;
    EXPECT_EQ(subscription, nullptr);
    EXPECT_EQ(std::count(fake.order.begin(), fake.order.end(), "subscribe"),
              std::count(fake.order.begin(), fake.order.end(), "unsubscribe"))
        << "others may profile again";
}

INSTANTIATE_TEST_SUITE_P(EveryFailure, DetectCounters, testing::ValuesIn(kCases),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(Detect, AReadyDeviceSaysWhatItIs) {
    FakeCupti fake;
    std::unique_ptr<Subscription> subscription;
    const Detection found = detectCounters(fake.libraries(), nullptr, subscription);
    ASSERT_TRUE(found.ready()) << found.error.text();
    EXPECT_EQ(found.device.chip, "GH100");
    EXPECT_EQ(found.device.driverText(), "CUDA 13.0");
    EXPECT_EQ(found.device.cuptiVersion, static_cast<std::uint32_t>(CUPTI_API_VERSION));
    EXPECT_EQ(found.device.availability.size(), 16U);
    EXPECT_NE(subscription, nullptr);
    EXPECT_FALSE(subscription->fatal());
    fake.fatalError();
    EXPECT_TRUE(subscription->fatal());
}

TEST(Detect, ActivityNeedsNoPermissionAndAsksForNone) {
    FakeCupti fake;
    fake.cuptiFails["cuptiProfilerGetCounterAvailability"] = CUPTI_ERROR_INSUFFICIENT_PRIVILEGES;
    fake.chip = "GR100";
    EXPECT_TRUE(detectActivity(fake.libraries()).ready());
    EXPECT_FALSE(fake.called("cuptiProfilerGetCounterAvailability"));
    EXPECT_FALSE(fake.called("cuptiProfilerInitialize"));
}

TEST(Detect, EveryStateHasANameOfItsOwn) {
    std::set<std::string> names;
    for (int state = 0; state <= static_cast<int>(ProfilingState::Failed); ++state)
        names.insert(stateName(static_cast<ProfilingState>(state)));
    EXPECT_EQ(names.size(), static_cast<std::size_t>(ProfilingState::Failed) + 1);
}

}  // namespace
}  // namespace plumb::cupti
