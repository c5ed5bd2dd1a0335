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
    Target target;
    std::shared_ptr<const StepPlan> plan;          ///< never null, for the traits of `target`
    std::shared_ptr<const Prediction> prediction;  ///< never null; same op order as plan->ops
    bool isFiled = false;                          ///< the prediction was read from a file and not made

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
