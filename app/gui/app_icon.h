// SPDX-License-Identifier: GPL-3.0-or-later
// The program's icon, a plumb line: of the window, and of the pictures that are installed for desktops.
#pragma once

#include <QIcon>
#include <QImage>

#include <array>

namespace plumb::gui {

/// The sizes that desktops ask for, in pixels.
inline constexpr std::array kIconSizes{16, 24, 32, 48, 64, 128, 256, 512};

/// The icon of `pixels` by `pixels`. Small ones are drawings of their own, whose edges lie on pixels.
[[nodiscard]] QImage appIconImage(int pixels);

/// The icon in the sizes that a window needs.
[[nodiscard]] QIcon appIcon();

}  // namespace plumb::gui
