// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/compare_detail.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace plumb::ui {
namespace {

/// More places than a screen has columns, so that an extreme is drawn where it is.
constexpr std::size_t kMostPlaces = 4096;

/// A curve of steps: flat between two edges. Of several places in a stretch the lowest and the highest are
/// drawn.
QVector<QPointF> stairsOf(const std::vector<double>& edges, const std::vector<double>& values) {
    const std::size_t stretch = (values.size() + kMostPlaces - 1) / kMostPlaces;
    QVector<QPointF> points;
    points.reserve(static_cast<qsizetype>(2 * std::min(values.size(), 2 * kMostPlaces)));
    const auto add = [&](std::size_t place) {
        points.append({edges[place], values[place]});
        points.append({edges[place + 1], values[place]});
    };
    for (std::size_t from = 0; from < values.size(); from += stretch) {
        const auto begin = values.begin() + static_cast<std::ptrdiff_t>(from);
        const auto end =
            values.begin() + static_cast<std::ptrdiff_t>(std::min(from + stretch, values.size()));
        const auto [low, high] = std::minmax_element(begin, end);
        const auto first = static_cast<std::size_t>(std::min(low, high) - values.begin());
        const auto second = static_cast<std::size_t>(std::max(low, high) - values.begin());
        add(first);
        if (second != first) add(second);
    }
    return points;
}

MemoryLines linesOf(const AlignedMemory& memory) {
    MemoryLines lines;
    if (memory.isEmpty()) return lines;
    const auto& [baseline, other] = memory.bytes;
    std::vector<double> difference(baseline.size());
    std::ranges::transform(other, baseline, difference.begin(), std::minus{});
    const auto [low, high] = std::ranges::minmax(difference);
    lines.lowestDifference = low;
    lines.highestDifference = high;
    lines.baseline = stairsOf(memory.edges, baseline);
    lines.other = stairsOf(memory.edges, other);
    lines.difference = stairsOf(memory.edges, difference);
    for (std::size_t i = 0; i < lines.peaks.size(); ++i) {
        const std::vector<double>& curve = memory.bytes.at(i);
        lines.peaks.at(i) = static_cast<std::size_t>(std::ranges::max_element(curve) - curve.begin());
    }
    return lines;
}

ComparedShifts shiftsOf(const Comparison& comparison, std::size_t index) {
    ComparedShifts shifts;
    for (RooflineShift& shift : rooflineShifts(comparison, index)) {
        ++shifts.all;
        if (shift.isReal && shifts.real.size() < ComparedShifts::kMost) shifts.real.push_back(shift);
        if (shifts.shown.size() < ComparedShifts::kMost) shifts.shown.push_back(std::move(shift));
    }
    return shifts;
}

/// The last recorded step of a timeline.
ComparedLane laneOf(const ComparedStep& step) {
    ComparedLane lane{step.reading, {}, 0, 0};
    const Timeline* timeline = step.reading->timeline.get();
    if (timeline == nullptr || timeline->steps.empty()) return lane;
    const TimelineStep& last = timeline->steps.back();
    lane.begin = last.begin;
    lane.length = last.end - last.begin;
    const bool hasKernels = std::ranges::any_of(
        timeline->records, [](const TimelineRecord& record) { return record.kind == TimelineKind::Kernel; });
    for (const TimelineRecord& record : timeline->records) {
        const bool isShown = hasKernels
                                 ? record.kind == TimelineKind::Kernel || record.kind == TimelineKind::Copy ||
                                       record.kind == TimelineKind::Memset
                                 : record.kind == TimelineKind::Op;
        if (isShown && record.end > last.begin && record.begin < last.end) lane.records.push_back(record);
    }
    std::ranges::stable_sort(lane.records, {}, &TimelineRecord::begin);
    return lane;
}

}  // namespace

double DifferenceRows::measureOf(const DifferenceRow& row) const {
    const double larger = std::max(std::abs(row.baseline.value_or(0)), std::abs(row.other.value_or(0)));
    return haveUnits && larger > 0 ? larger : 1;
}

DifferenceRows differenceRows(std::vector<DifferenceRow> rows) {
    DifferenceRows all{.rows = std::move(rows)};
    all.haveUnits = std::ranges::any_of(
        all.rows, [&](const DifferenceRow& row) { return row.unit != all.rows.front().unit; });
    std::vector<double> sizes;  // by row; below 0: not known
    sizes.reserve(all.rows.size());
    for (const DifferenceRow& row : all.rows) {
        const std::optional<double> difference = row.difference();
        sizes.push_back(difference ? std::abs(*difference) / all.measureOf(row) : -1);
        all.largest = std::max(all.largest, sizes.back());
        all.real += row.isReal() ? 1 : 0;
        all.alone += row.isInBoth() ? 0 : 1;
        const bool isUnknown = row.judgement.change == Change::Unknown;
        all.unknown += isUnknown ? 1 : 0;
        all.unknownInBoth += isUnknown && row.isInBoth() ? 1 : 0;
        all.disturbed += row.judgement.change == Change::Disturbed ? 1 : 0;
        all.absent += !row.baseline && !row.other ? 1 : 0;
    }
    all.bySize.resize(all.rows.size());
    std::iota(all.bySize.begin(), all.bySize.end(), 0U);
    std::ranges::stable_sort(all.bySize, std::greater{}, [&](std::uint32_t row) { return sizes[row]; });
    return all;
}

std::shared_ptr<const CompareDetail> detailOf(const Comparison& comparison, std::size_t index) {
    auto detail = std::make_shared<CompareDetail>();
    detail->memory = alignMemory(comparison.steps.front(), comparison.steps[index]);
    detail->lines = linesOf(detail->memory);
    detail->shifts = shiftsOf(comparison, index);
    for (const auto& [what, name] : kDifferenceNames)
        detail->tables[what] = differenceRows(differences(comparison, index, what));
    detail->lanes = {laneOf(comparison.steps.front()), laneOf(comparison.steps[index])};
    return detail;
}

}  // namespace plumb::ui
