// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_zoom.h"

#include "ui/charts/chart_canvas.h"
#include "ui/charts/chart_panel.h"
#include "ui/charts/within.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <utility>

namespace plumb::ui {
namespace {

constexpr double kDragFrom = 4;  // a press that moves less is a click
constexpr double kWheelZoom = 1.2;
constexpr double kKeyZoom = 1.5;
constexpr double kWheelNotch = 120;
constexpr qreal kMapReach = 2;  // pixels around the strip that are its too

/// Zooms one axis with the share `at` of what is shown held in place; empty: all of it is shown.
std::optional<TimeWindow> zoomed(std::optional<TimeWindow> window, double factor, double at, double least) {
    TimeWindow result = window.value_or(TimeWindow{});
    result.zoom(std::min(factor, std::max(1.0, result.span() / least)), at);
    return result.showsAll() ? std::nullopt : std::optional(result);
}

AxisPart axisPart(const std::optional<TimeWindow>& window) {
    return window ? AxisPart(std::pair(window->from, window->to)) : AxisPart();
}

}  // namespace

ChartZoom::ChartZoom(ChartPanel& chart, Axes axes, double least)
    : QObject(&chart), m_chart(chart), m_canvas(*chart.m_canvas), m_axes(axes), m_least(least) {
    m_chart.installEventFilter(this);
    m_canvas.viewport()->installEventFilter(this);
}

void ChartZoom::apply() {
    ChartContent& content = m_canvas.edit();
    content.xPart = axisPart(m_x);
    content.yPart = axisPart(m_y);
    m_chart.hideCard();
    emit changed();
}

std::optional<std::pair<double, double>> ChartZoom::xPart() const { return axisPart(m_x); }

void ChartZoom::setXPart(const std::optional<std::pair<double, double>>& part) {
    if (part == axisPart(m_x)) return;
    m_x.reset();
    if (part) {
        m_x.emplace();
        m_x->from = part->first;
        m_x->to = part->second;
    }
    apply();
}

void ChartZoom::zoom(double factor, std::optional<QPointF> at) {
    const QRectF plot = m_chart.plotRect();
    const QPointF fixed = at.value_or(plot.center());
    m_x = zoomed(m_x, factor, (fixed.x() - plot.left()) / std::max(1.0, plot.width()), m_least);
    if (m_axes == Axes::Both)
        m_y = zoomed(m_y, factor, (plot.bottom() - fixed.y()) / std::max(1.0, plot.height()), m_least);
    apply();
}

void ChartZoom::pan(const QPointF& pixels) {
    if (!isZoomed()) return;
    const QRectF plot = m_chart.plotRect();
    if (m_x) m_x->pan(pixels.x() / std::max(1.0, plot.width()));
    if (m_y) m_y->pan(-pixels.y() / std::max(1.0, plot.height()));
    apply();
}

void ChartZoom::showAll() {
    m_x.reset();
    m_y.reset();
    apply();
}

void ChartZoom::show(double from, double to) {
    if (!m_x) return;
    const AxisScale whole(m_chart.axis(ChartAxis::X));
    const std::pair before(m_x->from, m_x->to);
    m_x->show(whole.toUnit(from), whole.toUnit(to));
    if (before != std::pair(m_x->from, m_x->to)) apply();
}

void ChartZoom::setRanges(const QVector<std::pair<double, double>>& ranges) {
    if (ranges != m_canvas.content().ranges) m_canvas.edit().ranges = ranges;
}

void ChartZoom::draw(const QPointF& to) {
    m_chart.hideCard();
    const QPointF from = m_chart.toData(m_pressed);
    if (!m_drawsBoxes) {
        emit rangeDrawn(from.x(), m_chart.toData(to).x());
        return;
    }
    const QRectF plot = m_chart.plotRect();
    const QPointF end(within(to.x(), plot.left(), plot.right()), within(to.y(), plot.top(), plot.bottom()));
    m_canvas.edit().box.emplace(from, m_chart.toData(end));
    emit boxDrawn(QRectF(m_pressed, end).normalized());
}

void ChartZoom::centre(ChartAxis axis, const QPointF& pixel) {
    const QRectF map = m_canvas.layOut().minimap(axis);
    std::optional<TimeWindow>& window = axis == ChartAxis::X ? m_x : m_y;
    if (!window) return;
    const double share = axis == ChartAxis::X ? (pixel.x() - map.left()) / map.width()
                                              : (map.bottom() - pixel.y()) / map.height();
    window->pan((share - (window->from + window->to) / 2) / window->perPixel());
    apply();
}

bool ChartZoom::eventFilter(QObject* watched, QEvent* event) {
    // A chart that is being destroyed still has events, when its canvas is gone already.
    if (!event->isInputEvent()) return false;
    if (!m_chart.emptyText().isEmpty() || !m_chart.isEnabled()) return false;
    if (watched == &m_chart)
        return event->type() == QEvent::KeyPress && takeKey(static_cast<QKeyEvent&>(*event));
    switch (event->type()) {
    case QEvent::MouseButtonPress:
        return press(static_cast<QMouseEvent&>(*event));
    case QEvent::MouseMove:
        return move(static_cast<QMouseEvent&>(*event));
    case QEvent::MouseButtonRelease:
        return release(static_cast<QMouseEvent&>(*event));
    case QEvent::MouseButtonDblClick:
        if (!isZoomed()) return press(static_cast<QMouseEvent&>(*event));
        showAll();
        return true;
    case QEvent::Wheel:
        return wheel(static_cast<QWheelEvent&>(*event));
    default:
        return false;
    }
}

bool ChartZoom::press(const QMouseEvent& event) {
    if (event.button() != Qt::LeftButton) return false;
    m_pressed = m_last = event.position();
    const ChartLayout& layout = m_canvas.layOut();
    const auto isOn = [&](ChartAxis axis) {
        return layout.minimap(axis)
            .adjusted(-kMapReach, -kMapReach, kMapReach, kMapReach)
            .contains(m_pressed);
    };
    if (m_x && isOn(ChartAxis::X)) {
        m_drag = Drag::XMap;
        centre(ChartAxis::X, m_pressed);
        return true;
    }
    if (m_y && isOn(ChartAxis::Y)) {
        m_drag = Drag::YMap;
        centre(ChartAxis::Y, m_pressed);
        return true;
    }
    if (!layout.plot().contains(m_pressed)) return false;
    m_chart.setFocus(Qt::MouseFocusReason);
    m_drag = m_drawsRanges && (event.modifiers() & Qt::ShiftModifier) ? Drag::Range : Drag::Pressed;
    return true;
}

bool ChartZoom::move(const QMouseEvent& event) {
    const QPointF at = event.position();
    if (m_drag == Drag::None) return false;
    // A release can be lost, to a menu or another window.
    if (!(event.buttons() & Qt::LeftButton)) {
        m_drag = Drag::None;
        if (m_canvas.content().box) m_canvas.edit().box.reset();
        m_canvas.viewport()->unsetCursor();
        return false;
    }
    const bool isFar = (at - m_pressed).manhattanLength() > kDragFrom;
    if (m_drag == Drag::Pressed && isFar && isZoomed()) {
        m_drag = Drag::Pan;
        m_canvas.viewport()->setCursor(Qt::ClosedHandCursor);
    }
    if (m_drag == Drag::Pan) pan(m_last - at);
    if (m_drag == Drag::XMap) centre(ChartAxis::X, at);
    if (m_drag == Drag::YMap) centre(ChartAxis::Y, at);
    if (m_drag == Drag::Range && isFar) draw(at);
    m_last = at;
    return true;
}

bool ChartZoom::release(const QMouseEvent& event) {
    if (event.button() != Qt::LeftButton) return false;
    const Drag drag = std::exchange(m_drag, Drag::None);
    if (m_canvas.content().box) m_canvas.edit().box.reset();
    m_canvas.viewport()->unsetCursor();
    const QPointF at = event.position();
    const bool isClick = (at - m_pressed).manhattanLength() <= kDragFrom;
    if (drag == Drag::Pressed && isClick) emit m_chart.clicked(m_chart.toData(at), at);
    if (drag == Drag::Range && isClick) emit rangeClicked();
    return drag != Drag::None;
}

bool ChartZoom::wheel(const QWheelEvent& event) {
    const QPoint delta = event.angleDelta();
    if (!m_chart.plotRect().contains(event.position()) || delta.isNull()) return false;
    const bool isPan = std::abs(delta.x()) > std::abs(delta.y()) || (event.modifiers() & Qt::ShiftModifier);
    // Where nothing is left to be done a page around the chart may scroll.
    if (!isZoomed() && (isPan || delta.y() < 0)) return false;
    if (isPan)
        pan({-static_cast<double>(std::abs(delta.x()) > std::abs(delta.y()) ? delta.x() : delta.y()), 0});
    else
        zoom(std::pow(kWheelZoom, delta.y() / kWheelNotch), event.position());
    return true;
}

bool ChartZoom::takeKey(const QKeyEvent& event) {
    if (event.modifiers() & (Qt::ControlModifier | Qt::AltModifier)) return false;
    const bool isShift = event.modifiers() & Qt::ShiftModifier;
    const double far = (isShift ? 0.5 : 0.1) * m_chart.plotRect().width();
    switch (event.key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
    case Qt::Key_W:
        zoom(kKeyZoom, m_canvas.pointer());
        return true;
    case Qt::Key_Minus:
    case Qt::Key_S:
        zoom(1 / kKeyZoom, m_canvas.pointer());
        return true;
    case Qt::Key_A:
        pan({-far, 0});
        return true;
    case Qt::Key_D:
        pan({far, 0});
        return true;
    case Qt::Key_0:
        showAll();
        return true;
    case Qt::Key_M:
        if (!m_drawsRanges) return false;
        emit rangeStepped(0);
        return true;
    case Qt::Key_Left:
    case Qt::Key_Right:
        if (!m_drawsRanges || !isShift) return false;
        emit rangeStepped(event.key() == Qt::Key_Left ? -1 : 1);
        return true;
    default:
        return false;
    }
}

}  // namespace plumb::ui
