// SPDX-License-Identifier: Apache-2.0
// What a file manager shows in place of an icon: the memory of a step.
#pragma once

#include "core/base/result.h"
#include "core/plan/step.h"

#include <string>

namespace plumb {

inline constexpr int kLeastThumbnail = 16, kMostThumbnail = 1024;

/// The memory of `step` by category over its operations, as a PNG that is `pixels` wide and three quarters as
/// high. Errors: BadInput for a step that says nothing of memory, and for a size beyond the limits.
[[nodiscard]] Result<std::string> thumbnailOf(const Step& step, int pixels);

}  // namespace plumb
