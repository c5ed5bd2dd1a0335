// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace plumb::ui {

/// Dynamic property of a view that has nothing to show of the step: a report leaves it out.
inline constexpr const char* kEmptyView = "plumbEmpty";

}  // namespace plumb::ui
