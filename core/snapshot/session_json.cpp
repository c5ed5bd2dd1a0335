// SPDX-License-Identifier: Apache-2.0
// What else was measured in the session that a snapshot was saved in: its runs, measurements and curves.
#include "core/machine/machine_json.h"
#include "core/measure/loss_history.h"
#include "core/measure/reading_columns.h"
#include "core/measure/reading_json.h"
#include "core/measure/spread_json.h"
#include "core/measure/totals_check.h"
#include "core/measure/training_json.h"
#include "core/model/config_json.h"
#include "core/plan/traits_json.h"
#include "core/snapshot/snapshot_json.h"

#include <algorithm>
#include <string>
#include <utility>

namespace plumb {

namespace {

using nlohmann::json;
using enum Presence;

// What an entry takes in the memory of a document, from above; a reader refuses one of 512 MB.
constexpr std::size_t kListedOpBytes = 3000;  ///< an op and its place in the curve, each with all its names
constexpr std::size_t kColumnOpBytes = 600;
constexpr std::size_t kRecordBytes = 160;
constexpr std::size_t kReadingBytes = 8000;
constexpr std::size_t kMostBytes = std::size_t{128} << 20U;

std::size_t bytesOf(const Reading& reading) {
    const std::size_t each = reading.ops.size() > kMostListedOps ? kColumnOpBytes : kListedOpBytes;
    return kReadingBytes + reading.ops.size() * each;
}

std::size_t bytesOf(const Timeline& timeline) { return timeline.records.size() * kRecordBytes; }

/// True when `bytes` are left, which are then taken.
bool take(std::size_t& left, std::size_t bytes) {
    if (bytes > left) return false;
    left -= bytes;
    return true;
}

/// How much of the snapshot's lists a file takes: of the lists the newest, so many entries at their end.
struct SessionShare {
    std::size_t measurements = 0;
    std::vector<bool> hasTimeline;  ///< of all measurements
    std::size_t curves = 0;
};

SessionShare shareOf(const Snapshot& snapshot) {
    SessionShare share;
    share.hasTimeline.assign(snapshot.measurements.size(), false);
    std::size_t left = kMostBytes;
    const std::size_t most = std::min(snapshot.measurements.size(), kMostMeasurements);
    while (share.measurements < most) {
        const std::size_t at = snapshot.measurements.size() - share.measurements - 1;
        if (!take(left, bytesOf(snapshot.measurements[at].measured))) break;
        ++share.measurements;
    }
    // The numbers of all come before the timeline of any.
    for (std::size_t i = 0; i < share.measurements; ++i) {
        const std::size_t at = snapshot.measurements.size() - i - 1;
        const auto& timeline = snapshot.measurements[at].measured.timeline;
        share.hasTimeline[at] = timeline && take(left, bytesOf(*timeline));
    }
    std::size_t points = kMostCurvePoints;
    const std::size_t mostCurves = std::min(snapshot.curves.size(), kMostCurves);
    while (share.curves < mostCurves &&
           take(points, snapshot.curves[snapshot.curves.size() - share.curves - 1].points.size()))
        ++share.curves;
    return share;
}

/// Enough for a curve across a screen, whatever the number of runs.
constexpr std::size_t kFewestPoints = 64;

/// Keeps at most `most` points: the first, the last, and the extremes between them.
void thinOut(TrainingSeries& series, std::size_t most) {
    if (series.steps.size() <= most) return;
    // Two points of a bucket, and both ends.
    LossHistory history((most - 2) / 4 * 2);
    for (const StepMetrics& step : series.steps) history.add(step);
    series.steps = history.points();
}

std::size_t tensorsOf(const TrainingSeries& series) {
    return (series.firstScales ? series.firstScales->tensors.size() : 0) +
           (series.lastScales ? series.lastScales->tensors.size() : 0);
}

struct Policy {
    static json write(const RecomputePolicy& policy) {
        RunConfig config;
        config.recompute = policy;
        return optionValue(config, "checkpoint");
    }
    static RecomputePolicy read(const JsonField& field) {
        RunConfig config;
        const std::string text = field.text();
        if (!field.ok()) return {};
        if (const auto set = setOption(config, "checkpoint", text); !set.has_value())
            field.fail("cannot be used: " + set.error().text());
        return config.recompute;
    }
    static json schema(json& definitions) { return Json<std::string>::schema(definitions); }
};

/// A machine or traits; null are those of the snapshot.
template <class Part>
struct IfOther : Json<Part> {
    static json schema(json& definitions) { return orNull(Json<Part>::schema(definitions)); }
};

template <class Entry>
constexpr auto kConfig = member<&Entry::config, ValidConfig>("config", Required);
template <class Entry>
constexpr auto kMachine =
    member<&Entry::target, &Target::machine, IfOther<Machine>>("machine", Added, "null: that of the file");
template <class Entry>
constexpr auto
    kTraits = member<&Entry::target, &Target::traits, IfOther<BackendTraits>>("traits", Added,
                                                                              "null: those of the file");

/// The machine and traits of the snapshot, as its entries would have them.
json ownParts(const Snapshot& snapshot) {
    return {{"machine", toJson(snapshot.target.machine)}, {"traits", toJson(snapshot.target.traits)}};
}

template <class Entry>
json entryJson(const Entry& entry, const json& own) {
    json object = toJson(entry);
    for (const auto& part : own.items())
        if (const auto found = object.find(part.key()); found != object.end() && *found == part.value())
            *found = nullptr;
    return object;
}

}  // namespace

SessionLoss boundSession(Snapshot& snapshot) {
    SessionLoss loss;
    const SessionShare share = shareOf(snapshot);
    for (std::size_t i = 0; i < snapshot.measurements.size(); ++i) {
        const bool isKept = i + share.measurements >= snapshot.measurements.size();
        auto& timeline = snapshot.measurements[i].measured.timeline;
        if (!isKept || share.hasTimeline[i]) continue;
        if (timeline) ++loss.timelines;
        timeline = nullptr;
    }
    const auto keepNewest = [](auto& list, std::size_t most) {
        const std::size_t gone = list.size() - std::min(list.size(), most);
        list.erase(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(gone));
        return gone;
    };
    loss.measurements = keepNewest(snapshot.measurements, share.measurements);
    loss.curves = keepNewest(snapshot.curves, share.curves);
    loss.runs = keepNewest(snapshot.runs, kMostSessionRuns);
    return loss;
}

JsonType<MeasuredPolicy> jsonType(Of<MeasuredPolicy> /*type*/) {
    static constexpr JsonMember<MeasuredPolicy> kMembers[]{
        member<&MeasuredPolicy::policy, Policy>("checkpoint", Required,
                                                "As the option: all, none, sqrt, an interval, fit:BYTES"),
        member<&MeasuredPolicy::peakBytes>("peak_bytes", Always),
        member<&MeasuredPolicy::seconds>("seconds", Always, "Of a step, median"),
        custom<MeasuredPolicy, SpreadJson<MeasuredPolicy>>({}, Added),
        member<&MeasuredPolicy::steps>("steps", Required, "Behind the median")};
    return {"measured_policy",
            "What another checkpoint policy was measured to need, everything else being as in the config "
            "beside it",
            kMembers};
}

JsonType<SessionRun> jsonType(Of<SessionRun> /*type*/) {
    static constexpr JsonMember<SessionRun> kMembers[]{
        kConfig<SessionRun>, kMachine<SessionRun>, kTraits<SessionRun>,
        member<&SessionRun::isNewer>("is_newer", Added, "It began after the training of the file"),
        member<&SessionRun::series>("training", Required)};
    return {{}, {}, kMembers};
}

JsonType<SessionMeasurement> jsonType(Of<SessionMeasurement> /*type*/) {
    static constexpr JsonMember<SessionMeasurement> kMembers[]{
        kConfig<SessionMeasurement>, kMachine<SessionMeasurement>, kTraits<SessionMeasurement>,
        member<&SessionMeasurement::isNewer>("is_newer", Added, "It began after `measured` of the file"),
        member<&SessionMeasurement::measured>("measured", Required)};
    static constexpr auto kCheck = [](const JsonField& field, SessionMeasurement& each) {
        const JsonField measured = field["measured"];
        expectBelievable(measured, each.measured, each.config, each.target.machine, nullptr);
    };
    return {{}, {}, kMembers, kCheck};
}

JsonType<SessionCurve> jsonType(Of<SessionCurve> /*type*/) {
    static constexpr JsonMember<SessionCurve> kMembers[]{
        kConfig<SessionCurve>,
        member<&SessionCurve::machine, IfOther<Machine>>("machine", Added, "null: that of the file"),
        member<&SessionCurve::points>("points", Always)};
    return {{}, {}, kMembers};
}

template <>
json SessionRuns::write(const Snapshot& snapshot) {
    const std::size_t count = std::min(snapshot.runs.size(), kMostSessionRuns);
    json runs = json::array();
    if (count == 0) return runs;
    const json own = ownParts(snapshot);
    const std::size_t most = std::max(kFewestPoints, kMostRunPoints / count);
    std::size_t tensors = kMostRunTensors;
    // The newest first: what does not fit is of the oldest.
    for (std::size_t i = 0; i < count; ++i) {
        SessionRun run = snapshot.runs[snapshot.runs.size() - 1 - i];
        thinOut(run.series, most);
        run.series.device.thinOut(kMostRunMoments / count);
        if (const std::size_t here = tensorsOf(run.series);
            here > std::exchange(tensors, tensors - std::min(tensors, here))) {
            run.series.firstScales.reset();
            run.series.lastScales.reset();
        }
        runs.push_back(entryJson(run, own));
    }
    std::reverse(runs.begin(), runs.end());
    return runs;
}

/// The newest `count` of the entries, each as `shown` gives the one at its place.
template <class Entry, class Shown>
json newestJson(const Snapshot& snapshot, const std::vector<Entry>& entries, std::size_t count,
                const Shown& shown) {
    json list = json::array();
    if (count == 0) return list;
    const json own = ownParts(snapshot);
    for (std::size_t i = entries.size() - count; i < entries.size(); ++i)
        list.push_back(entryJson(shown(i), own));
    return list;
}

template <>
json SessionMeasurements::write(const Snapshot& snapshot) {
    const SessionShare share = shareOf(snapshot);
    return newestJson(snapshot, snapshot.measurements, share.measurements, [&](std::size_t i) {
        SessionMeasurement each = snapshot.measurements[i];
        if (!share.hasTimeline[i]) each.measured.timeline = nullptr;
        return each;
    });
}

template <>
json SessionCurves::write(const Snapshot& snapshot) {
    return newestJson(snapshot, snapshot.curves, shareOf(snapshot).curves,
                      [&](std::size_t i) -> const SessionCurve& { return snapshot.curves[i]; });
}

template <auto kList, std::size_t kMost>
void SessionList<kList, kMost>::read(const JsonField& field, Snapshot& snapshot) {
    const std::size_t count = field.arraySize();
    if (count > kMost)
        field.fail("has " + std::to_string(count) + " entries, and " + std::to_string(kMost) +
                   " is the most");
    for (std::size_t i = 0; i < count && field.ok(); ++i) {
        const JsonField from = field.at(i);
        auto& entry = (snapshot.*kList).emplace_back();
        if constexpr (requires { entry.target; })
            entry.target = snapshot.target;
        else
            entry.machine = snapshot.target.machine;
        if (from.expectObject()) readMembers(from, entry);
    }
}

template <auto kList, std::size_t kMost>
json SessionList<kList, kMost>::schema(json& definitions) {
    using Entries = std::remove_cvref_t<decltype(std::declval<Snapshot&>().*kList)>;
    return orNull(ListOf<Json<typename Entries::value_type>, kMost>::schema(definitions));
}

template struct SessionList<&Snapshot::runs, kMostSessionRuns>;
template struct SessionList<&Snapshot::measurements, kMostMeasurements>;
template struct SessionList<&Snapshot::curves, kMostCurves>;

}  // namespace plumb
