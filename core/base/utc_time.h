// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace plumb {

/// The time by the clock of this machine, ISO 8601 in UTC: "2026-11-24T16:47:29Z".
[[nodiscard]] std::string nowInUtc();

}  // namespace plumb
