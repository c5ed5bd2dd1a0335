// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

#include <string>

namespace plumb::cli {

/// Refuses what is no step but can become one, or can only be looked at, with what to do instead; anything
/// else is left to who reads it. Errors: BadInput, and Io where the file cannot be read.
[[nodiscard]] Result<void> checkIsStep(const std::string& file);

}  // namespace plumb::cli
