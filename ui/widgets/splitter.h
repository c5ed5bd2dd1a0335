// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSplitter>

namespace plumb::ui {

/// Cards whose shares the user moves, none of which can be moved away. Belongs to `parent`. `gap`: between
/// the cards, where the handle is, in logical pixels.
[[nodiscard]] QSplitter* makeSplitter(Qt::Orientation orientation, const QString& name, QWidget* parent,
                                      int gap = 10);

}  // namespace plumb::ui
