// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/opened/opened_trace.h"

#include <QString>

#include <cstdint>

namespace plumb::ui {

/// What a slice is, where and when; of GPU work also which call in which op launched it, and how long before.
[[nodiscard]] QString factsOf(const OpenedTrace& opened, std::uint32_t slice);

}  // namespace plumb::ui
