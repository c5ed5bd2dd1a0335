// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/trace_time.h"
#include "ui/theme/text.h"

namespace plumb::ui {

/// "1.5 ms".
[[nodiscard]] inline QString timeText(trace::Nanoseconds time) {
    return quantityText(trace::secondsOf(time), "s");
}

}  // namespace plumb::ui
