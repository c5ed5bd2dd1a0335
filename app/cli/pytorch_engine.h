// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/engine_jobs.h"
#include "app/cli/python_process.h"
#include "core/engine/protocol.h"

#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace plumb::cli {

/// PyTorch as another engine behind this one: which devices and modes it has here, and jobs on them. Nothing
/// of it is started before somebody asks.
class PyTorchEngine {
public:
    PyTorchEngine() = default;
    PyTorchEngine(const PyTorchEngine&) = delete;
    PyTorchEngine& operator=(const PyTorchEngine&) = delete;
    ~PyTorchEngine() = default;  ///< ends the search and the process

    /// Looks for it on a thread of its own and calls `found` there, with devices() that hold what there is,
    /// or one that says why there is none. An empty interpreter: PLUMBLINE_PYTHON, else python3. A search
    /// that goes on is ended.
    void search(const std::string& interpreter, std::function<void()> found);
    /// Those that were found last; none before a search.
    [[nodiscard]] std::vector<protocol::DeviceEntry> devices() const;

    /// Does the work on the device that it names, and sends its events. The process stays for the next job.
    /// On the thread of jobs. Errors: Unavailable, RunFailed.
    [[nodiscard]] Result<protocol::Finished> relay(const EngineWork& work, const EngineJob& job);

private:
    [[nodiscard]] std::string interpreter() const;
    [[nodiscard]] Result<PythonProcess> greeted(const std::string& interpreter, const std::stop_token& stop,
                                                std::vector<protocol::DeviceEntry>& devices) const;

    mutable std::mutex m_mutex;  // m_interpreter and m_devices
    std::string m_interpreter;
    std::vector<protocol::DeviceEntry> m_devices;
    std::optional<PythonProcess> m_process;  // of the thread of jobs
    std::string m_processInterpreter;
    std::jthread m_search;
};

/// Whether `device` of a run or a profile names PyTorch.
[[nodiscard]] bool namesPyTorch(std::string_view device);
/// PyTorch's entries with the ceilings of the devices of this program that they run on: the prediction beside
/// them says what those can do. They go behind the devices that are there.
[[nodiscard]] std::vector<protocol::DeviceEntry> withPyTorch(std::vector<protocol::DeviceEntry> devices,
                                                             std::vector<protocol::DeviceEntry> ofPyTorch);

}  // namespace plumb::cli
