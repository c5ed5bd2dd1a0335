// SPDX-License-Identifier: Apache-2.0
#include "core/base/enum_array.h"

#include "core/base/entry_at.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <span>
#include <vector>

namespace plumb {
namespace {

enum class Signal : std::uint8_t { Red, Amber, Green };
constexpr Signal lastOf(Signal /*type*/) { return Signal::Green; }

TEST(EnumArray, HasAPlaceForEachEnumerator) {
    EXPECT_EQ(kEnumCount<Signal>, 3U);
    EXPECT_THAT(kEnumerators<Signal>, testing::ElementsAre(Signal::Red, Signal::Amber, Signal::Green));
    EnumArray<Signal, int> seconds{};
    EXPECT_THAT(seconds, testing::Each(0));
    seconds[Signal::Green] = 40;
    seconds[Signal::Amber] += 3;
    EXPECT_THAT(seconds, testing::ElementsAre(0, 3, 40));
    EXPECT_EQ(seconds, (EnumArray<Signal, int>{0, 3, 40}));
    EXPECT_NE(seconds, (EnumArray<Signal, int>{0, 3, 41}));
    EXPECT_EQ(seconds.enumeratorOf(seconds.end() - 1), Signal::Green);
    static_assert(sizeof(seconds) == 3 * sizeof(int));
    static_assert(EnumArray<Signal, int>{1, 2, 3}[Signal::Amber] == 2);
}

TEST(EntryAt, TakesAnyIndexAndGivesWhatTheContainerGives) {
    std::vector<int> rows{1, 2, 3};
    entryAt(rows, std::int64_t{2}) = 30;
    EXPECT_EQ(entryAt(std::span<const int>(rows), std::int8_t{2}), 30);
    EXPECT_EQ(entryAt(rows, Signal::Amber), 2);
    std::vector<bool> flags(2);
    entryAt(flags, 1) = true;
    EXPECT_THAT(flags, testing::ElementsAre(false, true));
    constexpr int kPlain[]{7, 8};
    static_assert(entryAt(kPlain, 1) == 8);
}

}  // namespace
}  // namespace plumb
