// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/pointer.h"
#include "ui/opened/opened_trace.h"
#include "ui/trace/trace_lanes.h"
#include "ui/trace/trace_tones.h"
#include "ui/trace/trace_window.h"

#include <QColor>
#include <QWidget>

#include <optional>

class QScrollBar;

namespace plumb::ui {

class Theme;

/// Lanes of threads and streams, with a row below for each slice that overlaps, and a time axis above.
///
/// Mouse: the wheel zooms, over the names and with Shift it scrolls, a drag moves, Shift and a drag choose a
/// range, a click selects a slice or folds a group. Keyboard: the arrows and Page keys go through headings
/// and slices (TraceWalk), left and right fold a heading, W S + - zoom, A D move, F and Enter fit the slice,
/// M makes its time the range, 0 shows all, Esc lets go.
class TraceCanvas final : public QWidget {
    Q_OBJECT
public:
    explicit TraceCanvas(Theme& theme, QWidget* parent = nullptr);

    void setTrace(std::shared_ptr<const OpenedTrace> opened);
    void setWindow(TraceWindow window);
    [[nodiscard]] TraceWindow window() const { return m_window; }
    [[nodiscard]] TraceWindow whole() const { return m_whole; }
    /// Selects a slice and shows it where it is not in sight.
    void select(std::optional<std::uint32_t> slice);
    [[nodiscard]] std::optional<std::uint32_t> selected() const { return m_selected; }
    /// What is not in the mask is pale; null: all is as it is.
    void setEmphasis(std::shared_ptr<const trace::RowMask> emphasis);
    /// Leaves out what is not in the mask; null: draws all.
    void setShown(std::shared_ptr<const trace::RowMask> shown);
    void clearRange();
    [[nodiscard]] const TraceLanes& lanes() const { return m_lanes; }
    /// Where a slice lies, for what it begins and ends at; empty while its group is folded.
    [[nodiscard]] QRectF boxOf(std::uint32_t slice) const;

signals:
    void windowChanged(plumb::ui::TraceWindow window);
    void selectionChanged();
    void rangeChosen(std::optional<plumb::ui::TraceWindow> range);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    [[nodiscard]] TimeAxis axis() const;
    [[nodiscard]] std::optional<std::uint32_t> sliceAt(QPointF point) const;
    void fold(std::size_t group, bool folded);
    /// False for a key that does not go through the lanes.
    bool walk(int key);
    /// Says to screen readers what is chosen and what is in sight.
    void describe();
    void dragTo(const QPointF& to);
    void click(const QPointF& at);
    void drawAxis(QPainter& painter) const;
    void drawLane(QPainter& painter, const TraceLanes::Lane& lane) const;
    void drawTrack(QPainter& painter, const TraceLanes::Lane& lane) const;

    Theme& m_theme;
    QScrollBar* m_scroll;
    std::shared_ptr<const OpenedTrace> m_opened;
    TraceLanes m_lanes;
    std::shared_ptr<const trace::RowMask> m_emphasis;
    std::shared_ptr<const trace::RowMask> m_shown;  ///< what is not hidden; null: all is shown
    TraceWindow m_whole;
    TraceWindow m_window;
    std::optional<std::uint32_t> m_selected;
    std::optional<std::size_t>
        m_heading;  ///< the group that keys fold; none: they go on from what is selected
    std::optional<TraceWindow> m_range;
    Pointer m_pointer{*this};
    TraceWindow m_pressedWindow;
    int m_pressedScroll = 0;
    bool m_ranging = false;
};

}  // namespace plumb::ui
