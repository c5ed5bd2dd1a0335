// SPDX-License-Identifier: Apache-2.0
#include "app/cli/pytorch_engine.h"

#include "core/engine/lost_device.h"
#include "core/machine/target.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <utility>

namespace plumb::cli {

namespace {

using namespace std::chrono_literals;

constexpr auto kPatienceToGreet = std::chrono::seconds(120);  // torch from a cold disk
constexpr std::int64_t kJob = 1;                              // id of every job there

protocol::DeviceEntry absent(const std::string& interpreter, const Error& error) {
    protocol::DeviceEntry entry;
    entry.target.machine.id = kPyTorch;
    entry.target.machine.name = "PyTorch – CPU";
    entry.target.machine.backend = "cpu";
    entry.target.machine.source = "not available";
    entry.target.traits = traitsFor(std::string(kPyTorch) + "-eager", {});
    entry.available = false;
    entry.reason = entry.counters.absent = "PyTorch by " + interpreter + ": " + error.text();
    return entry;
}

/// What the process says of the job that goes on, handed to the window. Returns its end, when it is that.
class Relay {
public:
    Relay(PythonProcess& process, const EngineJob& job) : m_process(process), m_job(job) {}

    Result<protocol::Finished> run() {
        for (;;) {
            PLUMB_CHECK(passOnWishes());
            PLUMB_TRY(std::optional<protocol::Event> event, m_process.next(50ms));
            if (event && event->id == kJob)
                if (const auto finished = take(std::move(*event))) return *finished;
        }
    }

    /// The process is of no more use on its GPU.
    [[nodiscard]] bool hasLostDevice() const { return m_hasLostDevice; }

private:
    /// Stop, pause and looks at tensors, as they come from the window.
    Result<void> passOnWishes() {
        while (const std::optional<TensorRequest> request = m_job.nextRequest())
            m_job.writer.refuse(request->id, "the PyTorch engine shows no tensors",
                                "train with the built-in trainer to look at its tensors");
        if (const bool paused = m_job.isPaused(); paused != m_paused) {
            m_paused = paused;
            PLUMB_CHECK(paused ? m_process.send({kJob + 1, protocol::Pause{}})
                               : m_process.send({kJob + 1, protocol::Resume{}}));
        }
        if (!m_job.stop.stop_requested() || std::exchange(m_stopping, true)) return {};
        return m_process.send({kJob + 1, protocol::Stop{}});
    }

    std::optional<protocol::Finished> take(protocol::Event event) {
        EngineWriter& writer = m_job.writer;
        if (auto* losses = std::get_if<protocol::LossBatch>(&event.body)) {
            for (const StepMetrics& point : losses->points) writer.addLoss(point);
        } else if (auto* reading = std::get_if<protocol::ReadingEvent>(&event.body)) {
            writer.setReading(m_job.id, std::move(reading->measured));
        } else if (auto* progress = std::get_if<protocol::Progress>(&event.body)) {
            writer.setProgress(m_job.id, std::move(*progress));
        } else if (auto* finished = std::get_if<protocol::Finished>(&event.body)) {
            return std::move(*finished);
        } else if (const auto* error = std::get_if<protocol::ErrorEvent>(&event.body)) {
            m_hasLostDevice = m_hasLostDevice || isLost(error->error);
            writer.sendLast({m_job.id, std::move(event.body)});
        }
        return std::nullopt;  // what remains is about the process, not about the job
    }

    PythonProcess& m_process;
    const EngineJob& m_job;
    bool m_paused = false;
    bool m_stopping = false;
    bool m_hasLostDevice = false;
};

/// The device of this program that runs what PyTorch's `entry` runs; null: none.
const Machine* machineBehind(const Machine& entry, const std::vector<protocol::DeviceEntry>& devices) {
    const auto found = std::ranges::find_if(devices, [&](const protocol::DeviceEntry& device) {
        const Machine& machine = device.target.machine;
        return device.available && machine.backend == entry.backend && machine.index == entry.index;
    });
    return found == devices.end() ? nullptr : &found->target.machine;
}

}  // namespace

bool namesPyTorch(std::string_view device) { return device.starts_with(kPyTorch); }

std::vector<protocol::DeviceEntry> withPyTorch(std::vector<protocol::DeviceEntry> devices,
                                               std::vector<protocol::DeviceEntry> ofPyTorch) {
    for (protocol::DeviceEntry& entry : ofPyTorch) {
        Machine& machine = entry.target.machine;
        if (const Machine* behind = entry.available ? machineBehind(machine, devices) : nullptr) {
            Machine known = *behind;
            known.id = behind->id + "-" + entry.target.traits.backend;
            known.name = std::move(machine.name);
            machine = std::move(known);
        }
    }
    // Those that can run stand together, before what is not there.
    const auto cannot =
        std::ranges::find_if(devices, [](const protocol::DeviceEntry& device) { return !device.available; });
    const auto split = std::ranges::stable_partition(ofPyTorch, &protocol::DeviceEntry::available).begin();
    const auto place = cannot - devices.begin();
    devices.insert(devices.end(), split, ofPyTorch.end());
    devices.insert(devices.begin() + place, ofPyTorch.begin(), split);
    return devices;
}

void PyTorchEngine::search(const std::string& interpreter, std::function<void()> found) {
    m_search = {};  // ends the one that goes on
    {
        const std::lock_guard lock(m_mutex);
        m_interpreter = interpreter;
    }
    m_search = std::jthread([this, found = std::move(found)](const std::stop_token& stop) {
        const std::string python = this->interpreter();
        std::vector<protocol::DeviceEntry> devices;
        {
            const auto process = greeted(python, stop, devices);
            if (!process.has_value()) devices = {absent(python, process.error())};
        }  // it has ended: torch takes memory
        if (stop.stop_requested()) return;
        {
            const std::lock_guard lock(m_mutex);
            m_devices = std::move(devices);
        }
        found();
    });
}

std::vector<protocol::DeviceEntry> PyTorchEngine::devices() const {
    const std::lock_guard lock(m_mutex);
    return m_devices;
}

std::string PyTorchEngine::interpreter() const {
    const std::lock_guard lock(m_mutex);
    if (!m_interpreter.empty()) return m_interpreter;
    const char* const named = std::getenv("PLUMBLINE_PYTHON");
    return named != nullptr && *named != '\0' ? named : "python3";
}

Result<PythonProcess> PyTorchEngine::greeted(const std::string& interpreter, const std::stop_token& stop,
                                             std::vector<protocol::DeviceEntry>& devices) const {
    PLUMB_TRY(PythonProcess process, PythonProcess::start(interpreter));
    PLUMB_TRY(devices, process.greet(kPatienceToGreet, stop));
    return process;
}

Result<protocol::Finished> PyTorchEngine::relay(const EngineWork& work, const EngineJob& job) {
    const std::string python = interpreter();
    if (m_process && m_processInterpreter != python) m_process.reset();
    if (!m_process) {
        std::vector<protocol::DeviceEntry> devices;
        job.writer.setProgress(job.id, {"starting PyTorch", 0, 0});
        auto started = greeted(python, job.stop, devices);
        if (job.stop.stop_requested()) return protocol::Finished{"stopped", 0};
        if (!started.has_value()) return started.error();
        m_process = std::move(started).value();
        m_processInterpreter = python;
    }
    const auto sent = std::visit(
        [&]<class Command>(const Command& command) -> Result<void> {
            if constexpr (std::is_same_v<Command, protocol::Run> ||
                          std::is_same_v<Command, protocol::Profile>)
                return m_process->send({kJob, command});
            return Error{ErrorCode::Unavailable, "PyTorch trains and profiles, and does no other work",
                         "choose a device of another engine"};
        },
        work);
    Relay relay(*m_process, job);
    Result<protocol::Finished> finished =
        sent.has_value() ? relay.run() : Result<protocol::Finished>(sent.error());
    if (!finished.has_value() || relay.hasLostDevice()) m_process.reset();
    return finished;
}

}  // namespace plumb::cli
