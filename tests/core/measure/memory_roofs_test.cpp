// SPDX-License-Identifier: Apache-2.0
#include "core/measure/memory_roofs.h"

#include "core/machine/hardware_database.h"

#include <gtest/gtest.h>

namespace plumb {
namespace {

Machine withCurve(const char* backend, double memory, const std::vector<std::pair<Bytes, double>>& curve) {
    Machine machine;
    machine.backend = backend;
    machine.bandwidthBytesPerSecond = memory;
    machine.costs.emplace();
    for (const auto& [workingSet, rate] : curve)
        machine.costs->bandwidth.push_back({workingSet, rate * 0.9, rate * 0.7, rate});
    return machine;
}

TEST(MemoryRoofs, AreTheStepsOfTheMeasuredCurveWithTheLargestWorkingSetOfEach) {
    const auto roofs = memoryRoofs(withCurve("cpu", 10e9,
                                             {{65536, 140e9},
                                              {262144, 125e9},
                                              {1 << 20, 120e9},
                                              {1 << 22, 42e9},
                                              {1 << 24, 40e9},
                                              {1 << 26, 11e9},
                                              {1 << 28, 10e9}}));
    ASSERT_EQ(roofs.size(), 3U);
    EXPECT_EQ(roofs[0], (MemoryRoof{10e9, MemoryLevel::Dram, std::nullopt}));
    EXPECT_EQ(roofs[1], (MemoryRoof{42e9, std::nullopt, 1 << 24}));
    EXPECT_EQ(roofs[2], (MemoryRoof{140e9, std::nullopt, 1 << 20}));
}

TEST(MemoryRoofs, AreNotMisledByASmallWorkingSetThatWasSlow) {
    const auto roofs = memoryRoofs(
        withCurve("cpu", 10e9, {{65536, 100e9}, {262144, 12e9}, {1 << 20, 90e9}, {1 << 28, 10e9}}));
    ASSERT_EQ(roofs.size(), 2U);
    EXPECT_EQ(roofs[1], (MemoryRoof{100e9, std::nullopt, 1 << 20}));
}

TEST(MemoryRoofs, OfAGpuAreNamed) {
    const auto roofs =
        memoryRoofs(withCurve("cuda", 4e12, {{1 << 16, 30e12}, {1 << 24, 9e12}, {1 << 30, 4e12}}));
    ASSERT_EQ(roofs.size(), 3U);
    EXPECT_EQ(roofs[1].level, MemoryLevel::L2);
    EXPECT_EQ(roofs[2].level, MemoryLevel::L1);
}

TEST(MemoryRoofs, OfADataSheetAreItsMemoryAloneAndWithoutABandwidthNone) {
    Machine machine;
    EXPECT_TRUE(memoryRoofs(machine).empty());
    machine.bandwidthBytesPerSecond = 3e12;
    ASSERT_EQ(memoryRoofs(machine).size(), 1U);
    for (const Machine& known : HardwareDatabase::builtIn().machines)
        EXPECT_LE(memoryRoofs(known).size(), 1U) << known.id;
}

TEST(RoofShare, NamesTheCacheThatServedWhatMemoryCannotDeliver) {
    Machine machine = withCurve("cpu", 10e9, {{1 << 16, 90e9}, {1 << 20, 40e9}, {1 << 30, 10e9}});
    machine.peakFlopPerSecond = {{Dtype::Fp32, 100e9}};
    const auto roofs = memoryRoofs(machine);
    ASSERT_EQ(roofs.size(), 3U);
    const auto of = [&](double flops, double bytes, Seconds seconds) {
        return roofShare(flops, bytes, seconds, machine.peak(Dtype::Fp32), roofs).value_or(RoofShare{});
    };
    EXPECT_NEAR(of(0, 5e9, 1).share, 0.5, 1e-12);
    EXPECT_EQ(text(of(0, 5e9, 1), roofs), "50 %");
    EXPECT_EQ(of(0, 20e9, 1).level, 1U);
    EXPECT_EQ(text(of(0, 20e9, 1), roofs), "50 % of the cache up to 1.05 MB");
    EXPECT_EQ(of(0, 60e9, 1).level, 2U);
    EXPECT_FALSE(of(0, 60e9, 1).ceilingTooLow);
    EXPECT_TRUE(of(0, 95e9, 1).ceilingTooLow) << "no cache is that fast";
    EXPECT_TRUE(of(50e9, 1e9, 1).compute);
    EXPECT_EQ(of(101e9, 1e9, 1).share, 1) << "what a clock is off by";
    EXPECT_TRUE(of(1139e9, 1e9, 1).ceilingTooLow);
    EXPECT_EQ(text(of(1139e9, 1e9, 1), roofs), "above 100 %: ceiling too low");
    // Served by a cache, and then held by the peak.
    EXPECT_TRUE(of(60e9, 20e9, 1).compute);
    EXPECT_NEAR(of(60e9, 20e9, 1).share, 0.6, 1e-12);
    EXPECT_FALSE(roofShare(1, 1, 1, std::nullopt, roofs).has_value());
    EXPECT_FALSE(roofShare(1, 1, 0, 1.0, roofs).has_value());
}

TEST(RoofShare, AnImpossibleUtilisationSaysWhyAndOffersToCalibrateAgain) {
    Machine machine;
    machine.name = "A machine";
    machine.backend = "cpu";
    machine.source = "calibrated 2026-11-20";
    machine.perOpOverhead = 1e-6;
    EXPECT_EQ(impossibleUtilisation(0.97, machine), "");
    EXPECT_EQ(impossibleUtilisation(1.01, machine), "");
    const std::string text = impossibleUtilisation(11.39, machine);
    EXPECT_NE(text.find("1139 %"), std::string::npos) << text;
    EXPECT_NE(text.find("calibrate --backend cpu again"), std::string::npos) << text;
}

}  // namespace
}  // namespace plumb
