// SPDX-License-Identifier: Apache-2.0
// The measured part of a machine.
#include "core/machine/machine_json.h"
#include "core/model/parallel.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace plumb {

using nlohmann::json;
using enum Presence;

namespace {

// Far beyond what is measured, and near enough that no product or quotient of two of them overflows.
struct SizeLimits {
    static constexpr double least = 1, most = 1e30;
};
struct TimeLimits {
    static constexpr Seconds least = 1e-15, most = 1e15;
};
struct PauseLimits {
    static constexpr Seconds least = 0, most = 1e15;
};
using Size = Within<SizeLimits>;

struct Threads : Whole<1> {
    static std::int64_t read(const JsonField& field) {
        constexpr std::int64_t kMostThreads = 1 << 16;
        return std::min(Whole<1>::read(field), kMostThreads);
    }
};

/// Machines look at it before they read the rest.
struct Version {
    static json write(const CostTables& /*costs*/) { return kCostsVersion; }
    static void read(const JsonField& /*field*/, CostTables& /*costs*/) {}
    static json schema(json& /*definitions*/) { return {{"const", kCostsVersion}}; }
};

/// The entry that does not come after the one before it, in a list ordered by `key`.
template <class Entry, class Key>
void expectRising(const JsonField& list, const std::vector<Entry>& entries, const Key& key,
                  const char* what) {
    for (std::size_t i = 1; i < entries.size(); ++i)
        if (key(entries[i]) <= key(entries[i - 1])) list.at(i).fail(what);
}

}  // namespace

JsonType<CostLine> jsonType(Of<CostLine> /*type*/) {
    static constexpr JsonMember<CostLine> kMembers[]{
        member<&CostLine::plane, Size>("plane", Required),
        member<&CostLine::column, Size>("column", Required),
        member<&CostLine::rows, ListOf<Size>>("rows", Required),
        member<&CostLine::work, ListOf<Size>>("work", Required),
        member<&CostLine::seconds, ListOf<Within<TimeLimits>>>("seconds", Required)};
    static constexpr auto kCheck = [](const JsonField& field, CostLine& line) {
        const JsonField rows = field["rows"];
        if (line.rows.empty()) rows.fail("is empty");
        if (line.work.size() != line.rows.size() || line.seconds.size() != line.rows.size())
            rows.fail("has another length than work and seconds");
        if (!std::is_sorted(line.rows.begin(), line.rows.end(), std::less_equal<>()))
            rows.fail("does not rise");
    };
    return {{}, {}, kMembers, kCheck};
}

JsonType<CostTable> jsonType(Of<CostTable> /*type*/) {
    static constexpr JsonMember<CostTable> kMembers[]{
        member<&CostTable::op>("op", Required,
                               "kind, element types read > written, and what is done on the way"),
        member<&CostTable::lines>("lines", Required,
                                  "By rising plane, then column; rows, work and seconds have equal lengths")};
    static constexpr auto kCheck = [](const JsonField& field, CostTable& table) {
        const JsonField lines = field["lines"];
        if (table.lines.empty()) lines.fail("is empty");
        const auto place = [](const CostLine& line) { return std::pair(line.plane, line.column); };
        expectRising(lines, table.lines, place, "does not rise in plane and column");
    };
    return {{}, {}, kMembers, kCheck};
}

JsonType<BandwidthPoint> jsonType(Of<BandwidthPoint> /*type*/) {
    static constexpr JsonMember<BandwidthPoint> kMembers[]{
        member<&BandwidthPoint::workingSet, Whole<1>>("working_set_bytes", Required),
        member<&BandwidthPoint::read, Size>("read_bytes_per_s", Required),
        member<&BandwidthPoint::copy, Size>("copy_bytes_per_s", Required),
        member<&BandwidthPoint::update, Size>("update_bytes_per_s", Required)};
    return {{}, {}, kMembers};
}

JsonType<SpeedProbe> jsonType(Of<SpeedProbe> /*type*/) {
    static constexpr JsonMember<SpeedProbe> kMembers[]{
        member<&SpeedProbe::productFlopPerSecond, Size>("product_flop_per_s", Required),
        member<&SpeedProbe::copyBytesPerSecond, Size>("copy_bytes_per_s", Required),
        member<&SpeedProbe::loopPerSecond, Size>("loop_per_s", Required)};
    return {"speed_probe", "How fast the machine was at a moment: a product in fp32, a copy, a loop",
            kMembers};
}

JsonType<CalibratedSpeed> jsonType(Of<CalibratedSpeed> /*type*/) {
    static constexpr JsonMember<CalibratedSpeed> kMembers[]{
        inlined<&CalibratedSpeed::probe>(),
        member<&CalibratedSpeed::spread>("spread", Required,
                                         "(90 % - 10 %) / median of the part that varied most"),
        member<&CalibratedSpeed::systemLoad>("system_load", Required,
                                             "Other runnable programs per core when it began"),
        member<&CalibratedSpeed::probes, Whole<1>>("probes", Required),
        member<&CalibratedSpeed::sharedWith>("shared_with", IfSet,
                                             "Who else used the device while it was calibrated")};
    return {{}, {}, kMembers};
}

JsonType<ReplayCosts> jsonType(Of<ReplayCosts> /*type*/) {
    static constexpr JsonMember<ReplayCosts> kMembers[]{
        member<&ReplayCosts::betweenNodes, Within<PauseLimits>>(
            "between_nodes_s", Required,
            "From the end of a node of a graph to the beginning of the next: a graph of tiny kernels less "
            "one "
            "kernel that does the work of all, for each of them"),
        member<&ReplayCosts::marks, Within<PauseLimits>>(
            "marks_s", Required,
            "Part of an op's time when it is timed by itself, which no replay takes: what the ops of "
            "surveyed "
            "steps and the time between their nodes add up to beyond the same steps replayed, for each op")};
    return {{}, "Of steps that are replayed as graphs", kMembers};
}

JsonType<CostTables> jsonType(Of<CostTables> /*type*/) {
    static constexpr JsonMember<CostTables> kMembers[]{
        custom<CostTables, Version>("version", Required),
        member<&CostTables::betweenOps, Within<PauseLimits>>(
            "between_ops_s", Required, "Part of a step for each execution of an op, of no op"),
        member<&CostTables::replay>("replay", IfSet),
        member<&CostTables::threads, Threads>("threads", Required,
                                              "Of the host, between which products are shared; 1 where a "
                                              "device shares its work in ways of its own"),
        member<&CostTables::bandwidth>("bandwidth", Required,
                                       "By rising working set; bytes read and written"),
        member<&CostTables::tables>("tables", Required, "By rising op"),
        member<&CostTables::speed>(
            "speed", IfSet,
            "Of the machine in the fast moments of its calibration: 75 % of the probes are slower. The times "
            "of the tables are of this speed")};
    static constexpr auto kCheck = [](const JsonField& field, CostTables& costs) {
        const JsonField bandwidth = field["bandwidth"], tables = field["tables"];
        expectRising(bandwidth, costs.bandwidth, std::mem_fn(&BandwidthPoint::workingSet),
                     "does not rise in working_set_bytes");
        expectRising(tables, costs.tables, std::mem_fn(&CostTable::op), "does not rise in op");
    };
    return {
        "costs",
        "Measured times of ops by their sizes, from calibration. Seconds are those of one execution at a "
        "row, column and plane; the rate work / seconds is interpolated linearly in the logarithms, along "
        "the rows of a line, then between the lines of a plane, then between planes, and clamped outside. "
        "What row, column, plane and work are: products of a layer batch, sqrt(in * out), 1, batch * in * "
        "out / the threads that share it (of threads, one for each whole 4e6 of 2 * batch * in * out, at "
        "least one); products of the head batch, in, out, batch * in * out; load_batch batch, in, out, batch "
        "* (in + out), of a file batch, in + out, 1, batch * (in + out); loss_gradient elements, in, 1, "
        "elements; optimizer_step and gradient_norm parameters, micro-batch, 1, parameters; all_reduce, "
        "reduce_scatter and all_gather bytes, "
        "1, 1, bytes; others elements, 1, 1, elements. Tables that end in \"deep\" are of steps of 24 "
        "layers, the others of at most 3; "
        "\"gather rows\" is what a thread beside the step takes for the rows of a micro-batch. Of ranks, "
        "those that end in \"without traffic\" and \"beside traffic\" are of ops right before all-reduces go "
        "on "
        "and meanwhile, \"beside products\" of all-reduces while the ranks compute. A reader passes over a "
        "version that it does not know.",
        kMembers, kCheck};
}

JsonType<RankCosts> jsonType(Of<RankCosts> /*type*/) {
    static constexpr JsonMember<RankCosts> kMembers[]{
        member<&RankCosts::ranks, Whole<2, kMostRanks>>("ranks", Required,
                                                        "That have equal parts of the machine"),
        member<&RankCosts::source>("source", Required, "When that was measured"),
        member<&RankCosts::costs>("costs", Required,
                                  "Of one of them while the others run the same step; without a bandwidth")};
    return {"costs_of_ranks", "Measured times of ops and collectives of ranks that share a machine",
            kMembers};
}

JsonType<PredictionErrors> jsonType(Of<PredictionErrors> /*type*/) {
    static constexpr JsonMember<PredictionErrors> kMembers[]{
        member<&PredictionErrors::date>("date", Required),
        member<&PredictionErrors::configurations, Whole<1>>("configurations", Required),
        member<&PredictionErrors::medianError>("median_error", Required,
                                               "Of |predicted - measured| / measured"),
        member<&PredictionErrors::p90Error>("p90_error", Required),
        member<&PredictionErrors::medianErrorAtSpeed>(
            "median_error_at_speed", IfSet,
            "With each prediction taken at the speed of the machine in that moment"),
        member<&PredictionErrors::p90ErrorAtSpeed>("p90_error_at_speed", IfSet),
        member<&PredictionErrors::opMedianError>("op_median_error", IfSet, "Of single ops"),
        member<&PredictionErrors::opP90Error>("op_p90_error", IfSet)};
    return {{},
            "How right the predictions of this machine were over "
            "random configurations when that was last checked",
            kMembers};
}

}  // namespace plumb
