// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/findings/finding.h"
#include "core/measure/planned_step.h"
#include "core/measure/scene.h"
#include "core/measure/training_series.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace plumb {

/// What is looked at.
struct Findable {
    const PlannedStep& planned;
    const MeasuredStep* measured = nullptr;    ///< reading of the same step on the same machine; null: none
    const TrainingSeries* training = nullptr;  ///< of the same configuration; null: none
};
/// What is looked at in a scene: what was measured counts where it is of the step that is asked for, of a
/// recorded step on the machine that it ran on, whatever the scene predicts it for.
[[nodiscard]] Findable findableIn(const Scene& scene, const TrainingSeries* training = nullptr);

/// Why a rule says nothing of a step.
enum class Lack : std::uint8_t {
    None,  ///< it looked, and all is as one expects it
    Times,
    MeasuredTimes,
    Counters,
    Telemetry,
    DriverRecords,
    Probe,
    Configuration,
    Ceilings,
    DeviceMemory,
    Memory,
    MeasuredMemory,
    Repeats,
    Training,
    Products,
    Losses,
    StepTimes,
    Recorded  ///< it looks at recorded steps alone
};
/// "no hardware counters were collected": what is missing.
[[nodiscard]] std::string_view lackText(Lack lack);

/// A rule that found nothing, and why.
struct SilentRule {
    std::string_view id;
    std::string_view looksAt;  ///< "clocks of the device during the measured steps"
    Lack lack = Lack::None;
};

struct Findings {
    std::vector<Finding> found;      ///< the most severe first, then the largest stake
    std::vector<SilentRule> silent;  ///< in the order of the rules
    bool isMeasured = false;         ///< times are measured ones
};

/// Applies every rule. Remedies that change the configuration are planned and predicted: some ten plans, so
/// that this is for when somebody looks and not for each move of a slider.
[[nodiscard]] Findings findingsOf(const Findable& findable);

/// A rule as people read about it.
struct RuleInfo {
    std::string_view id;
    std::string_view looksAt;
};
/// All of them; docs/findings.md has a chapter for each.
[[nodiscard]] std::vector<RuleInfo> findingRules();

}  // namespace plumb
