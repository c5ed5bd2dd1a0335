// SPDX-License-Identifier: Apache-2.0
#include "core/measure/memory_shares.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace plumb {
namespace {

Bytes sumOf(const std::vector<MemoryShare>& shares) {
    Bytes sum = 0;
    for (const MemoryShare& share : shares) sum += share.bytes;
    return sum;
}

Bytes bytesOf(const std::vector<MemoryShare>& shares, const std::string& part) {
    const auto found = std::find_if(shares.begin(), shares.end(), [&](const MemoryShare& share) {
        return share.name.find(part) != std::string::npos;
    });
    return found == shares.end() ? -1 : found->bytes;
}

TEST(MemoryShares, AddUpToWhatTheDriverReports) {
    const DeviceMemoryCounts counts{300, 900, 2500, 1000, 1100, 1280};
    const auto shares = memoryShares(counts);
    EXPECT_EQ(sumOf(shares), 2500);
    EXPECT_EQ(bytesOf(shares, "tensors"), 1000);
    EXPECT_EQ(bytesOf(shares, "rounding"), 100);
    EXPECT_EQ(bytesOf(shares, "reuse"), 180);
    EXPECT_EQ(bytesOf(shares, "other programs"), 300);
    EXPECT_EQ(bytesOf(shares, "context of this program"), 600);
    EXPECT_EQ(bytesOf(shares, "code of kernels"), 320);
}

TEST(MemoryShares, DoNotSplitWhatNobodyToldApart) {
    const DeviceMemoryCounts counts{std::nullopt, 900, 2500, 1000, 1100, 1280};
    const auto shares = memoryShares(counts);
    EXPECT_EQ(sumOf(shares), 2500);
    EXPECT_EQ(bytesOf(shares, "context of this program and other programs"), 900);
}

TEST(MemoryShares, DoNotSplitWhenOthersGaveMemoryBackMeanwhile) {
    const auto shares = memoryShares({1200, 900, 2500, 1000, 1100, 1280});
    EXPECT_EQ(sumOf(shares), 2500);
    EXPECT_EQ(bytesOf(shares, "context of this program and other programs"), 900);
}

TEST(MemoryShares, AddUpAlsoWhenOthersGaveMemoryBack) {
    const auto shares = memoryShares({300, 900, 1500, 1000, 1100, 1280});
    EXPECT_EQ(sumOf(shares), 1500);
    EXPECT_LT(shares.back().bytes, 0);
}

}  // namespace
}  // namespace plumb
