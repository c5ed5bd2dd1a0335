// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_sums.h"

#include "core/base/entry_at.h"
#include "core/measure/known_sum.h"
#include "ui/theme/text.h"

#include <QCoreApplication>

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>

namespace plumb::ui {
namespace {

/// What one bar adds, for the share of it that lies in the stretch.
TimelineSum ofBar(const TimelineState& state, const TimelineBar& bar, Seconds inside) {
    const Seconds whole = bar.end - bar.begin;
    const double share = whole > 0 ? inside / whole : 1;
    TimelineSum sum{.group = bar.group, .count = 1, .seconds = inside};
    const TimelineRecord* record = state.record(bar);
    if (record && record->bytes >= 0) sum.bytes = share * static_cast<double>(record->bytes);
    if (!record || record->kind != TimelineKind::Op || bar.op < 0) return sum;
    sum.isOp = true;
    if (const auto& predicted = state.predictedOf(bar.op)) sum.predicted = share * *predicted;
    const std::int32_t planOp = state.planOp(bar.op);
    if (planOp < 0) return sum;
    const StepOp& op = state.scene->measured->step->op(planOp);
    if (op.executions <= 0) return sum;
    sum.flops = share * static_cast<double>(op.flops) / static_cast<double>(op.executions);
    sum.bytes = share * static_cast<double>(op.bytes) / static_cast<double>(op.executions);
    return sum;
}

void accumulate(TimelineSum& sum, const TimelineSum& part) {
    sum.count += part.count;
    sum.seconds += part.seconds;
    addKnown(sum.predicted, part.predicted);
    addKnown(sum.flops, part.flops);
    addKnown(sum.bytes, part.bytes);
}

}  // namespace

TimelineSums sumTimeline(const TimelineState& state, Seconds from, Seconds to) {
    TimelineSums sums;
    sums.from = from;
    sums.to = to;
    if (!state.timeline) return sums;
    // Sums by op first: there are far fewer of them than bars.
    std::vector<TimelineSum> byOp(state.reading().ops.size());
    const auto merge = [](TimelineSum& sum, const TimelineSum& part) {
        if (sum.count == 0)
            sum = part;
        else
            accumulate(sum, part);
    };
    std::vector<TimelineSum> lanes;
    for (const TimelineRow& row : state.rows) {
        if (row.kind == TimelineRow::Kind::Predicted || row.kind == TimelineRow::Kind::Curve) continue;
        const auto [first, last] = row.bars.within(from, to);
        TimelineSum lane;
        for (std::size_t i = first; i < last; ++i) {
            const TimelineBar& bar = row.bars.bars()[i];
            const TimelineSum part =
                ofBar(state, bar, std::max(0.0, std::min(bar.end, to) - std::max(bar.begin, from)));
            merge(part.isOp ? entryAt(byOp, bar.op) : lane, part);
        }
        if (lane.count == 0) continue;
        lane.label = row.label.isEmpty() ? tr("overlapping") : row.label;
        lanes.push_back(std::move(lane));
    }
    std::map<std::pair<std::string, Phase>, TimelineSum> byKind;
    TimelineSum all;
    for (std::size_t i = 0; i < byOp.size(); ++i) {
        if (byOp[i].count == 0) continue;
        // The same kind in two phases, forward and recomputed for example, stays apart.
        const OpReading& op = state.reading().ops[i];
        TimelineSum& sum = byKind[{op.kind, op.phase}];
        merge(sum, byOp[i]);
        sum.label = QString::fromUtf8(kindLabel(op.kind));
        merge(all, byOp[i]);
    }
    sums.busy = all.seconds;
    for (auto& [key, sum] : byKind) sums.rows.push_back(std::move(sum));
    // The label decides between equals, so that the order does not depend on that of a hash table.
    std::ranges::sort(sums.rows, [](const TimelineSum& a, const TimelineSum& b) {
        return a.seconds != b.seconds ? a.seconds > b.seconds
                                      : std::tie(a.label, a.group) < std::tie(b.label, b.group);
    });
    std::ranges::move(lanes, std::back_inserter(sums.rows));
    all.label = tr("all operations");
    if (all.count > 0) sums.allOps = std::move(all);
    return sums;
}

}  // namespace plumb::ui
