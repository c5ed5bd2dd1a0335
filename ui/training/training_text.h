// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/run_config.h"

#include <QString>

#include <cstdint>
#include <string_view>

namespace plumb::ui {

// How the training view writes its numbers.

[[nodiscard]] QString quantityText(double value, std::string_view unit);
[[nodiscard]] QString countText(std::int64_t value);  ///< all digits, in groups of three
/// Losses, norms and ratios have no SI prefix: 0.0132, 3.1e-7; "not a number" and infinity in words and
/// signs.
[[nodiscard]] QString lossText(double loss, int digits = 3);
/// ", in units of the variance of the targets" where those were standardized; empty without a unit.
[[nodiscard]] QString lossUnit(const RunConfig& config);

}  // namespace plumb::ui
