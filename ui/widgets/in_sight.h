// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRect>

class QLabel;
class QWidget;

namespace plumb::ui {

/// Scrolls what `widget` stands in until it is seen whole, or its upper left part where it is too large.
void bringIntoSight(const QWidget& widget);
/// The same of a part of it.
void bringIntoSight(const QWidget& widget, const QRect& part);

/// The same once the layout has given its place to what was shown or grew just now.
void bringIntoSightSoon(QWidget& widget);

/// Keeps what has the keyboard in sight where its window is about to lose room: the widget, and the current
/// row of a table where that is seen.
void keepFocusInSight(const QWidget& window);

/// Makes Tab stop at a text that stands below the last control of what is scrolled, and so brings it into
/// sight: no other key reaches it.
void letTabReach(QLabel& text);

}  // namespace plumb::ui
