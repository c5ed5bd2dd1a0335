// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QApplication>
#include <QFont>
#include <QFontDatabase>

namespace plumb::ui {

/// Letters of one width for expressions and code, `larger` by so many points than those of the window: the
/// system's own do not follow the size that was chosen for all letters.
[[nodiscard]] inline QFont fixedFont(double larger = 0) {
    QFont fixed = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    fixed.setPointSizeF(QApplication::font().pointSizeF() + larger);
    return fixed;
}

}  // namespace plumb::ui
