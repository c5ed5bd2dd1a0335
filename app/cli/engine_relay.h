// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/engine_place.h"
#include "core/base/result.h"

#include <chrono>

namespace plumb::cli {

/// Connects standard input and output with the engine of `place`, which is started where none runs. Returns
/// when either side ends; the engine goes on when it is the window's. Errors: Io, and those with which the
/// engine does not start.
[[nodiscard]] Result<void> attachToEngine(const EnginePlace& place);

/// Ends the engine of `place`, if there is one: asks it to, and kills it after `patience`.
[[nodiscard]] Result<void> endEngine(const EnginePlace& place, std::chrono::milliseconds patience);

}  // namespace plumb::cli
