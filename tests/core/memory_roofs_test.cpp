// SPDX-License-Identifier: Apache-2.0
#include "core/account/memory_roofs.h"

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

}  // namespace
}  // namespace plumb
