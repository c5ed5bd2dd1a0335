// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QHeaderView;
class QWidget;

namespace plumb::ui {

/// Says where the manual speaks of a widget and of all that lies in it: a page ("memory"), or a place on one
/// ("memory#curve"). What lies in it may name another, or have the name of a place on the page as its object
/// name, which F1 then goes to.
void setHelpAnchor(QWidget& widget, const QString& anchor);
/// Returns what was set on the widget itself; empty: nothing.
[[nodiscard]] QString ownHelpAnchor(const QWidget& widget);

/// Returns a tool tip that ends by saying how to read on.
[[nodiscard]] QString withHelpHint(const QString& toolTip);
/// Has the tool tips of a table's columns end that way too.
void hintAtHelp(QHeaderView& header);

}  // namespace plumb::ui
