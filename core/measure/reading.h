// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/enum_names.h"
#include "core/machine/machine.h"
#include "core/machine/machine_speed.h"
#include "core/machine/target.h"
#include "core/machine/tier.h"
#include "core/measure/library_product.h"
#include "core/measure/memory_shares.h"
#include "core/measure/op_counters.h"
#include "core/measure/rank_reading.h"
#include "core/measure/source.h"
#include "core/measure/telemetry.h"
#include "core/measure/timeline.h"
#include "core/plan/step_plan.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plumb {

/// One op of a reading. FLOPs and bytes of a prediction are the plan's; a measured reading has them only from
/// counters (executed FLOPs and DRAM bytes, see applyCounters()) and otherwise leaves them out.
/// Names are text here, because a snapshot is read without the plan that made it.
struct OpReading {
    std::string id;
    std::string name;
    Phase phase{};
    std::string kind;  ///< kindName()
    std::int32_t layer = 0;
    std::int64_t executions = 1;
    std::optional<Flops> flops;
    std::optional<Bytes> bytes;
    std::optional<Seconds> seconds;      ///< in one step: all executions
    std::optional<Spread> spread;        ///< spread of the seconds, see Spread; absent: not known
    std::optional<Tier> tier;            ///< tier of the seconds; absent without them, and in older files
    Source source = Source::Predicted;   ///< source of the seconds
    OpCounters counters;                 ///< each count says its own source
    std::vector<std::int32_t> products;  ///< what it ran, indices into Reading::products
};

/// An entry with everything that the step knows of its op `index`: names, FLOPs and bytes; no seconds.
[[nodiscard]] OpReading describeOp(const Step& step, std::int64_t index);

struct MemoryReading {
    Source source = Source::Predicted;  ///< the plan, or the allocator that counted while the step ran
    Bytes peakBytes = 0;
    std::int32_t peakOp = -1;  ///< index into ops and curve
    CategoryBytes atPeak{};
    CategoryBytes categoryPeak{};
    std::vector<CategoryBytes> curve;  ///< one entry per op, while that op runs
    std::vector<MemoryShare> device;   ///< measured: all that is in use there between steps; empty: not known
};

struct Totals {
    std::optional<Flops> flops;
    std::optional<Flops> matmulFlops;
    std::optional<Bytes> bytes;
    std::optional<Seconds> seconds;
    std::optional<Spread> spread;  ///< spread of the seconds, see Spread; absent: not known
    std::optional<Tier> tier;      ///< tier of the seconds (of a prediction: that of its products)
    /// Of the seconds of a step of several ranks, those that it would not take if traffic were free: waits
    /// for it, and what it slows down. Of a prediction; nobody can measure it.
    std::optional<Seconds> exposed;
    std::optional<double> samplesPerSecond;
    std::optional<double> flopPerSecond;  ///< the plan's FLOPs / seconds
    /// (the plan's matmul FLOPs without recomputation) / seconds / peak of the compute dtype, of all ranks
    /// that share the machine
    std::optional<double> mfu;
};

/// One collective of a step. The seconds of the op are what the step waited for it; the rest of these went
/// on beside other ops.
struct CollectiveReading {
    std::int32_t op = -1;            ///< index into the ops
    Bytes bytes = 0;                 ///< that are reduced, gathered or scattered in one step
    std::optional<Bytes> sentBytes;  ///< to other ranks in one step: of the plan, or counted when posted
    std::optional<Seconds> seconds;  ///< from when it is its turn until its end, see Communicator::Cost
    bool operator==(const CollectiveReading&) const = default;
};
/// Those of the plan, without times.
[[nodiscard]] std::vector<CollectiveReading> collectivesOf(const StepPlan& plan);

/// Everything known about one step, predicted or measured.
struct Reading {
    Source source = Source::Predicted;
    Totals totals;
    std::optional<MemoryReading> memory;
    std::vector<OpReading> ops;
    /// Products of the matrix library that the ops ran; none where products are the backend's own.
    std::vector<LibraryProduct> products;
    /// What the step costs each of its ranks; the rest is of the first. Empty: there is one rank, or too
    /// many.
    std::vector<RankReading> ranks;
    std::vector<CollectiveReading> collectives;  ///< of a step of several ranks, in the order of its ops
    /// What ran a measured step where it was not the built-in trainer: "PyTorch 2.15.0 eager, CPU, 2
    /// threads".
    std::string engine;
    std::vector<std::string>
        remarks;                     ///< what it did not measure and why, what it counts otherwise; sentences
    std::int32_t stepsMeasured = 0;  ///< repeats behind the medians; 0 for a prediction
    std::optional<MeasuredSpeed> speed;    ///< speed of the machine while it was measured; absent: not probed
    std::optional<Telemetry> telemetry;    ///< clocks, power and so on meanwhile; empty: see telemetryAbsent
    std::string telemetryAbsent;           ///< why there is none of a measured reading, one sentence
    std::optional<CounterRun> counterRun;  ///< how the ops' counters were collected; empty: they were not
    std::string countersAbsent;  ///< why there are no counters, one sentence; empty where there are or none
                                 ///< were to be expected
    /// What happened when in the last steps of a profile, its records naming `ops` by index; null: not
    /// recorded. Shared, because readings are copied and a timeline is large.
    std::shared_ptr<const Timeline> timeline;
};

/// Gives each measured op without seconds those of its timeline's activity records, the median of the steps,
/// where the records are complete and have the op in every step.
void addRecordedSeconds(Reading& measured);

/// Which ceiling limits an op.
enum class Bound : std::uint8_t { Unknown, Compute, Memory, Overhead };
inline constexpr auto kBoundNames = enumNames<Bound>({{Bound::Unknown, "unknown"},
                                                      {Bound::Compute, "compute"},
                                                      {Bound::Memory, "memory"},
                                                      {Bound::Overhead, "overhead"}});
[[nodiscard]] constexpr std::string_view boundName(Bound value) { return kBoundNames.name(value); }

/// Seconds of one op by the ceilings alone: executions * (max(flops / peak, bytes / bandwidth) + overhead).
/// Absent when a ceiling is unknown. Element-wise ops use the bandwidth, and the fp32 peak if known.
[[nodiscard]] std::optional<Seconds> rooflineSeconds(const StepOp& op, const Machine& machine);
/// Least seconds of a step by the ceilings alone: the sum of its ops; where it has a side branch
/// (BackendTraits::sideBranch), the longer of the two branches, and no less than its products take at the
/// peak and its bytes at the bandwidth. Absent when a ceiling is unknown.
[[nodiscard]] std::optional<Seconds> leastSeconds(const StepPlan& plan, const Machine& machine);
[[nodiscard]] Bound boundOf(const StepOp& op, const Machine& machine);

/// The fast form for sliders: numbers only, in the plan's op order; no text is made.
struct Prediction {
    Totals totals;
    MemoryReading memory;
    std::vector<std::optional<Seconds>> opSeconds;
    std::vector<std::optional<Spread>> opSpreads;
    std::vector<Tier> opTiers;
    std::vector<CollectiveReading> collectives;
};
/// Seconds of an op: where the machine has tables, executions * repeat * what the table of its signature says
/// at its sizes. A variant (16-bit, ReLU, added to) is calibrated at fewer sizes than the plain op; between
/// them its distance from the plain op is interpolated. An op without a table is its roofline, with the
/// bandwidth of its working set where that is known. The step is the sum, and the time between its ops.
///
/// Where a replayed step has a side branch (BackendTraits::sideBranch) the step is the sum all the same: what
/// its branches gain by running at the same time is not predicted. The low end of a range without a
/// calibration allows for it, as leastSeconds() does.
///
/// Several ranks that share a machine are timed by what calibration measured of as many (costsOf()), by
/// scheduling two lanes (core/measure/lane_schedule.h): the seconds of an op are then with what traffic slows
/// it down, those of a collective what the step waits for it, and its own stand in `collectives`. Where
/// nobody measured so many ranks there are none, neither of the ops nor of the step, nor where an op of them
/// has no table.
///
/// Without a calibration the times are a range (see Spread): executions * repeat * (max(flops / (peak *
/// share), bytes / (bandwidth * share)) + launch) at the shares and launch times of
/// core/machine/attainable.h; their expected values are the seconds.
[[nodiscard]] Prediction predict(const StepPlan& plan, const Machine& machine);
/// The same of a step that the tables do not know: the roofline of each op, and without a calibration the
/// range.
[[nodiscard]] Prediction predictByCeilings(const Step& step, const Machine& machine);
/// What the predicted time of a step leaves out, or why there is none, one sentence; empty where it leaves
/// out nothing.
[[nodiscard]] std::string notPredicted(const RunConfig& config, const Target& target);

/// What share of its calibrated speed `machine` has for the step of `plan` when a probe finds `now`: each
/// part of the probe counts as much as the predicted time that it limits. Absent without a calibration that
/// was probed, without a predicted time, and where several ranks share the machine: others go on meanwhile.
[[nodiscard]] std::optional<double> shareOfCalibratedSpeed(const StepPlan& plan, const Machine& machine,
                                                           const SpeedProbe& now);

/// The same prediction with names, as it goes into a snapshot.
[[nodiscard]] Reading predictedReading(const StepPlan& plan, const Machine& machine);
[[nodiscard]] Reading toReading(const Step& step, const Prediction& prediction);

/// mfu and rates from FLOPs, seconds and the machine; used by both readings.
[[nodiscard]] Totals makeTotals(const Step& step, const Machine& machine, std::optional<Seconds> stepSeconds);

/// Peak, peak op and category peaks of a curve.
[[nodiscard]] MemoryReading summariseCurve(std::vector<CategoryBytes> curve);

/// Largest batch (with micro-batch = batch if it was so, else a multiple of the micro-batch) whose predicted
/// peak is at most `memoryBytes`; 0 when not even the smallest fits.
[[nodiscard]] std::int64_t largestBatchThatFits(const RunConfig& config, const BackendTraits& traits,
                                                Bytes memoryBytes);

/// Refuses a step that does not fit: OutOfMemory with need, have and the largest batch that fits. Ranks that
/// share the machine have equal parts of its `memoryBytes`, here and above.
[[nodiscard]] Result<void> checkFits(const StepPlan& plan, Bytes memoryBytes);

}  // namespace plumb
