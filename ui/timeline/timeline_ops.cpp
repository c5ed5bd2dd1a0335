// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_ops.h"

#include "ui/theme/text.h"

#include <algorithm>

namespace plumb::ui {
namespace {

/// Index in the step that is shown of an op of the reading, or -1.
int shownOp(const TimelineState& state, std::int32_t readingOp) {
    const Scene& scene = *state.scene;
    if (scene.measured->step->isSameStep(*scene.whatIf.step)) return state.stepOp(readingOp);
    return scene.whatIf.step->findOp(state.opReading(readingOp).id);
}

}  // namespace

std::optional<OpSpan> opsWithin(const TimelineState& state, const TimeRange& range) {
    std::vector<std::int32_t> ops;
    for (const TimelineRow& row : state.rows) {
        if (row.kind != TimelineRow::Kind::Ops) continue;
        const auto [first, last] = row.bars.within(range.first, range.second);
        for (std::size_t i = first; i < last; ++i)
            if (const std::int32_t op = row.bars.bars()[i].op; op >= 0) ops.push_back(op);
    }
    std::ranges::sort(ops);
    const auto repeated = std::ranges::unique(ops);
    ops.erase(repeated.begin(), repeated.end());
    // Of a what-if some are gone: the span ends with those that are there.
    const auto isShown = [&](std::int32_t op) { return shownOp(state, op) >= 0; };
    const auto first = std::ranges::find_if(ops, isShown);
    if (first == ops.end()) return std::nullopt;
    const auto last = std::find_if(ops.rbegin(), ops.rend(), isShown);
    return OpSpan{std::min(shownOp(state, *first), shownOp(state, *last)),
                  std::max(shownOp(state, *first), shownOp(state, *last))};
}

std::vector<bool> readingOpsIn(const TimelineState& state, const OpSet& ops) {
    std::vector<bool> are(state.reading().ops.size());
    for (std::size_t op = 0; op < are.size(); ++op)
        are[op] = ops.contains(shownOp(state, static_cast<std::int32_t>(op)));
    return are;
}

std::optional<TimeRange> timeOfOps(const TimelineState& state, const OpSpan& span) {
    // Of a what-if the ids are matched, one look-up for each op of the span.
    const Step& shown = *state.scene->whatIf.step;
    std::vector<std::int32_t> ops;
    if (state.scene->measured->step->isSameStep(shown)) {
        for (std::int32_t op = 0; op < std::ssize(state.reading().ops); ++op)
            if (span.contains(state.stepOp(op))) ops.push_back(op);
    } else {
        for (int op = span.first; op <= span.last; ++op)
            if (const std::int32_t of = state.readingOp(toText(shown.opId(op))); of >= 0) ops.push_back(of);
    }
    std::optional<TimeRange> range;
    std::int32_t step = -1;
    for (const std::int32_t op : ops) {
        for (const BarPlace& place : state.placesOf(op)) {
            if (state.row(place.row).kind != TimelineRow::Kind::Ops) continue;
            const TimelineBar& bar = state.bar(place);
            if (range && state.stepAt(bar.begin) != step) continue;
            if (!range) {
                range = TimeRange(bar.begin, bar.end);
                step = state.stepAt(bar.begin);
            }
            range->first = std::min(range->first, bar.begin);
            range->second = std::max(range->second, bar.end);
        }
    }
    return range;
}

}  // namespace plumb::ui
