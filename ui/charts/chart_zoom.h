// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/time_window.h"

#include <QObject>
#include <QPointF>
#include <QRectF>
#include <QVector>

#include <optional>
#include <utility>

class QKeyEvent;
class QMouseEvent;
class QWheelEvent;

namespace plumb::ui {

class ChartCanvas;
class ChartPanel;
enum class ChartAxis;

/// Zooms and pans a chart, as the timeline is: the wheel zooms at the pointer, with Shift it pans, a drag
/// pans, Shift and a drag draw a range of the X axis or a box where they are asked for, a double click shows
/// all. Keys: W and + zoom in, S and − out, A and D pan, 0 shows all; Shift with an arrow draws a range too.
/// Beside the plot a strip says which part is shown while that is not all; it can be dragged.
///
/// The parts are shares of the axes' ranges, which the view sets as before: they stay where the data is other
/// data of the same kind. While a chart is zoomed by hand its clicks come when the button goes up.
class ChartZoom final : public QObject {
    Q_OBJECT
public:
    enum class Axes { X, Both };
    /// Belongs to `chart`. `least`: the share of an axis that is shown at the most zoom.
    ChartZoom(ChartPanel& chart, Axes axes, double least = 1e-3);

    [[nodiscard]] bool isZoomed() const { return m_x.has_value() || m_y.has_value(); }
    /// Shares of the X axis between which it is shown; empty: all of it.
    [[nodiscard]] std::optional<std::pair<double, double>> xPart() const;
    /// As by hand; nothing where it is so already.
    void setXPart(const std::optional<std::pair<double, double>>& part);
    void zoom(double factor, std::optional<QPointF> at = std::nullopt);  ///< the middle, else at this pixel
    void pan(const QPointF& pixels);
    void showAll();
    /// Moves until from..to of the X axis, in data coordinates, can be seen.
    void show(double from, double to);

    /// Ranges are drawn from now on, see rangeDrawn().
    void setDrawsRanges() { m_drawsRanges = true; }
    /// Ranges of both axes are drawn from now on, see boxDrawn(), which are seen while they are.
    void setDrawsBoxes() { m_drawsRanges = m_drawsBoxes = true; }
    /// The ranges that are marked in the plot, in data coordinates and in order.
    void setRanges(const QVector<std::pair<double, double>>& ranges);

signals:
    void changed();
    void rangeDrawn(double from, double to);  ///< data coordinates, either way
    void boxDrawn(const QRectF& pixels);      ///< of the chart
    void rangeClicked();                      ///< a drawing that went nowhere: none is wanted
    void rangeStepped(int by);                ///< Shift with an arrow; 0 by M: what is chosen

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    enum class Drag { None, Pressed, Pan, Range, XMap, YMap };

    bool press(const QMouseEvent& event);
    bool move(const QMouseEvent& event);
    bool release(const QMouseEvent& event);
    bool wheel(const QWheelEvent& event);
    bool takeKey(const QKeyEvent& event);
    void centre(ChartAxis axis, const QPointF& pixel);
    void apply();
    void draw(const QPointF& to);

    ChartPanel& m_chart;
    ChartCanvas& m_canvas;
    Axes m_axes;
    double m_least;
    bool m_drawsRanges = false;
    bool m_drawsBoxes = false;
    std::optional<TimeWindow> m_x;  ///< of an axis that reaches from 0 to 1; empty: all of it
    std::optional<TimeWindow> m_y;
    Drag m_drag = Drag::None;
    QPointF m_pressed;
    QPointF m_last;
};

}  // namespace plumb::ui
