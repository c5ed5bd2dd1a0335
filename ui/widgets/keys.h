// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QKeySequence>
#include <QLatin1String>

namespace plumb::ui {

/// "Ctrl+K" as a shortcut.
[[nodiscard]] inline QKeySequence keys(const char* text) { return {QLatin1String(text)}; }

}  // namespace plumb::ui
