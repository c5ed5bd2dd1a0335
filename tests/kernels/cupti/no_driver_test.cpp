// SPDX-License-Identifier: Apache-2.0
// The real libraries on whatever machine this is, in a process of its own: several functions of CUPTI end the
// program where there is no driver, and a program that only asked must live.
#include "kernels/cupti/range_collector.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>

namespace plumb::cupti {
namespace {

[[noreturn]] void ask() {
    std::unique_ptr<Subscription> subscription;
    const Detection activity = detectActivity();
    const Detection counters = detectCounters({}, nullptr, subscription);
    // Without a context of this thread the answer is never "ready", also where there is a GPU.
    const bool refused = !activity.ready() && !counters.ready() && subscription == nullptr;
    const bool said = !activity.error.message.empty() && !activity.error.hint.empty();
    std::cerr << stateName(counters.state) << ": " << counters.error.text() << "\n";
    std::exit(refused && said && activity.state == counters.state ? 0 : 1);
}

TEST(NoDriver, AskingDoesNotEndTheProgram) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_EXIT(ask(), testing::ExitedWithCode(0), "");
}

TEST(NoDriver, OpeningCountersSaysWhyNot) {
    StepPlan plan;
    plan.ops.resize(1);
    plan.ops[0].executions = 1;
    const auto collector = openRangeCollector(plan, CounterDetail::Full);
    ASSERT_FALSE(collector.has_value());
    EXPECT_EQ(collector.error().code, ErrorCode::Unavailable);
    EXPECT_FALSE(collector.error().hint.empty());
}

}  // namespace
}  // namespace plumb::cupti
