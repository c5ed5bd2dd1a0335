// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/step_plan.h"

#include <gtest/gtest.h>

#include <utility>

namespace plumb::test {

/// Returns the plan of a step; where there is none the test fails and the plan is empty.
inline StepPlan planOf(const RunConfig& config, const BackendTraits& traits = cpuTraits()) {
    Result<StepPlan> plan = planStep(config, traits);
    EXPECT_TRUE(plan.has_value()) << (plan.has_value() ? "" : plan.error().text());
    return plan.has_value() ? std::move(plan).value() : StepPlan{};
}

}  // namespace plumb::test
