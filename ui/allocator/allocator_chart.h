// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/allocator/allocator_axis.h"
#include "ui/allocator/allocator_state.h"
#include "ui/charts/painted_chart.h"
#include "ui/charts/time_window.h"

#include <vector>

namespace plumb::ui {

/// Live bytes over the trace, stacked by group, with lines for what is allocated and reserved. The wheel, W
/// and S zoom, dragging, A and D pan, F fits, a click and the arrow keys set the cursor of the state.
class AllocatorChart final : public PaintedChart {
    Q_OBJECT
public:
    AllocatorChart(Theme& theme, AllocatorState& state, QWidget* parent = nullptr);

    [[nodiscard]] const TimeWindow& window() const { return m_window; }
    void fitAll();
    /// Zooms to what happens from one position to another.
    void fitPositions(std::int64_t from, std::int64_t to);
    [[nodiscard]] double xOf(std::int64_t position) const { return m_window.toX(m_axis.at(position)); }
    /// The moment that a pixel means: the one with most live bytes of what happens beside it.
    [[nodiscard]] std::int64_t momentAt(double x) const;
    [[nodiscard]] QSize sizeHint() const override { return {600, 260}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {320, 150}; }

signals:
    void windowChanged();  ///< another stretch, or another place on screen

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    /// What a pixel shows: sums of the groups from the bottom up, then what is allocated and reserved.
    struct Column {
        std::vector<Bytes> tops;
        Bytes allocated = 0;
        Bytes reserved = 0;
    };
    [[nodiscard]] bool hasHistory() const { return m_state.device() && m_state.device()->replay.entries > 0; }
    void follow();
    void compute();
    void changed();
    void moveCursor(std::int64_t position);
    void showCursor();
    [[nodiscard]] QRectF plot() const;
    [[nodiscard]] double yOf(Bytes bytes) const;
    [[nodiscard]] std::pair<std::int64_t, std::int64_t> positionsAt(double x) const;
    void paintAxes(QPainter& painter) const;
    void paintStack(QPainter& painter) const;
    void paintLine(QPainter& painter, Bytes Column::*value, ColorRole role, Qt::PenStyle pen) const;
    void paintMarks(QPainter& painter) const;
    void paintMark(QPainter& painter, std::int64_t position, const QString& text, ColorRole role,
                   qreal top) const;
    [[nodiscard]] HoverCardContent cardOf(std::int64_t position) const;
    void showMoment(const QPoint& at);
    /// Says to screen readers how high it was and what is under the cursor.
    void describe();

    AllocatorState& m_state;
    AllocatorAxis m_axis;
    TimeWindow m_window;
    double m_most = 1;  ///< bytes at the top of the plot
    std::vector<Column> m_columns;
    bool m_isStale = true;
};

}  // namespace plumb::ui
