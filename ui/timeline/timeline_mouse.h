// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/timeline_viewport.h"

#include <QObject>
#include <QPointF>

#include <optional>

class QMouseEvent;
class QWheelEvent;
class QWidget;

namespace plumb::ui {

/// What the mouse does to a timeline: zooms and pans its viewport, drags a range, clicks.
class TimelineMouse final : public QObject {
    Q_OBJECT
public:
    /// Both outlive it; `surface` is where the events come from.
    TimelineMouse(TimelineViewport& viewport, QWidget& surface) : m_viewport(viewport), m_surface(surface) {}

    /// True: that was the mouse's, and is done.
    bool take(QEvent* event);
    /// Where the line through the pointer stands; none while everything moves with it.
    [[nodiscard]] std::optional<double> crosshair() const;
    /// Zooming keeps the time at this pixel where it is.
    [[nodiscard]] double pivot() const;

signals:
    void pressed();
    void clicked(const QPointF& pixel);
    void doubleClicked(const QPointF& pixel);
    void hovered(const QPointF& pixel);
    void left();
    void timeMoved();           ///< another stretch of time is shown, or other rows
    void scrolled(int pixels);  ///< downwards
    void rangeDragged(const std::optional<plumb::ui::TimeRange>& range);

private:
    enum class Drag { None, Pressed, Pan, Range, Minimap };

    void press(const QMouseEvent& event);
    void move(const QPointF& at);
    void release(const QMouseEvent& event);
    void wheel(const QWheelEvent& event);
    [[nodiscard]] bool isClick(const QPointF& at) const;

    TimelineViewport& m_viewport;
    QWidget& m_surface;
    Drag m_drag = Drag::None;
    QPointF m_pressed;
    QPointF m_last;
    Seconds m_rangeStart = 0;
    std::optional<QPointF> m_pointer;
};

}  // namespace plumb::ui
