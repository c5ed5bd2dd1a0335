// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_mouse.h"

#include <QMouseEvent>
#include <QWheelEvent>
#include <QWidget>

#include <algorithm>
#include <cmath>

namespace plumb::ui {
namespace {

constexpr double kClickSlack = 4;  // a press that moves less is a click
constexpr double kWheelZoom = 1.2;

}  // namespace

bool TimelineMouse::take(QEvent* event) {
    if (event->type() == QEvent::Leave) {
        m_pointer.reset();
        emit left();
    }
    if (!m_surface.isEnabled()) return false;
    switch (event->type()) {
    case QEvent::MouseButtonPress:
        press(static_cast<QMouseEvent&>(*event));
        return true;
    case QEvent::MouseMove:
        move(static_cast<QMouseEvent&>(*event).position());
        return true;
    case QEvent::MouseButtonRelease:
        release(static_cast<QMouseEvent&>(*event));
        return true;
    case QEvent::MouseButtonDblClick:
        emit doubleClicked(static_cast<QMouseEvent&>(*event).position());
        return true;
    case QEvent::Wheel:
        wheel(static_cast<QWheelEvent&>(*event));
        return true;
    default:
        return false;
    }
}

std::optional<double> TimelineMouse::crosshair() const {
    if (!m_pointer || m_drag == Drag::Pan) return std::nullopt;
    return m_pointer->x();
}

double TimelineMouse::pivot() const {
    if (m_pointer && m_pointer->x() >= m_viewport.left()) return m_pointer->x();
    return m_viewport.left() + m_viewport.window.width / 2;
}

bool TimelineMouse::isClick(const QPointF& at) const {
    return (at - m_pressed).manhattanLength() <= kClickSlack;
}

void TimelineMouse::press(const QMouseEvent& event) {
    if (m_viewport.isEmpty()) return;
    m_pressed = m_last = event.position();
    emit pressed();
    if (m_viewport.minimapRect().adjusted(0, -2, 0, 2).contains(m_pressed)) {
        m_drag = Drag::Minimap;
        return move(m_pressed);
    }
    const bool onRuler = m_pressed.y() < m_viewport.rulerRect().bottom();
    const bool range =
        event.button() == Qt::LeftButton && (onRuler || (event.modifiers() & Qt::ShiftModifier));
    m_drag = range ? Drag::Range : Drag::Pressed;
    m_rangeStart = m_viewport.timeAt(m_pressed.x());
}

void TimelineMouse::move(const QPointF& at) {
    m_pointer = at;
    if (m_viewport.isEmpty()) return;
    TimeWindow& window = m_viewport.window;
    if (m_drag == Drag::Pressed && !isClick(at)) {
        m_drag = Drag::Pan;
        m_surface.setCursor(Qt::ClosedHandCursor);
    }
    switch (m_drag) {
    case Drag::Pan:
        window.pan(m_last.x() - at.x());
        emit scrolled(static_cast<int>(std::lround(m_last.y() - at.y())));
        emit timeMoved();
        break;
    case Drag::Range:
        if (!isClick(at)) emit rangeDragged(TimeRange(m_rangeStart, m_viewport.timeAt(at.x())));
        break;
    case Drag::Minimap: {
        const Seconds centre = (at.x() - window.left) / window.width * window.whole;
        window.pan((centre - (window.from + window.to) / 2) / window.perPixel());
        emit timeMoved();
        break;
    }
    case Drag::Pressed:
        break;
    case Drag::None:
        emit hovered(at);
    }
    m_last = at;
}

void TimelineMouse::release(const QMouseEvent& event) {
    const Drag drag = std::exchange(m_drag, Drag::None);
    m_surface.unsetCursor();
    if (m_viewport.isEmpty() || event.button() != Qt::LeftButton) return;
    if (drag == Drag::Range && isClick(event.position())) emit rangeDragged(std::nullopt);
    if (drag == Drag::Pressed) emit clicked(event.position());
}

void TimelineMouse::wheel(const QWheelEvent& event) {
    if (m_viewport.isEmpty()) return;
    const QPoint delta = event.angleDelta();
    m_pointer = event.position();
    const bool inGutter = event.position().x() < m_viewport.left();
    if ((inGutter || (event.modifiers() & Qt::ControlModifier)) && m_viewport.farthestScroll() > 0)
        emit scrolled(-delta.y() / 2);
    else if (std::abs(delta.x()) > std::abs(delta.y()))
        m_viewport.window.pan(-delta.x());
    else if (event.modifiers() & Qt::ShiftModifier)
        m_viewport.window.pan(-delta.y());
    else
        m_viewport.window.zoom(std::pow(kWheelZoom, delta.y() / 120.0), pivot());
    emit timeMoved();
}

}  // namespace plumb::ui
