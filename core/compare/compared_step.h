// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/compare/change.h"
#include "core/measure/planned_step.h"
#include "core/measure/step_metrics.h"
#include "core/model/run_config.h"
#include "core/recorded/step_file.h"
#include "core/snapshot/snapshot.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace plumb {

/// Something that was chosen for a step, or that it ran on: what explains why two steps differ.
struct StepFact {
    std::string name;            ///< "batch", "torch", "device"
    std::string value;           ///< as text, "64"
    bool isEnvironment = false;  ///< it ran on it, and nobody chose it for this step
    bool operator==(const StepFact&) const = default;
};

/// Name of the fact that says which program wrote a file.
inline constexpr const char* kProgramFact = "program";

/// A step as it is compared, wherever it is from: what it is, and what is known of its costs.
struct ComparedStep {
    std::string label;                       ///< what it is called beside others: the name of its file
    std::vector<StepFact> facts;             ///< its configuration, then its environment
    std::shared_ptr<const Step> step;        ///< never null
    std::shared_ptr<const Reading> reading;  ///< measured, or predicted where it did not run; never null
    std::optional<RepeatedTime> stepTime;
    std::optional<SpeedProbe> machineSpeed;  ///< of the machine while it was measured; absent: not probed
    std::optional<std::int64_t> parameters;
    std::optional<Bytes> deviceBytes;        ///< that a device has to hold; absent: known of no such thing
    std::shared_ptr<const Machine> machine;  ///< that its times are of; null: not known beyond its name
    std::vector<StepMetrics> training;       ///< losses of its training, by step; empty: it has none
    std::string whyNoTraining;               ///< of a recorded step without losses; may be empty

    [[nodiscard]] bool isMeasured() const { return reading->source != Source::Predicted; }
};

/// How much of its speed the machine had lost or won between two measurements, by the part of the probe that
/// changed most, as a share; 0 where one of them was not probed. Times that differ by less are no real
/// change.
[[nodiscard]] double machineDrift(const ComparedStep& baseline, const ComparedStep& other);

/// A step of the deep linear model. Errors: those of planStep().
[[nodiscard]] Result<ComparedStep> comparedStep(const RunConfig& config, const Target& target,
                                                std::shared_ptr<const Reading> reading, std::string label);
/// What is predicted of any step, whoever made it.
[[nodiscard]] ComparedStep comparedStep(const PlannedStep& planned, std::string label);
/// Errors: those of planStep(), for a snapshot that this version cannot plan.
[[nodiscard]] Result<ComparedStep> comparedStep(const Snapshot& snapshot, std::string label);
[[nodiscard]] ComparedStep comparedStep(const StepFile& file, std::string label);
/// A snapshot or a recorded step, by what the file says it is. Errors: those of readSnapshot() and
/// readStepFile(); BadInput for a file that is neither.
[[nodiscard]] Result<ComparedStep> readComparedStep(const std::string& path);

}  // namespace plumb
