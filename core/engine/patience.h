// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

namespace plumb::protocol {

/// How long an engine that was asked to end may take to finish its op and to write the last state of a
/// training that keeps checkpoints: service managers wait 90 s before they kill.
inline constexpr std::chrono::milliseconds kPatienceToSave(60'000);

}  // namespace plumb::protocol
