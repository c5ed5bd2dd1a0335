// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/measure/counter_set.h"
#include "core/plan/step_plan.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plumb {

/// Why a processor, and a GPU of another maker, counts nothing.
inline constexpr const char* kOnlyNvidiaCounts = "only NVIDIA GPUs have counters";

/// Whether the hardware counters of a device can be read, and how many steps that takes; found out without
/// touching the device, so that it can be shown before anything is profiled. The device has the last word
/// when counting begins.
struct CounterSupport {
    /// Passes over one part of a step, each a training step of its own.
    struct Passes {
        Precision precision{};
        CounterDetail detail{};
        std::int64_t passes = 0;
        bool operator==(const Passes&) const = default;
    };
    /// Why there are none, one sentence; empty: they can be read.
    std::string absent = "this engine does not say what it can count";
    std::string chip;               ///< whose metrics the passes are of: "GH100"
    std::int64_t rangesAtOnce = 0;  ///< executions of ops in a part; longer steps are counted part by part
    std::vector<Passes> passes;
    bool operator==(const CounterSupport&) const = default;

    [[nodiscard]] bool available() const { return absent.empty(); }
    /// How many more steps counting `plan` takes; empty where that is not known.
    [[nodiscard]] std::optional<std::int64_t> stepsFor(const StepPlan& plan, CounterDetail detail) const;
};

/// How often ops run in a step: those of each micro-batch count again.
[[nodiscard]] std::int64_t executionsOf(const StepPlan& plan);

/// Errors: BadInput for what is neither quick nor full.
[[nodiscard]] Result<CounterDetail> counterDetailFromName(std::string_view text);

}  // namespace plumb
