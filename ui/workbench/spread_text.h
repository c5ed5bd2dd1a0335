// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/machine/tier.h"

#include <QString>

namespace plumb::ui {

/// A line of a tool tip about the measured time of several operations, of which this is the sum of the
/// spreads.
[[nodiscard]] QString spreadSumText(const Spread& sum);

}  // namespace plumb::ui
