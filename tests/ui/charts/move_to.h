// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QApplication>
#include <QMouseEvent>
#include <QWidget>

namespace plumb::ui::test {

/// Moves the pointer with these buttons down. QTest::mouseMove() moves the cursor instead, which tells of no
/// buttons, stays on the screen where the window is larger, and at first tells of an arrival alone.
inline void moveTo(QWidget& widget, const QPointF& at, Qt::MouseButtons buttons = {},
                   Qt::KeyboardModifiers modifiers = {}) {
    QMouseEvent move(QEvent::MouseMove, at, widget.mapToGlobal(at), Qt::NoButton, buttons, modifiers);
    QApplication::sendEvent(&widget, &move);
}

}  // namespace plumb::ui::test
