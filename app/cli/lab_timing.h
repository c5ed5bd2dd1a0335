// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/protocol.h"

#include <stop_token>

namespace plumb::cli {

/// Runs an expression on this machine's CPU. Errors: BadInput for an expression that cannot be read, and
/// those of cpu::timeExpression().
[[nodiscard]] Result<protocol::EinsumTimed> timeEinsum(const protocol::TimeEinsum& question,
                                                       const std::stop_token& stop);

}  // namespace plumb::cli
