// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>

namespace plumb::ui {

/// value held between least and most; least where the two cross, as they do by a rounding error when a span
/// fills its room exactly, and when a label is wider than the room it is placed in. std::clamp and qBound are
/// undefined there.
template <typename T>
constexpr T within(T value, T least, T most) {
    return std::max(least, std::min(value, most));
}

}  // namespace plumb::ui
