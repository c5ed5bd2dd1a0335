// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/engine_worker.h"
#include "app/cli/engine_writer.h"
#include "app/cli/pytorch_engine.h"
#include "core/engine/protocol.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace plumb::cli {

/// One conversation with a window: understands its commands and has them obeyed (EngineWorker).
///
/// Stop, and Pause or Resume when already so, are no errors. Not thread-safe: one thread calls it, the one
/// that reads the commands.
class EngineSession {
public:
    /// `windowIsGone` is asked while an answer waits for the window to
    /// read.
    EngineSession(EngineWriter& writer, std::function<bool()> windowIsGone);
    EngineSession(const EngineSession&) = delete;
    EngineSession& operator=(const EngineSession&) = delete;
    ~EngineSession() = default;  ///< stops the work and waits for it

    /// Says hello and lists the devices, which is what an engine of one window begins with.
    void announce();
    /// Lists the devices to whoever listens, unasked.
    void announceDevices();
    /// Obeys one line; what cannot be understood is answered with an error and forgotten. Empty to go on, or
    /// the exit code of the process: 0 after quit or when nobody is left to answer to, 2 when the window
    /// speaks another version of the protocol. Waits while the window does not read the answers that are
    /// there.
    [[nodiscard]] std::optional<int> handle(const Result<std::string>& line);
    /// Sends an error that no command caused.
    void report(const Error& error);
    /// See EngineWorker::stop().
    [[nodiscard]] bool stop(std::chrono::milliseconds patience, std::chrono::milliseconds patienceToSave) {
        return m_worker.stop(patience, patienceToSave);
    }

    /// Nothing long is done now.
    [[nodiscard]] bool isIdle() { return m_worker.isIdle(); }

private:
    [[nodiscard]] std::optional<int> obey(const protocol::Command& command);
    [[nodiscard]] std::optional<int> hello(const protocol::Hello& command, std::int64_t id);
    void list(const protocol::Devices& command, std::int64_t id);

    EngineWriter& m_writer;
    const std::function<bool()> m_windowIsGone;
    bool m_greeted = false;
    GpuLoss m_loss;
    PyTorchEngine m_pyTorch;
    EngineWorker m_worker;
};

}  // namespace plumb::cli
