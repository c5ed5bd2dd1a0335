// SPDX-License-Identifier: Apache-2.0
#include "app/cli/report_notes.h"

#include "app/cli/step_tables.h"
#include "core/machine/attainable.h"
#include "core/measure/memory_roofs.h"
#include "core/measure/training_series.h"
#include "core/model/names.h"

#include <fmt/format.h>

#include <cmath>
#include <string_view>
#include <utility>

namespace plumb::cli {

namespace {

/// Where the measured FLOPs and bytes are from, or why there are none.
std::string counterNote(const Reading& measured) {
    if (measured.counterRun)
        return fmt::format("FLOPs and bytes are hardware counters of {}, read in {} more steps",
                           measured.counterRun->chip, measured.counterRun->passes);
    return fmt::format("FLOPs and bytes are measured only by hardware counters: {}",
                       measured.countersAbsent.empty() ? "none were read" : measured.countersAbsent);
}

/// Why there is no predicted time.
std::string whyNoTime(const Snapshot& snapshot) {
    const Machine& machine = snapshot.target.machine;
    if (snapshot.config.parallel.ranks() > 1) {
        std::string missing = notPredicted(snapshot.config, snapshot.target);
        if (!missing.empty()) return missing;
        return fmt::format(
            "no predicted time: the calibration of {} ranks lacks one of the operations; run {} "
            "--ranks {} again, without --quick",
            snapshot.config.parallel.ranks(), calibrateCommand(machine.backend),
            snapshot.config.parallel.ranks());
    }
    std::optional<Error> missing = missingCeiling(machine, snapshot.config.computeDtype());
    if (!missing) return "no predicted time is in the file";
    std::string precisions;
    for (const auto& [precision, precisionName] : kPrecisionNames) {
        RunConfig other;
        other.precision = precision;
        if (!missingCeiling(machine, other.computeDtype()))
            precisions += fmt::format("{}{}", precisions.empty() ? "" : ", ", precisionName);
    }
    if (!precisions.empty())
        missing->hint = fmt::format("choose another precision ({}) or another device", precisions);
    return "no predicted time: " + missing->text();
}

/// Passes whose compute ceiling is not known, and what that makes of their times.
void addPasses(const Snapshot& snapshot, std::vector<std::string>& notes) {
    const Machine& machine = snapshot.target.machine;
    if (snapshot.predicted->totals.seconds && !isCalibrated(machine) && !machine.peak(Dtype::Fp32))
        notes.push_back(fmt::format(
            "{} has no fp32 peak: loss and optimizer are taken to be limited by its memory", machine.name));
}

/// Ranks that share weights gather them once more for each layer that is recomputed.
void addGathers(const Snapshot& snapshot, std::vector<std::string>& notes) {
    const RunConfig& config = snapshot.config;
    if (!config.parallel.shares(Zero::Weights) || config.recompute.kind != RecomputePolicy::Kind::None ||
        config.layers < 3)
        return;
    std::int64_t gathers = 0;
    for (const OpReading& op : snapshot.predicted->ops)
        if (op.kind == kindName(OpKind::AllGather)) gathers += op.executions;
    notes.push_back(
        fmt::format("a step gathers weights {} times, since --checkpoint none recomputes every layer again "
                    "for each one above it; --checkpoint sqrt does so once at most",
                    gathers));
}

void addTier(const Snapshot& snapshot, std::vector<std::string>& notes) {
    const Totals& totals = snapshot.predicted->totals;
    if (!totals.tier || !totals.seconds) return;
    std::string note = fmt::format("predicted times are {}", tierMeaning(*totals.tier));
    const std::int64_t ranks = snapshot.config.parallel.ranks();
    if (*totals.tier == Tier::Calibrated && ranks > 1)
        note =
            fmt::format("predicted times are calibrated with {} ranks on this machine; how far off they are "
                        "nobody has checked, since check-prediction runs steps of one rank",
                        ranks);
    else if (*totals.tier == Tier::Calibrated && !totals.spread)
        note = fmt::format("predicted times are calibrated, and nobody has checked them here: "
                           "plumbline-cli check-prediction --backend {} says how far off they are",
                           snapshot.target.machine.backend);
    notes.push_back(std::move(note));
    if (std::string missing = notPredicted(snapshot.config, snapshot.target); !missing.empty())
        notes.push_back(std::move(missing));
}

void addSpeed(const Snapshot& snapshot, std::vector<std::string>& notes) {
    const auto& speed = snapshot.measured->speed;
    if (!speed || !speed->ofCalibrated) return;
    std::string note =
        fmt::format("this machine ran at {:.2f} of its calibrated speed", *speed->ofCalibrated);
    const auto& predicted = snapshot.predicted->totals.seconds;
    const auto& measured = snapshot.measured->totals.seconds;
    if (predicted && measured) {
        const std::optional<Seconds> then = *predicted / *speed->ofCalibrated;
        note += fmt::format(", at which the step is predicted to take {} (difference {})",
                            quantity(then, "s"), difference(then, measured));
    }
    notes.push_back(std::move(note));
}

/// What held the device back while it was measured, and what is not known of it.
void addTelemetry(const Snapshot& snapshot, std::vector<std::string>& notes) {
    const auto& telemetry = snapshot.measured->telemetry;
    if (!telemetry) return;
    for (std::string& text : disturbancesOf(*telemetry)) notes.push_back(std::move(text));
    for (const std::string& text : absenceTexts(telemetry->absent))
        notes.push_back("not known of the device: " + text);
}

void addImpossible(const Snapshot& snapshot, std::vector<std::string>& notes) {
    for (const auto* reading : {&snapshot.measured, &snapshot.predicted}) {
        if (!*reading || !(*reading)->totals.mfu) continue;
        std::string problem = impossibleUtilisation(*(*reading)->totals.mfu, snapshot.target.machine);
        if (problem.empty()) continue;
        notes.push_back(std::move(problem));
        return;
    }
}

}  // namespace

std::vector<std::string> notesOf(const Snapshot& snapshot) {
    std::vector<std::string> notes;
    if (!snapshot.predicted) return notes;
    if (!snapshot.predicted->totals.seconds) notes.push_back(whyNoTime(snapshot));
    addTier(snapshot, notes);
    addGathers(snapshot, notes);
    addPasses(snapshot, notes);
    addImpossible(snapshot, notes);
    if (const auto error = medianError(snapshot))
        notes.push_back(
            fmt::format("the predicted time of an op is off by {:.1f} % in the median", *error * 100.0));
    if (!snapshot.measured || !snapshot.measured->totals.seconds) return notes;
    addSpeed(snapshot, notes);
    addTelemetry(snapshot, notes);
    notes.push_back(fmt::format("measured times are medians of {} steps, beside them 10 % and 90 %; {}",
                                snapshot.measured->stepsMeasured, counterNote(*snapshot.measured)));
    const bool onGpu = snapshot.target.machine.computeCapability.has_value();
    if (onGpu && snapshot.measured->timeline && !snapshot.measured->timeline->driverRecordsAbsent.empty())
        notes.push_back("the timeline has the times of operations alone, without kernels and copies: " +
                        snapshot.measured->timeline->driverRecordsAbsent);
    return notes;
}

std::string lossText(double loss) { return std::isnan(loss) ? "not a number" : fmt::format("{:.6g}", loss); }

std::string lossScaleText(const TrainingSeries& training) {
    if (training.steps.empty() || !std::isfinite(training.steps.front().lossScale)) return {};
    return fmt::format(", loss scale {:g} at first, {:g} at last, {} step{} skipped",
                       training.steps.front().lossScale, training.steps.back().lossScale,
                       training.skippedSteps, training.skippedSteps == 1 ? "" : "s");
}

}  // namespace plumb::cli
