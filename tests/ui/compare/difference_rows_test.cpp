// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/compare_detail.h"

#include <gtest/gtest.h>

#include <vector>

namespace plumb::ui {
namespace {

TEST(DifferenceRows, AreAsLargeAsTheirShareWhereUnitsDiffer) {
    const std::vector<DifferenceRow> bytes{{.name = "a", .unit = "B", .baseline = 100, .other = 300},
                                           {.name = "b", .unit = "B", .baseline = 1, .other = 2}};
    const DifferenceRows alike = differenceRows(bytes);
    EXPECT_EQ(alike.bySize.front(), 0U);
    EXPECT_EQ(alike.largest, 200);
    const DifferenceRows mixed =
        differenceRows({{.name = "a", .unit = "B", .baseline = 1e9, .other = 1.1e9},
                        {.name = "b", .unit = "s", .baseline = 0.001, .other = 0.002}});
    EXPECT_EQ(mixed.bySize.front(), 1U) << "a step twice as long before a tenth of the bytes";
    EXPECT_EQ(mixed.largest, 0.5);
    EXPECT_EQ(mixed.measureOf(mixed.rows[0]), 1.1e9);
}

}  // namespace
}  // namespace plumb::ui
