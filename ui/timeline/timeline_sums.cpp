// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_sums.h"

#include "ui/theme/text.h"

#include <QCoreApplication>

#include <algorithm>
#include <iterator>

namespace plumb::ui {

TimelineSums sumTimeline(const TimelineState& state, Seconds from, Seconds to,
                         const std::function<bool(const TimelineBar&)>& isIn) {
    TimelineSums sums;
    sums.from = from;
    sums.to = to;
    sums.predictedFor = state.predictedFor;
    if (!state.timeline) return sums;
    TimelineSummation ops(state.reading(), *state.scene->measured->step, state.ops);
    std::vector<TimelineSum> lanes;
    for (const TimelineRow& row : state.rows) {
        if (row.kind == TimelineRow::Kind::Predicted || row.kind == TimelineRow::Kind::Curve) continue;
        const auto [first, last] = row.bars.within(from, to);
        TimelineSum lane;
        for (std::size_t i = first; i < last; ++i) {
            const TimelineBar& bar = row.bars.bars()[i];
            if (isIn && !isIn(bar)) continue;
            const TimelineRecord& record = *state.record(bar);
            const Seconds whole = bar.end - bar.begin;
            const Seconds inside = std::max(0.0, std::min(bar.end, to) - std::max(bar.begin, from));
            if (TimelineSummation::isExecution(record)) {
                ops.addExecution(record, whole, inside);
                continue;
            }
            if (lane.count == 0) lane.group = bar.group;
            lane.add(ops.part(record, whole, inside));
        }
        if (lane.count == 0) continue;
        lane.label = row.label.isEmpty() ? tr("overlapping") : row.label;
        lanes.push_back(std::move(lane));
    }
    for (const OpKindSum& kind : ops.byKind())
        sums.rows.push_back(
            {{kind.sum}, coreText(kindLabel(kind.kind)), static_cast<std::uint8_t>(kind.phase), true});
    std::ranges::move(lanes, std::back_inserter(sums.rows));
    const RecordSum all = ops.allOps();
    sums.busy = all.seconds;
    if (all.count > 0) sums.allOps = TimelineSum{{all}, tr("all operations"), 0, true};
    return sums;
}

}  // namespace plumb::ui
