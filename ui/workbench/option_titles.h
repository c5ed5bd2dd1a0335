// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <string_view>

namespace plumb::ui {

/// What the window calls an option of a run: "Batch B", "Weight decay"; one that it has no title for by its
/// own name.
[[nodiscard]] QString optionTitle(std::string_view option);

}  // namespace plumb::ui
