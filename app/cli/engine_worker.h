// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/engine_jobs.h"
#include "app/cli/engine_writer.h"
#include "core/engine/protocol.h"
#include "core/train/trainer.h"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

namespace plumb::cli {

/// Does the engine's work on a thread of its own, one piece at a time, and answers what is asked about it
/// meanwhile and afterwards.
///
/// Work answers with State, its events, Finished and State idle, in this order. What cannot be done now is
/// answered with an error. Not thread-safe: one thread calls it.
class EngineWorker {
public:
    /// All outlive it.
    EngineWorker(EngineWriter& writer, PyTorchEngine& pyTorch, GpuLoss& loss)
        : m_writer(writer), m_pyTorch(pyTorch), m_loss(loss) {}
    EngineWorker(const EngineWorker&) = delete;
    EngineWorker& operator=(const EngineWorker&) = delete;
    ~EngineWorker() = default;  ///< stops the work and waits for it

    /// `state`: the engine's while it works. Refused while other work goes on.
    void start(EngineWork work, protocol::EngineState state, std::int64_t id);
    /// Refused when no training goes on.
    void setPaused(bool paused, std::int64_t id);
    /// A tensor of the training that goes on, or a weight of the newest one that ended.
    void inspect(const protocol::Inspect& command, std::int64_t id);
    [[nodiscard]] bool isIdle() {
        const std::lock_guard lock(m_mutex);
        return m_state == protocol::EngineState::Idle;
    }
    /// Ends the work soon; nothing when there is none.
    void requestStop() { m_thread.request_stop(); }
    /// The same, and waits. False when it has not ended within `patience` (an operation may take minutes),
    /// or, of a training that keeps checkpoints and saves its last state, within `patienceToSave`.
    [[nodiscard]] bool stop(std::chrono::milliseconds patience, std::chrono::milliseconds patienceToSave);

private:
    struct Learned {
        RunConfig config;
        LearnedWeights weights;
        std::int64_t steps = 0;
    };

    [[nodiscard]] bool begin(const EngineWork& work, protocol::EngineState state);
    void doWork(const EngineWork& work, std::int64_t id, const std::stop_token& stop);
    void end(std::int64_t id, protocol::Finished finished);
    [[nodiscard]] bool waitWhilePaused(const std::stop_token& stop, const std::function<void()>& meanwhile);
    [[nodiscard]] std::optional<TensorRequest> nextRequest();
    void inspectLearned(const Learned& learned, const protocol::Inspect& command, std::int64_t id);

    EngineWriter& m_writer;
    PyTorchEngine& m_pyTorch;
    GpuLoss& m_loss;
    std::mutex m_mutex;  // m_state, m_keepsCheckpoints, m_requests and m_learned
    std::condition_variable_any m_changed;
    protocol::EngineState m_state = protocol::EngineState::Idle;
    bool m_keepsCheckpoints = false;           // the training that goes on
    std::deque<TensorRequest> m_requests;      // of the training that goes on
    std::shared_ptr<const Learned> m_learned;  // of the newest training that ended; null: none, or too large
    std::jthread m_thread;
};

}  // namespace plumb::cli
