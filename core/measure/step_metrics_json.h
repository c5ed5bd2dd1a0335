// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/json_type.h"
#include "core/measure/step_metrics.h"

#include <span>
#include <vector>

namespace plumb {

/// The steps as columns of equal length: "step" and those of kStepMetrics, without columns in which nothing
/// is known (null).
[[nodiscard]] nlohmann::json stepsJson(std::span<const StepMetrics> steps);
/// The way back. A problem: columns of different lengths, seconds that are not known, steps that do not
/// increase.
[[nodiscard]] std::vector<StepMetrics> readSteps(const JsonField& object);
[[nodiscard]] nlohmann::json stepsSchema();

/// The columns of a member, among the fields of its owner.
template <auto pointer>
struct StepColumns {
    using Owner = typename MemberOf<pointer>::Owner;
    static nlohmann::json write(const Owner& owner) { return stepsJson(owner.*pointer); }
    static void read(const JsonField& field, Owner& owner) { owner.*pointer = readSteps(field); }
    static nlohmann::json schema(nlohmann::json& /*definitions*/) { return stepsSchema(); }
};

}  // namespace plumb
