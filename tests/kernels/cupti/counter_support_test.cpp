// SPDX-License-Identifier: Apache-2.0
// What is said of counters before a device is touched.
#include "kernels/cupti/counter_support.h"

#include "kernels/cupti/metric_table.h"
#include "tests/kernels/cupti/fake_cupti.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace plumb::cupti {
namespace {

using testing::HasSubstr;

Result<const CuptiApi*> cuptiOf(FakeCupti& fake) { return fake.libraries().cupti(); }

TEST(CounterSupport, OfAGpuHasThePassesOfEveryPrecisionAndAmount) {
    FakeCupti fake;
    fake.passes = 4;
    const CounterSupport support = counterSupport(90, cuptiOf(fake), {});
    EXPECT_TRUE(support.available()) << support.absent;
    EXPECT_EQ(support.chip, "GH100");
    EXPECT_EQ(support.rangesAtOnce, 256);
    ASSERT_EQ(support.passes.size(), 2 * kAllPrecisions.size());
    for (const CounterSupport::Passes& entry : support.passes) EXPECT_EQ(entry.passes, 4);
    EXPECT_EQ(std::count(fake.order.begin(), fake.order.end(), "host open"),
              std::count(fake.order.begin(), fake.order.end(), "host close"));
}

TEST(CounterSupport, AsksNothingThatNeedsADriverOrAContext) {
    FakeCupti fake;
    fake.driverThere = false;
    EXPECT_TRUE(counterSupport(90, cuptiOf(fake), {}).available());
    for (const char* harmful :
         {"cuptiDeviceGetChipName", "cuptiProfilerGetCounterAvailability", "cuptiRangeProfilerEnable",
          "cuptiProfilerInitialize", "cuptiProfilerDeviceSupported", "cuptiSubscribe_v2", "cuInit"})
        EXPECT_FALSE(fake.called(harmful)) << harmful;
}

TEST(CounterSupport, SaysInOneSentenceWhatIsInTheWay) {
    const auto reason = [](const std::function<void(FakeCupti&)>& change, int capability = 90,
                           const Result<void>& permitted = {}) {
        FakeCupti fake;
        change(fake);
        const CounterSupport support = counterSupport(capability, cuptiOf(fake), permitted);
        EXPECT_TRUE(support.passes.empty());
        EXPECT_TRUE(support.chip.empty());
        return support.absent;
    };
    EXPECT_THAT(reason([](FakeCupti& fake) { fake.cuptiThere = false; }), HasSubstr("CUPTI"));
    EXPECT_THAT(reason([](FakeCupti& fake) { fake.cuptiVersion = 120000; }), HasSubstr("too old (120000)"));
    EXPECT_THAT(reason([](FakeCupti& fake) { fake.cuptiVersion = 140000; }), HasSubstr("newer"));
    EXPECT_THAT(reason([](FakeCupti& fake) { fake.computeSupported = 0; }, 70),
                HasSubstr("compute capability 7.0"));
    EXPECT_THAT(reason([](FakeCupti&) {}, 190), HasSubstr("compute capability 19.0"));
    const Error refused{ErrorCode::Unavailable, "nobody may", "ask"};
    EXPECT_EQ(reason([](FakeCupti&) {}, 90, refused), refused.text());
    EXPECT_FALSE(reason([](FakeCupti& fake) {
                     fake.cuptiFails["cuptiProfilerHostInitialize"] = CUPTI_ERROR_NOT_INITIALIZED;
                 }).empty());
}

TEST(CounterSupport, PermissionFollowsTheDriverAndTheCapabilitiesOfTheProcess) {
    const std::string restricted = "ResmanDebugLevel: 4294967295\nRmProfilingAdminOnly: 1\nOther: 0\n";
    const auto status = [](const char* mask) {
        return std::string("Name:\tx\nCapEff:\t") + mask + "\nSeccomp:\t0\n";
    };
    EXPECT_FALSE(countingPermitted(restricted, status("0000000000000000")).has_value());
    EXPECT_FALSE(countingPermitted(restricted, status("00000000a80425fb")).has_value())
        << "a container's root";
    EXPECT_TRUE(countingPermitted(restricted, status("000001ffffffffff")).has_value()) << "root";
    EXPECT_TRUE(countingPermitted(restricted, status("0000000000200000")).has_value()) << "CAP_SYS_ADMIN";
    EXPECT_TRUE(countingPermitted(restricted, status("0000004000000000")).has_value()) << "CAP_PERFMON";
    EXPECT_TRUE(countingPermitted("RmProfilingAdminOnly: 0\n", status("0")).has_value());
    EXPECT_TRUE(countingPermitted("", status("0")).has_value()) << "a driver that says nothing";
    EXPECT_TRUE(countingPermitted(restricted, "").has_value()) << "the driver answers when it is asked";
    const auto refused = countingPermitted(restricted, status("0"));
    EXPECT_THAT(refused.error().text(), HasSubstr("administrators"));
    EXPECT_FALSE(refused.error().hint.empty());
}

TEST(CounterSupport, EveryChipThatStandsForACapabilityHasSets) {
    int known = 0;
    for (int capability = 70; capability < 130; ++capability) {
        const std::string_view chip = chipOfCapability(capability);
        if (chip.empty()) continue;
        ++known;
        EXPECT_TRUE(familyOf(chip).has_value()) << chip;
    }
    EXPECT_GE(known, 8);
}

TEST(CounterSupport, OfTheRealLibraryHasThePassesThatTheCommandLineTells) {
    const auto cupti = loadCupti();
    if (!cupti.has_value()) GTEST_SKIP() << cupti.error().text();
    for (const int capability : {80, 89, 90, 100, 120}) {
        const CounterSupport support = counterSupport(capability, cupti, {});
        ASSERT_TRUE(support.available()) << support.absent;
        for (const CounterSupport::Passes& entry : support.passes) {
            EXPECT_GE(entry.passes, 1);
            EXPECT_LE(entry.passes, 6) << capability;
        }
    }
}

}  // namespace
}  // namespace plumb::cupti
