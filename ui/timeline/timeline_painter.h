// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/timeline_viewport.h"

#include <QColor>
#include <QCoreApplication>
#include <QFontMetricsF>

#include <optional>
#include <vector>

class QPainter;

namespace plumb::ui {

/// A bookmark of the document at a time.
struct TimelineFlag {
    TimeRange range;
    QString title;  ///< may be empty
};

/// What is chosen in a timeline and found in it.
struct TimelineMarks {
    /// Indices of bars, rising, by row.
    using Matches = std::vector<std::vector<std::int32_t>>;

    std::int32_t selectedOp = -1;  ///< index in the reading
    BarPlace current;
    std::optional<TimeRange> range;
    Matches matches;  ///< empty: nothing is searched for
    std::vector<TimelineFlag> flags;

    /// Something is searched for, and this is not it.
    [[nodiscard]] bool isDimmed(std::size_t row, const FoldedBar& fold) const;
};

/// The name of a step in the ruler, in pixels.
struct StepName {
    QRectF box;
    QString text;
};
/// Those that have room, in their order.
[[nodiscard]] std::vector<StepName> stepNames(const TimelineViewport& viewport, const QFontMetricsF& metrics);
/// Where the duration of a range stands, over the middle of it or as near to that as the names of the steps
/// let it. Pre: the range is seen in part.
[[nodiscard]] QRectF rangeLabel(const TimelineViewport& viewport, const QFontMetricsF& metrics,
                                const TimeRange& range);

/// Paints what a viewport shows, for one paint event. Everything is const: the same viewport and marks give
/// the same picture. Only what can be told apart is painted: cost follows pixels, not records.
class TimelinePainter {
    Q_DECLARE_TR_FUNCTIONS(plumb::ui::TimelinePainter)
public:
    /// All outlive it. Pre: the viewport is not empty.
    TimelinePainter(const Theme& theme, const TimelineViewport& viewport, const TimelineMarks& marks,
                    const QFont& font, QPainter& painter);

    /// Everything but what follows the pointer.
    void paintLanes();
    /// The range, the outline of what is under the pointer, and the line through the pointer.
    void paintOverlay(const std::optional<PlacedFold>& hovered, std::optional<double> crosshair);

private:
    void paintSteps();
    void paintRuler();
    void paintMinimap();
    void paintStepNames(double top);
    void paintTicks(double top, double height);
    void paintLabel(std::size_t row, const QRectF& rect);
    void paintRow(std::size_t row, const QRectF& rect);
    void paintBars(std::size_t row, const QRectF& rect);
    /// Returns the colour that a text on the box is to be read on.
    QColor paintBox(const QRectF& box, const FoldedBar& fold, bool hollow, bool dimmed);
    void paintBarText(const QRectF& seen, const TimelineBar& bar, bool hollow);
    void paintMarks(std::size_t row, const QRectF& rect);
    void paintFlags();
    void paintCurve(const QRectF& rect);
    /// The parts of the memory on top of each other, step by step.
    void paintCategories(const QRectF& rect, double highest);
    /// Bytes beside the lane and lines across it.
    void paintScale(const QRectF& rect);
    void paintPeak(const QRectF& rect);
    void paintRange();
    [[nodiscard]] QColor color(ColorRole role) const { return m_theme.color(role); }
    [[nodiscard]] QVector<AxisTick> ticks() const;

    const Theme& m_theme;
    const TimelineViewport& m_viewport;
    const TimelineState& m_state;
    const TimeWindow& m_window;
    const TimelineMarks& m_marks;
    QPainter& m_painter;
    QFontMetricsF m_metrics;
    std::vector<FoldedBar> m_folded;  ///< bars of the row in hand; one room for all
};

}  // namespace plumb::ui
