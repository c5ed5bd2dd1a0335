// SPDX-License-Identifier: Apache-2.0
#include "core/data/sample_window.h"

#include <gtest/gtest.h>

namespace plumb {
namespace {

TEST(SampleWindow, TellsTheMedianAndTenAndNinetyPercentOfTheNewest) {
    SampleWindow window;
    EXPECT_FALSE(window.median().has_value());
    EXPECT_FALSE(window.quantile(0.1).has_value());
    window.add(7);
    EXPECT_EQ(window.quantile(0.1), 7);
    EXPECT_EQ(window.quantile(0.9), 7);
    window.clear();
    for (const double value : {11.0, 3.0, 1.0, 9.0, 5.0, 7.0, 2.0, 4.0, 6.0, 8.0, 10.0}) window.add(value);
    EXPECT_DOUBLE_EQ(*window.median(), 6);
    EXPECT_DOUBLE_EQ(*window.quantile(0.1), 2);
    EXPECT_DOUBLE_EQ(*window.quantile(0.9), 10);
    window.add(12);
    EXPECT_DOUBLE_EQ(*window.median(), 6.5) << "between the two in the middle";
    for (int i = 0; i < 63; ++i) window.add(100);
    EXPECT_DOUBLE_EQ(*window.quantile(0.1), 100) << "what was before is forgotten";
}

}  // namespace
}  // namespace plumb
