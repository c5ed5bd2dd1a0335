// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QFontDatabase>

namespace plumb::ui {

/// Letters of one width for expressions and code, `larger` by so many points than those `beside` them: the
/// system's own do not follow the size that was chosen for all letters.
[[nodiscard]] inline QFont fixedFont(const QFont& beside, double larger = 0) {
    QFont fixed = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    fixed.setPointSizeF(beside.pointSizeF() + larger);
    return fixed;
}

}  // namespace plumb::ui
