// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/machine/target.h"
#include "core/measure/reading.h"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

namespace plumb {

/// A step, and what it costs on its target before it runs. Shared, because what shows it is copied.
struct PlannedStep {
    /// Neither is null; the ops of `predicted` are in the order of those of `step`.
    PlannedStep(Target on, std::shared_ptr<const Step> step, std::shared_ptr<const Prediction> predicted);
    /// The deep linear model's step; the plan is that for the traits of the target.
    PlannedStep(Target on, std::shared_ptr<const StepPlan> ours, std::shared_ptr<const Prediction> predicted);

    Target target;
    std::shared_ptr<const Step> step;
    std::shared_ptr<const StepPlan> plan;  ///< the same where it is the deep linear model's; otherwise null
    std::shared_ptr<const Prediction> prediction;
    bool isFiled = false;  ///< the prediction was read from a file and not made

    /// Pre: the step is the deep linear model's.
    [[nodiscard]] const RunConfig& config() const { return plan->config; }
    [[nodiscard]] const Machine& machine() const { return target.machine; }
};

/// Errors: those of planStep().
[[nodiscard]] Result<PlannedStep> planOn(const RunConfig& config, Target target);

/// A step that ran, what was predicted of it, and what it really cost.
struct MeasuredStep : PlannedStep {
    MeasuredStep(PlannedStep planned, std::shared_ptr<const Reading> measured);

    std::shared_ptr<const Reading> reading;  ///< never null

    /// The entry of the op with this id, or null.
    [[nodiscard]] const OpReading* op(std::string_view id) const;

private:
    /// Places in reading->ops; the keys view the ids in there.
    std::shared_ptr<const std::unordered_map<std::string_view, std::size_t>> m_placeOfId;
};

}  // namespace plumb
