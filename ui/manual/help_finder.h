// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/manual/manual_book.h"

#include <QPoint>

#include <optional>

class QWidget;

namespace plumb::ui {

/// Returns where the manual speaks of a widget: what setHelpAnchor() says of it or of what it lies in, and
/// on that page the place that has the name of the widget, or of a column of its table. A dialog that says
/// nothing has its place on the page of the dialogs. `at`: the pointer, in global coordinates; without it the
/// widget has the focus.
[[nodiscard]] ManualPlace helpPlaceOf(const QWidget& widget, const ManualBook& book,
                                      const std::optional<QPoint>& at = {});

}  // namespace plumb::ui
