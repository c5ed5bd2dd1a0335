// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/pointer.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <QWidget>

#include <utility>

namespace plumb::ui {
namespace {

constexpr qreal kClickSlack = 4;  // a press that moves less is a click

}  // namespace

Pointer::Pointer(QWidget& widget) : m_widget(widget) {
    widget.setMouseTracking(true);
    widget.installEventFilter(this);
}

bool Pointer::eventFilter(QObject* /*watched*/, QEvent* event) {
    const auto isOfLeftButton = [&] {
        return static_cast<QMouseEvent*>(event)->button() == Qt::LeftButton && m_widget.isEnabled();
    };
    switch (event->type()) {
    case QEvent::MouseMove:
        move(static_cast<QMouseEvent&>(*event));
        return true;
    case QEvent::Leave:
        emit left();
        return false;
    case QEvent::MouseButtonPress:
    case QEvent::MouseButtonDblClick:
        if (!isOfLeftButton()) return false;
        press(static_cast<QMouseEvent&>(*event));
        if (event->type() == QEvent::MouseButtonDblClick) emit doubleClicked(m_pressed);
        return true;
    case QEvent::MouseButtonRelease:
        if (!isOfLeftButton()) return false;
        release(static_cast<QMouseEvent*>(event)->position());
        return true;
    case QEvent::ToolTip: {
        const auto& help = static_cast<QHelpEvent&>(*event);
        return m_tip && showTip(help.pos(), help.globalPos());
    }
    default:
        return false;
    }
}

void Pointer::press(const QMouseEvent& event) {
    m_pressed = m_last = event.position();
    m_isDown = true;
    m_isDragging = false;
    emit pressed(m_pressed, event.modifiers());
}

void Pointer::move(const QMouseEvent& event) {
    const QPointF at = event.position();
    // A release can be lost, to a menu or another window.
    if (!(event.buttons() & Qt::LeftButton)) m_isDown = false;
    if (!m_isDown) {
        if (event.buttons() == Qt::NoButton) emit hovered(at);
        return;
    }
    if (!m_isDragging && (at - m_pressed).manhattanLength() < kClickSlack) return;
    m_isDragging = true;
    emit dragged(at, std::exchange(m_last, at));
}

void Pointer::release(const QPointF& at) {
    if (!std::exchange(m_isDown, false)) return;
    if (m_isDragging)
        emit dropped();
    else
        emit clicked(at);
}

bool Pointer::showTip(const QPoint& at, const QPoint& onScreen) {
    const QString text = m_tip(at);
    if (text.isEmpty())
        QToolTip::hideText();
    else
        QToolTip::showText(onScreen, text, &m_widget);
    return true;
}

}  // namespace plumb::ui
