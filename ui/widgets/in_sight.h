// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace plumb::ui {

/// Scrolls what `widget` stands in until it is seen whole, or its upper left part where it is too large.
void bringIntoSight(const QWidget& widget);

}  // namespace plumb::ui
