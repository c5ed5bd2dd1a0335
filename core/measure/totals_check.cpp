// SPDX-License-Identifier: Apache-2.0
#include "core/measure/totals_check.h"

#include "core/plan/step_plan.h"

#include <cmath>
#include <optional>
#include <string>

namespace plumb {

namespace {

using nlohmann::json;

/// A hundred years, as in timelines.
constexpr Seconds kMostMeasured = 3.2e9;
/// Above what the most FLOPs or bytes that 63 bits count take on the slowest device of one's own.
constexpr Seconds kMostPredicted = 1e16;
/// Between a number of a file and what others of it make of it.
constexpr double kRounding = 1e-6;
/// A machine that was calibrated anew between a measurement and its file has other peaks.
constexpr double kRecalibrated = 2;

void expectTime(const JsonField& field, std::optional<Seconds> seconds, Source source) {
    const bool predicted = source == Source::Predicted;
    if (seconds && *seconds > (predicted ? kMostPredicted : kMostMeasured))
        field.fail("is " + field.json()->dump() + ", which is no time of a step in seconds");
}

/// `rate` is of `work` in `seconds`; `least` is where that is not known exactly.
void expectRate(const JsonField& field, std::optional<double> rate, double work, double least,
                Seconds seconds, double factor = 1 + kRounding) {
    const double expected = work / seconds;
    if (!rate || !std::isfinite(expected)) return;
    if (*rate < least / seconds / factor || *rate > expected * factor)
        field.fail("is " + field.json()->dump() + ", and the seconds make it " + json(expected).dump());
}

/// FLOPs of a step: all, and those that the MFU counts. Absent where the ops do not say them.
struct Work {
    std::optional<double> flops;
    std::optional<double> useful;       ///< at most: recomputed products are no part of it
    std::optional<double> leastUseful;  ///< recomputed element-wise work is
};

Work workOf(const Reading& reading) {
    Work work;
    const Totals& totals = reading.totals;
    if (totals.flops) work.flops = static_cast<double>(*totals.flops);
    if (!totals.matmulFlops) return work;
    Flops recomputed = 0;
    for (const OpReading& op : reading.ops) {
        if (op.phase != Phase::Recompute) continue;
        if (!op.flops) return work;
        recomputed += *op.flops;
    }
    work.useful = static_cast<double>(*totals.matmulFlops);
    work.leastUseful = static_cast<double>(*totals.matmulFlops - recomputed);
    return work;
}

}  // namespace

void expectBelievable(const JsonField& field, const Reading& reading, const RunConfig& config,
                      const Machine& machine, const Reading* planned) {
    if (!field.ok()) return;
    const Totals& totals = reading.totals;
    const JsonField whole = field["totals"];
    const JsonField seconds = whole["seconds"], high = whole["seconds_high"];
    expectTime(seconds, totals.seconds, reading.source);
    if (totals.spread) expectTime(high, totals.spread->high, reading.source);
    const JsonField samples = whole["samples_per_second"], flops = whole["flop_per_s"], mfu = whole["mfu"];
    if (!totals.seconds || *totals.seconds <= 0) {
        for (const JsonField* rate : {&samples, &flops, &mfu})
            if (!rate->isNull())
                rate->fail("is " + rate->json()->dump() + ", and seconds are " +
                           (totals.seconds ? "0" : "not known"));
        return;
    }
    const auto batch = static_cast<double>(config.batch);
    expectRate(samples, totals.samplesPerSecond, batch, batch, *totals.seconds);
    // Those ranks that could train so far share a machine.
    std::optional<double> peak = machine.peak(config.computeDtype());
    if (peak) *peak /= static_cast<double>(config.parallel.ranks());
    const Work work = planned ? workOf(*planned) : Work{};
    if (work.flops) expectRate(flops, totals.flopPerSecond, *work.flops, *work.flops, *totals.seconds);
    if (work.useful && peak)
        expectRate(mfu, totals.mfu, *work.useful / *peak, *work.leastUseful / *peak, *totals.seconds,
                   reading.source == Source::Predicted ? 1 + kRounding : kRecalibrated);
}

}  // namespace plumb
