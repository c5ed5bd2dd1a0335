// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/engine_writer.h"
#include "app/cli/gpu_loss.h"
#include "core/engine/protocol.h"
#include "core/train/trainer.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <variant>

namespace plumb::cli {

class PyTorchEngine;

/// What a long-running command of the engine works with. Called on the engine's worker thread.
struct EngineJob {
    std::int64_t id = 0;  ///< id of the command; every event carries it
    EngineWriter& writer;
    std::stop_token stop;
    std::function<bool()> isPaused;
    /// Blocks between steps while paused; false to stop. Calls `meanwhile` when requests have come.
    std::function<bool(const std::function<void()>& meanwhile)> waitWhilePaused;
    std::function<std::optional<TensorRequest>()> nextRequest;
    /// Takes what a training has learned, so that it can be looked at until the next one begins.
    std::function<void(const RunConfig& config, LearnedWeights weights, std::int64_t steps)> keepWeights;
    PyTorchEngine& pyTorch;
    GpuLoss& loss;  ///< before this work, which is then refused where it needs a GPU, or in it
};

/// What takes long, one at a time.
using EngineWork = std::variant<protocol::Run, protocol::Profile, protocol::Calibrate, protocol::TimeEinsum,
                                protocol::Prove>;

/// Sends the events of the work, failures and exceptions included, and returns how it ended; the caller sends
/// that.
[[nodiscard]] protocol::Finished runJob(const EngineWork& work, const EngineJob& job);

}  // namespace plumb::cli
