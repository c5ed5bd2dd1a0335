// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/entry_at.h"
#include "core/measure/timeline_sums.h"
#include "ui/charts/chart_style.h"
#include "ui/charts/time_window.h"
#include "ui/timeline/timeline_bars.h"
#include "ui/workbench/workbench.h"

#include <QString>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace plumb::ui {

/// What decides the colour of a bar: the phase of its op, or what it is when it belongs to none.
enum class BarGroup : std::uint8_t { Copy = kEnumCount<Phase>, Memset, Call, Unknown };
[[nodiscard]] ChartColor barColor(std::uint8_t group);
[[nodiscard]] QString barGroupLabel(std::uint8_t group);

/// Beginning and end.
using TimeRange = std::pair<Seconds, Seconds>;

/// A bar of a timeline, by its place.
struct BarPlace {
    std::int32_t row = -1;
    std::int32_t bar = -1;
    [[nodiscard]] bool isValid() const { return row >= 0; }
    bool operator==(const BarPlace&) const = default;
};

/// One row on screen. A lane has more than one when its records overlap.
struct TimelineRow {
    enum class Kind { Ops, Predicted, Bars, Curve };
    Kind kind = Kind::Bars;
    QString label;  ///< label of the lane, on its first row only
    QString help;   ///< what the lane shows and where it comes from
    BarRow bars;    ///< empty for a curve
};

/// A category of memory as it lies on those before it: the upper edge of its area.
struct MemoryLayer {
    Category category{};
    std::vector<CurvePoint> edge;
};

/// Where the hollow bars of predicted times begin.
enum class PredictedAt { Op, EndToEnd };

/// What the timeline view shows of a scene, as plain data.
struct TimelineState {
    ScenePtr scene;                            ///< null before the first refresh
    std::shared_ptr<const Timeline> timeline;  ///< null: there is none
    std::vector<TimelineRow> rows;
    std::vector<CurvePoint> live;           ///< bytes, measured
    std::vector<CurvePoint> predictedLive;  ///< bytes that the plan lets expect, at the measured times
    /// Bytes of each category at the times of `categoryTimes`, while an op runs: what the plan lets expect,
    /// or of a recorded step its tensors. Empty: not known.
    std::vector<CategoryBytes> categories;
    std::vector<Seconds> categoryTimes;
    std::vector<MemoryLayer>
        layers;               ///< the same to be drawn, the lowest first; those that are never there left out
    double highestBytes = 0;  ///< higher peak of both
    double peakBytes = 0;     ///< peak of what was measured
    Seconds whole = 0;
    /// What predicted times are of where the step ran on a machine of which the name alone is known; empty:
    /// they are of the machine that it ran on.
    QString predictedFor;
    ReadingOps ops;                                 ///< what is known of the ops of the reading beside it
    std::vector<std::vector<BarPlace>> placesOfOp;  ///< by op of the reading: measured bars, by row and time
    QString emptyText;                              ///< why there is nothing; empty when there is a timeline
    QString subtitle;
    QString subtitleToolTip;  ///< the whole of it, and why there are no records of the driver
    QString summary;          ///< one sentence for screen readers

    [[nodiscard]] const Reading& reading() const { return *scene->measured->reading; }
    [[nodiscard]] const TimelineBar& bar(BarPlace place) const {
        return entryAt(row(place.row).bars.bars(), place.bar);
    }
    [[nodiscard]] const TimelineRow& row(std::int32_t index) const { return entryAt(rows, index); }
    // Of an op of the reading.
    [[nodiscard]] const OpReading& opReading(std::int32_t op) const { return entryAt(reading().ops, op); }
    [[nodiscard]] std::int32_t stepOp(std::int32_t op) const { return entryAt(ops.stepOp, op); }
    [[nodiscard]] const std::optional<Seconds>& predictedOf(std::int32_t op) const {
        return entryAt(ops.predicted, op);
    }
    [[nodiscard]] const std::vector<BarPlace>& placesOf(std::int32_t op) const {
        return entryAt(placesOfOp, op);
    }
    /// The categories at a time; null where they are not known.
    [[nodiscard]] const CategoryBytes* categoriesAt(Seconds time) const;
    /// The record behind a bar; null for a prediction.
    [[nodiscard]] const TimelineRecord* record(const TimelineBar& bar) const;
    /// Where the bar of a record stands.
    [[nodiscard]] BarPlace placeOf(std::int32_t record) const;
    /// Index into the reading of the op with this opId(), or -1.
    [[nodiscard]] std::int32_t readingOp(const QString& opId) const;
    [[nodiscard]] QString opId(std::int32_t readingOp) const;
    /// The step that a time lies in, or -1.
    [[nodiscard]] std::int32_t stepAt(Seconds time) const;
};
[[nodiscard]] TimelineState makeTimelineState(const ScenePtr& scene, PredictedAt predictedAt);

/// "layer 3 · weight gradient" or the kernel's name: what stands in a bar and is searched.
[[nodiscard]] QString barName(const TimelineState& state, const TimelineBar& bar);
/// The same and shorter forms of it (ui/timeline/timeline_names.h), the longest first.
[[nodiscard]] QStringList barForms(const TimelineState& state, const TimelineBar& bar);
/// The card beside the pointer, for one bar and for several that are folded into one.
[[nodiscard]] HoverCardContent barCard(const TimelineState& state, BarPlace place);
[[nodiscard]] HoverCardContent foldCard(const TimelineState& state, std::int32_t row, const FoldedBar& fold);
/// The same for the memory curve at a time.
[[nodiscard]] HoverCardContent memoryCard(const TimelineState& state, Seconds time);

}  // namespace plumb::ui
