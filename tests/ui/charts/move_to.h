// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QApplication>
#include <QMouseEvent>
#include <QWheelEvent>
#include <QWidget>

namespace plumb::ui::test {

/// Moves the pointer with these buttons down. QTest::mouseMove() moves the cursor instead, which tells of no
/// buttons, stays on the screen where the window is larger, and at first tells of an arrival alone.
inline void moveTo(QWidget& widget, const QPointF& at, Qt::MouseButtons buttons = {},
                   Qt::KeyboardModifiers modifiers = {}) {
    QMouseEvent move(QEvent::MouseMove, at, widget.mapToGlobal(at), Qt::NoButton, buttons, modifiers);
    QApplication::sendEvent(&widget, &move);
}

/// Presses the left button, moves and lets go.
inline void dragOn(QWidget& widget, const QPointF& from, const QPointF& to,
                   Qt::KeyboardModifiers modifiers = {}) {
    const auto send = [&](QEvent::Type type, const QPointF& at, Qt::MouseButtons held) {
        QMouseEvent event(type, at, widget.mapToGlobal(at), Qt::LeftButton, held, modifiers);
        QApplication::sendEvent(&widget, &event);
    };
    send(QEvent::MouseButtonPress, from, Qt::LeftButton);
    for (const QPointF& at : {(from + to) / 2, to}) moveTo(widget, at, Qt::LeftButton, modifiers);
    send(QEvent::MouseButtonRelease, to, Qt::NoButton);
}

/// Turns the wheel by so many notches, up where there are more than 0; whether that was taken.
inline bool wheelOn(QWidget& widget, const QPointF& at, int notches, Qt::KeyboardModifiers modifiers = {}) {
    constexpr int kNotch = 120;
    QWheelEvent event(at, widget.mapToGlobal(at), {}, {0, kNotch * notches}, Qt::NoButton, modifiers,
                      Qt::NoScrollPhase, false);
    QApplication::sendEvent(&widget, &event);
    return event.isAccepted();
}

}  // namespace plumb::ui::test
