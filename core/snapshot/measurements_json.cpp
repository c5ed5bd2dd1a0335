// SPDX-License-Identifier: Apache-2.0
#include "core/snapshot/measurements_json.h"

#include "core/io/json_values.h"
#include "core/machine/machine_json.h"
#include "core/measure/reading_columns.h"
#include "core/measure/reading_json.h"
#include "core/measure/totals_check.h"
#include "core/snapshot/runs_json.h"
#include "core/snapshot/session_entries.h"

#include <algorithm>
#include <string>
#include <utility>

namespace plumb {

namespace {

using nlohmann::json;

// What an entry takes in the memory of a document, from above; a reader refuses one of 512 MB.
constexpr std::size_t kListedOpBytes = 3000;  ///< an op and its place in the curve, each with all its names
constexpr std::size_t kColumnOpBytes = 600;
constexpr std::size_t kRecordBytes = 160;
constexpr std::size_t kReadingBytes = 8000;
constexpr std::size_t kMostMeasurementBytes = std::size_t{128} << 20U;

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
    std::size_t left = kMostMeasurementBytes;
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

json curveJson(const std::vector<MeasuredPolicy>& points, const RunConfig& config) {
    json curve = json::array();
    RunConfig with = config;
    for (const MeasuredPolicy& point : points) {
        with.recompute = point.policy;
        curve.push_back({{"checkpoint", optionValue(with, "checkpoint")},
                         {"peak_bytes", countJson(point.peakBytes)},
                         {"seconds", numberJson(point.seconds)},
                         {"steps", point.steps}});
    }
    return curve;
}

std::vector<MeasuredPolicy> readCurve(const JsonField& field, RunConfig config) {
    std::vector<MeasuredPolicy> curve(field.isNull() ? 0 : field.arraySize());
    for (std::size_t i = 0; i < curve.size() && field.ok(); ++i) {
        const JsonField entry = field.at(i);
        if (!entry.expectObject()) break;
        const JsonField policy = entry["checkpoint"];
        const std::string text = policy.text();
        if (!field.ok()) break;
        if (const auto set = setOption(config, "checkpoint", text); !set.has_value()) {
            policy.fail("cannot be used: " + set.error().text());
            break;
        }
        curve[i] = {config.recompute, entry["peak_bytes"].countOrNull(), entry["seconds"].numberOrNull(),
                    entry["steps"].count()};
    }
    return curve;
}

json measurementsJson(const Snapshot& snapshot) {
    json list = json::array();
    const SessionShare share = shareOf(snapshot);
    if (share.measurements == 0) return list;
    const json machine = toJson(snapshot.target.machine);
    for (std::size_t i = snapshot.measurements.size() - share.measurements; i < snapshot.measurements.size();
         ++i) {
        const SessionMeasurement& each = snapshot.measurements[i];
        Reading measured = each.measured;
        if (!share.hasTimeline[i]) measured.timeline = nullptr;
        json entry = entryJson(each, snapshot, machine);
        entry["measured"] = toJson(measured);
        list.push_back(std::move(entry));
    }
    return list;
}

json curvesJson(const Snapshot& snapshot) {
    json list = json::array();
    const SessionShare share = shareOf(snapshot);
    if (share.curves == 0) return list;
    const json machine = toJson(snapshot.target.machine);
    for (std::size_t i = snapshot.curves.size() - share.curves; i < snapshot.curves.size(); ++i) {
        const SessionCurve& each = snapshot.curves[i];
        json entry = entryJson(each, snapshot, machine);
        entry["points"] = curveJson(each.points, each.config);
        list.push_back(std::move(entry));
    }
    return list;
}

std::vector<SessionMeasurement> readMeasurements(const JsonField& field, const Snapshot& snapshot) {
    return readEntries<SessionMeasurement>(
        field, kMostMeasurements, snapshot, [](const JsonField& from, SessionMeasurement& each) {
            const JsonField measured = from["measured"];
            each.measured = readJson<Reading>(measured);
            expectBelievable(measured, each.measured, each.config, each.target.machine, nullptr);
        });
}

std::vector<SessionCurve> readCurves(const JsonField& field, const Snapshot& snapshot) {
    return readEntries<SessionCurve>(field, kMostCurves, snapshot,
                                     [](const JsonField& from, SessionCurve& each) {
                                         const JsonField points = from["points"];
                                         each.points = readCurve(points, each.config);
                                     });
}

}  // namespace plumb
