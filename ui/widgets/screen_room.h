// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QScreen>
#include <QWidget>

namespace plumb::ui {

/// What the screen of a window leaves it, with a title bar above it.
[[nodiscard]] inline QSize screenRoom(const QWidget& window) {
    constexpr int kTitleBar = 36;  // what a window manager puts on top, in logical pixels
    return window.screen()->availableSize() - QSize(0, kTitleBar);
}

}  // namespace plumb::ui
