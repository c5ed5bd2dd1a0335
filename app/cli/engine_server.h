// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/engine_place.h"
#include "core/base/result.h"

#include <chrono>
#include <cstddef>
#include <functional>

namespace plumb::cli {

struct ServerOptions {
    std::size_t maxLine = 0;        ///< longest line that is taken, in bytes
    std::size_t journalBytes = 0;   ///< events that are kept for a window that comes back
    std::chrono::seconds linger{};  ///< how long an engine without work waits for a window before it ends
};

/// Runs an engine that outlives its windows: each connection to the socket of `place` is one, the newest
/// takes the place of the one before. Returns when a window says quit, on a signal, or after the linger.
/// `ready` is called once windows can connect. Errors: Io, RunFailed where another engine has the place.
[[nodiscard]] Result<void> serveEngine(const EnginePlace& place, const ServerOptions& options,
                                       const std::function<void()>& ready);

}  // namespace plumb::cli
