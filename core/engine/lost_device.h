// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

#include <string_view>

namespace plumb {

class Backend;

/// The one sentence about a device that does nothing more for this process, whatever was asked of it when
/// that came to light: DeviceLost. `told`: what the driver calls it.
[[nodiscard]] Error lostDevice(std::string_view told);

[[nodiscard]] inline bool isLost(const Error& error) { return error.code == ErrorCode::DeviceLost; }

/// `error`, or, where what failed is a library beside a device that is lost, that loss. Waits for the device.
[[nodiscard]] Error causeOf(const Error& error, Backend& backend);

}  // namespace plumb
