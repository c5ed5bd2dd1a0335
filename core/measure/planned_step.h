// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/machine/target.h"
#include "core/measure/reading.h"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

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
    /// The entry of the op at an index of `any`, this step or another one, or null. Ids are compared of
    /// another one alone: to make them takes longer than all else that is shown of a deep step.
    [[nodiscard]] const OpReading* op(const Step& any, std::int64_t index) const;

private:
    struct Places {
        std::unordered_map<std::string_view, std::size_t> ofId;  ///< the keys view the ids in reading->ops
        std::vector<std::int32_t> ofOp;                          ///< by op of the step; -1: not measured
    };
    std::shared_ptr<const Places> m_places;  ///< in reading->ops
};

}  // namespace plumb
