// SPDX-License-Identifier: Apache-2.0
#include "core/measure/roofline_points.h"

#include "core/machine/attainable.h"
#include "core/measure/known_sum.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

namespace plumb {

namespace {

/// The measured rate and intensity, from the seconds and the counts that are known.
void place(RooflinePoint& point) {
    point.countedIntensity.reset();
    point.measured.reset();
    if (!point.measuredSeconds) return;
    const auto work = static_cast<double>(point.executedFlops.value_or(point.flops));
    point.measured = work / *point.measuredSeconds;
    if (point.executedFlops && *point.executedFlops > 0 && point.countedBytes && *point.countedBytes > 0)
        point.countedIntensity = work / static_cast<double>(*point.countedBytes);
}

/// FLOPs that were executed stand in for those of the model; both are needed to place a point by counters.
void addMeasured(RooflinePoint& point, const OpReading& reading, MemoryLevel level) {
    if (!reading.seconds || *reading.seconds <= 0) return;
    point.measuredSeconds = reading.seconds;
    point.executedFlops = reading.counters.executedFlops();
    point.countedBytes = reading.counters.bytesAt(level);
    place(point);
}

}  // namespace

std::vector<RooflinePoint> rooflinePoints(const Step& step, const Machine& machine,
                                          const Prediction& prediction, MemoryLevel level,
                                          const MeasuredOp& measured) {
    // The roof is what the ceilings alone allow; the overhead of an op is part of its rate, not of its roof.
    Machine bare = machine;
    bare.perOpOverhead.reset();
    std::vector<RooflinePoint> points;
    points.reserve(static_cast<std::size_t>(step.opCount()));
    const auto positive = [](const std::optional<Seconds>& seconds) { return seconds && *seconds > 0; };
    for (std::int64_t index = 0; index < step.opCount(); ++index) {
        const auto i = static_cast<std::size_t>(index);
        const StepOp& op = step.op(index);
        if (op.flops <= 0 || op.bytes <= 0 || op.lane == Lane::Traffic) continue;
        const auto work = static_cast<double>(op.flops);
        RooflinePoint point;
        point.phase = op.phase;
        point.ops = {index};
        point.flops = op.flops;
        point.bytes = op.bytes;
        point.intensity = work / static_cast<double>(op.bytes);
        point.bound = boundOf(op, machine);
        if (const auto seconds = rooflineSeconds(op, bare); positive(seconds)) point.roof = work / *seconds;
        if (positive(prediction.opSeconds[i])) {
            point.predictedSeconds = prediction.opSeconds[i];
            point.predicted = work / *point.predictedSeconds;
            if (i < prediction.opTiers.size()) point.tier = prediction.opTiers[i];
        }
        if (const OpReading* reading = measured(index)) addMeasured(point, *reading, level);
        points.push_back(std::move(point));
    }
    return points;
}

std::vector<RooflinePoint> groupedPoints(const std::vector<RooflinePoint>& points, const Step& step) {
    using Key = std::tuple<Phase, std::string_view, std::int64_t, std::int64_t>;
    std::map<Key, std::size_t> places;
    std::vector<RooflinePoint> groups;
    std::vector<double> roofSeconds;
    for (const RooflinePoint& point : points) {
        const std::int64_t first = point.ops.front();
        const StepOp& op = step.op(first);
        const auto [place, isNew] =
            places.try_emplace({op.phase, step.opGroup(first), op.in, op.out}, groups.size());
        const double atRoof = point.roof ? static_cast<double>(point.flops) / *point.roof : 0;
        if (isNew) {
            groups.push_back(point);
            groups.back().label = step.groupLabel(first);
            roofSeconds.push_back(atRoof);
            continue;
        }
        RooflinePoint& group = groups[place->second];
        group.ops.insert(group.ops.end(), point.ops.begin(), point.ops.end());
        group.flops += point.flops;
        group.bytes += point.bytes;
        addKnown(group.predictedSeconds, point.predictedSeconds);
        addKnown(group.measuredSeconds, point.measuredSeconds);
        group.tier = std::max(group.tier, point.tier);
        addKnown(group.executedFlops, point.executedFlops);
        addKnown(group.countedBytes, point.countedBytes);
        if (!point.roof) group.roof.reset();
        roofSeconds[place->second] += atRoof;
    }
    for (std::size_t i = 0; i < groups.size(); ++i) {
        RooflinePoint& group = groups[i];
        const auto work = static_cast<double>(group.flops);
        const auto rate = [work](const std::optional<Seconds>& seconds) {
            return seconds ? std::optional(work / *seconds) : std::nullopt;
        };
        group.intensity = work / static_cast<double>(group.bytes);
        group.predicted = rate(group.predictedSeconds);
        place(group);
        if (group.roof) group.roof = work / roofSeconds[i];
    }
    return groups;
}

}  // namespace plumb
