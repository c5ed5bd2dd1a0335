// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/engine/protocol.h"

#include <sys/types.h>

#include <chrono>
#include <deque>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace plumb::cli {

/// `python -m plumbline engine` as a process of its own, spoken to as the window speaks to an engine. One
/// thread uses it at a time.
class PythonProcess {
public:
    /// Starts it; nothing is said yet. Errors: Unavailable where `python` is no program.
    [[nodiscard]] static Result<PythonProcess> start(const std::string& python);
    PythonProcess(PythonProcess&& other) noexcept { *this = std::move(other); }
    PythonProcess& operator=(PythonProcess&& other) noexcept;
    PythonProcess(const PythonProcess&) = delete;
    PythonProcess& operator=(const PythonProcess&) = delete;
    /// The end of its input ends it, soon or by SIGKILL: it has nothing to save.
    ~PythonProcess() { end(); }

    /// Says hello and waits for its devices: importing torch takes seconds. Errors: Unavailable with its last
    /// words where it ends instead, says something else, or has not answered after `patience`; RunFailed when
    /// stopped.
    [[nodiscard]] Result<std::vector<protocol::DeviceEntry>> greet(std::chrono::seconds patience,
                                                                   const std::stop_token& stop);
    /// Errors: RunFailed when it has ended.
    [[nodiscard]] Result<void> send(const protocol::Command& command);
    /// The next event; empty where none comes within `patience`. Errors: RunFailed with its last words when
    /// it has ended, or says what no engine says.
    [[nodiscard]] Result<std::optional<protocol::Event>> next(std::chrono::milliseconds patience);

private:
    PythonProcess() = default;
    void end();
    /// Takes what it says for a while; false when it says no more.
    [[nodiscard]] bool listen(std::chrono::milliseconds patience);
    [[nodiscard]] Error ended(const std::string& what) const;

    pid_t m_process = -1;
    int m_input = -1;
    int m_output = -1;
    int m_errors = -1;
    protocol::LineBuffer m_lines;
    std::deque<Result<std::string>> m_said;
    std::string m_lastWords;  ///< end of its standard error
};

}  // namespace plumb::cli
