// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace plumb::ui {

/// Logical pixels that hold what `pixels` hold at letters of 10 points on 96 dots an inch: what is sized for
/// a text grows with the letters of the application.
[[nodiscard]] int scaled(int pixels);

}  // namespace plumb::ui
