// SPDX-License-Identifier: Apache-2.0
#include "core/planner/default_mfu.h"

#include "core/planner/answer.h"
#include "core/planner/published_mfu.h"
#include "core/planner/step_time.h"

#include <algorithm>

namespace plumb::planner {

namespace {

double accepted(double mfu) { return std::clamp(mfu, info(Input::Mfu).least, info(Input::Mfu).most); }

/// Of a step that could be run; empty: there is none.
std::optional<double> mfuOfStep(const Scenario& s) {
    if (!s.cluster.device || s.model.transformer() == nullptr) return std::nullopt;
    const auto time = stepTime(s);
    if (!time.has_value() || !(time->mfu > 0)) return std::nullopt;
    const auto needed = evaluate(Output::MemoryPerDevice, s);
    const auto available = numberOf(s, Input::Memory);
    if (!needed.has_value() || !available.has_value() || *needed > *available) return std::nullopt;
    return accepted(time->mfu);
}

}  // namespace

std::optional<double> defaultMfu(const Scenario& scenario) {
    if (const auto mfu = mfuOfStep(scenario)) return mfu;
    const auto typical = typicalMfu(scenario);
    return typical ? std::optional(accepted(typical->range.expected)) : std::nullopt;
}

std::optional<InputValue> defaultMfuValue(const Scenario& scenario) {
    if (const auto mfu = mfuOfStep(scenario)) {
        Range range{*mfu, *mfu, *mfu};
        if (const auto ends = rangeOf(Output::StepMfu, scenario, *mfu); ends.has_value())
            range = {accepted(ends->low), *mfu, accepted(ends->high)};
        return InputValue{range, "the step model, of this layout", false};
    }
    auto typical = typicalMfu(scenario);
    if (!typical) return std::nullopt;
    if (scenario.model.transformer() != nullptr)
        typical->source += ", since no step of this layout can be run: plan shard finds layouts that fit";
    const Range& r = typical->range;
    return InputValue{{accepted(r.low), accepted(r.expected), accepted(r.high)}, typical->source, false};
}

}  // namespace plumb::planner
