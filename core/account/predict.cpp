// SPDX-License-Identifier: Apache-2.0
#include "core/account/reading.h"

#include <algorithm>

namespace plumb {
namespace {

/// The ceilings that the ops of one configuration meet, looked up once.
struct Ceilings {
    std::optional<double> computePeak;
    std::optional<double> fp32Peak;
    std::optional<double> bandwidth;
    Seconds overhead = 0;

    Ceilings(const RunConfig& config, const Machine& machine)
        : computePeak(machine.peak(config.computeDtype())),
          fp32Peak(machine.peak(Dtype::Fp32)),
          bandwidth(machine.bandwidthBytesPerSecond),
          overhead(machine.perOpOverhead.value_or(0)) {}
};

/// The three times that an op could take if only one ceiling held it; empty when a ceiling is unknown.
struct Limits {
    Seconds compute = 0;
    Seconds memory = 0;
    Seconds overhead = 0;
};

std::optional<Limits> limitsOf(const Op& op, const Ceilings& ceilings) {
    const std::optional<double>& peak =
        einsumText(op.kind).empty() ? ceilings.fp32Peak : ceilings.computePeak;
    if (!ceilings.bandwidth || (!peak && op.flops > 0)) return std::nullopt;
    Limits limits;
    limits.compute = op.flops > 0 ? static_cast<double>(op.flops) / *peak : 0;
    limits.memory = static_cast<double>(op.bytes) / *ceilings.bandwidth;
    // A chain is as many kernels as it has layers.
    limits.overhead = static_cast<double>(op.executions * op.repeat) * ceilings.overhead;
    return limits;
}

std::optional<Seconds> secondsOf(const Op& op, const Ceilings& ceilings) {
    const std::optional<Limits> limits = limitsOf(op, ceilings);
    if (!limits) return std::nullopt;
    return std::max(limits->compute, limits->memory) + limits->overhead;
}

}  // namespace

std::optional<Seconds> predictSeconds(const Op& op, const RunConfig& config, const Machine& machine) {
    return secondsOf(op, Ceilings(config, machine));
}

Bound boundOf(const Op& op, const RunConfig& config, const Machine& machine) {
    const std::optional<Limits> limits = limitsOf(op, Ceilings(config, machine));
    if (!limits) return Bound::Unknown;
    if (limits->overhead > std::max(limits->compute, limits->memory)) return Bound::Overhead;
    return limits->compute >= limits->memory ? Bound::Compute : Bound::Memory;
}

Prediction predict(const StepPlan& plan, const Machine& machine) {
    const Ceilings ceilings(plan.config, machine);
    Prediction prediction;
    prediction.opSeconds.reserve(plan.ops.size());
    std::optional<Seconds> stepSeconds = 0.0;
    for (const Op& op : plan.ops) {
        const std::optional<Seconds> seconds = secondsOf(op, ceilings);
        prediction.opSeconds.push_back(seconds);
        // One unknown op makes the step unknown: a sum without it would be too small in silence.
        stepSeconds = stepSeconds && seconds ? std::optional(*stepSeconds + *seconds) : std::nullopt;
    }
    prediction.totals = makeTotals(plan, machine, stepSeconds);
    prediction.memory = summariseCurve(memoryCurve(plan));
    return prediction;
}

}  // namespace plumb
