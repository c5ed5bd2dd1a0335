// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/hover_card.h"
#include "ui/timeline/timeline_mouse.h"
#include "ui/timeline/timeline_painter.h"
#include "ui/timeline/timeline_viewport.h"

#include <QAbstractScrollArea>
#include <QPixmap>

#include <optional>

namespace plumb::ui {

class Theme;

/// The lanes of a timeline, painted here, since a chart would make an item of each bar. Brings together where
/// things stand (TimelineViewport), what the mouse does (TimelineMouse) and how it looks (TimelinePainter).
///
/// Mouse: wheel zooms at the pointer, Shift with it pans, drag pans, Shift+drag (or a drag on the ruler)
/// selects a range, click selects a bar, double click fits it. Keyboard: W S zoom, A D pan, F fits the
/// selection, arrows go to the neighbouring bar, M makes the bar's time the range, 0 shows all, Esc clears.
class TimelineCanvas final : public QAbstractScrollArea {
    Q_OBJECT
public:
    using Range = TimeRange;
    using Matches = TimelineMarks::Matches;

    explicit TimelineCanvas(Theme& theme, QWidget* parent = nullptr);

    /// `state` outlives the canvas or the next call. Current bar and matches go, since rows may be others;
    /// zoom and range stay where `keep` says that the time is the same.
    void setState(const TimelineState* state, bool keep);
    void setSelectedOp(std::int32_t readingOp);
    /// Empty: nothing is searched for.
    void setMatches(Matches matches);
    void setFlags(std::vector<TimelineFlag> flags);

    [[nodiscard]] const TimeWindow& timeWindow() const { return m_viewport.window; }
    [[nodiscard]] const std::optional<Range>& range() const { return m_marks.range; }
    [[nodiscard]] BarPlace current() const { return m_marks.current; }
    void setRange(std::optional<Range> range);
    /// Makes this bar the current one and brings it into view; an invalid place clears it.
    void setCurrent(BarPlace place);
    void fitAll();
    /// Fits the range, else the current bar, else everything.
    void fitSelection();
    /// Where a row stands in the viewport.
    [[nodiscard]] QRectF rowRect(std::int32_t row) const { return m_viewport.rowRect(row); }

signals:
    void barChosen(const plumb::ui::BarPlace& place);  ///< by click or key; invalid: nothing any more
    void rangeChanged();
    void searchWanted(int direction);  ///< 1: the next match, -1: the one before

protected:
    bool event(QEvent* event) override;
    bool viewportEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;

private:
    void layOut();
    void invalidate();
    /// Another stretch of time is shown.
    void moved();
    void choose(BarPlace place);
    void moveCurrent(int key);
    void click(const QPointF& pixel);
    void fitBarAt(const QPointF& pixel);
    void hover(const QPointF& pixel);
    void endHover();

    Theme& m_theme;
    TimelineViewport m_viewport;
    TimelineMarks m_marks;
    TimelineMouse m_mouse;
    CardBeside m_card;
    std::optional<PlacedFold> m_hovered;
    QPixmap m_layer;  ///< everything but what follows the pointer
    bool m_layerValid = false;
};

}  // namespace plumb::ui
