// SPDX-License-Identifier: Apache-2.0
#pragma once

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
#include <string>
#include <string_view>
#include <thread>

namespace plumb::cli {

/// One conversation with a window: obeys commands, one long-running one at a time, on a worker thread.
///
/// Run, Profile and Calibrate answer with State, their events, Finished and State idle, in this order. A
/// second one meanwhile is refused. Stop, and Pause or Resume when already so, are no errors. Not
/// thread-safe: one thread calls it, the one that reads the commands.
class EngineSession {
public:
    /// Says hello and lists the devices. `windowIsGone` is asked while an answer waits for the window to
    /// read.
    EngineSession(EngineWriter& writer, std::function<bool()> windowIsGone);
    EngineSession(const EngineSession&) = delete;
    EngineSession& operator=(const EngineSession&) = delete;
    ~EngineSession() = default;  ///< stops the work and waits for it

    /// Obeys one line; what cannot be understood is answered with an error and forgotten. Empty to go on, or
    /// the exit code of the process: 0 after quit or when nobody is left to answer to, 2 when the window
    /// speaks another version of the protocol. Waits while the window does not read the answers that are
    /// there.
    [[nodiscard]] std::optional<int> handle(const Result<std::string>& line);
    /// Sends an error that no command caused.
    void report(const Error& error);
    /// Stops the work. False when it has not ended within `patience` (an operation may take minutes), or, of
    /// a training that keeps checkpoints and saves its last state, within `patienceToSave`.
    [[nodiscard]] bool stop(std::chrono::milliseconds patience, std::chrono::milliseconds patienceToSave);

private:
    [[nodiscard]] std::optional<int> obey(const protocol::Command& command);
    [[nodiscard]] std::optional<int> hello(const protocol::Hello& command, std::int64_t id);
    void setPaused(bool paused, std::int64_t id);
    template <class Command>
    void start(const Command& command, protocol::EngineState state, std::int64_t id);
    void refuse(std::int64_t id, std::string message, std::string hint);
    [[nodiscard]] bool waitWhilePaused(const std::stop_token& stop, const std::function<void()>& meanwhile);
    void inspect(const protocol::Inspect& command, std::int64_t id);
    [[nodiscard]] std::optional<TensorRequest> nextRequest();

    EngineWriter& m_writer;
    const std::function<bool()> m_windowIsGone;
    bool m_greeted = false;
    std::mutex m_mutex;  // m_state, m_keepsCheckpoints, m_requests and m_learned
    std::condition_variable_any m_changed;
    protocol::EngineState m_state = protocol::EngineState::Idle;
    bool m_keepsCheckpoints = false;       // the training that goes on
    std::deque<TensorRequest> m_requests;  // of the training that goes on
    struct Learned {
        RunConfig config;
        LearnedWeights weights;
        std::int64_t steps = 0;
    };
    std::shared_ptr<const Learned> m_learned;  // of the newest training that ended; null: none, or too large
    std::jthread m_worker;
};

}  // namespace plumb::cli
