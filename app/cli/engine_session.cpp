// SPDX-License-Identifier: Apache-2.0
#include "app/cli/engine_session.h"

#include "app/cli/backends.h"
#include "app/cli/engine_jobs.h"
#include "core/base/program_version.h"
#include "core/snapshot/snapshot.h"
#include "core/train/weights_inspection.h"

#include <exception>
#include <new>
#include <type_traits>
#include <utility>

namespace plumb::cli {

using protocol::EngineState;

namespace {

/// A job whose exceptions have become an error event: the engine outlives what it runs.
template <class Command>
protocol::Finished guarded(const Command& command, const EngineJob& job) {
    Error error;
    try {
        return runJob(command, job);
    } catch (const std::bad_alloc&) {
        error = {ErrorCode::OutOfMemory, "this machine has no memory left", "lower batch, dim or layers"};
    } catch (const std::exception& exception) {
        error = {ErrorCode::Internal, std::string("internal error (") + exception.what() + ")", ""};
    }
    job.writer.sendLast({job.id, protocol::ErrorEvent{error}});
    return {"failed: " + error.message, 0};
}

/// What needs no answer of its own and must not wait for a window that does not read.
bool isEnding(const Result<protocol::Command>& command) {
    return command.has_value() && (std::holds_alternative<protocol::Stop>(command->body) ||
                                   std::holds_alternative<protocol::Quit>(command->body));
}

}  // namespace

EngineSession::EngineSession(EngineWriter& writer, std::function<bool()> windowIsGone)
    : m_writer(writer), m_windowIsGone(std::move(windowIsGone)) {
    m_writer.send({0, protocol::Hello{protocol::kVersion, programVersion()}});
    m_writer.send({0, protocol::DeviceList{listDevices()}});
}

void EngineSession::report(const Error& error) { m_writer.send({0, protocol::ErrorEvent{error}}); }

void EngineSession::refuse(std::int64_t id, std::string message, std::string hint) {
    m_writer.send({id, protocol::ErrorEvent{{ErrorCode::BadInput, std::move(message), std::move(hint)}}});
}

std::optional<int> EngineSession::handle(const Result<std::string>& line) {
    const auto command = line.has_value() ? protocol::parseCommand(*line) : line.error();
    // Whatever a line causes, it causes a few events at most: with room for one before each line, the queue
    // is bounded. No lock is held here, so training goes on meanwhile.
    if (!isEnding(command) && !m_writer.waitForRoom(m_windowIsGone)) return 0;
    if (!line.has_value()) {
        report(line.error());
        return std::nullopt;
    }
    if (!command.has_value()) {
        const protocol::Heading heading = protocol::headingOf(*line);
        m_writer.send({heading.id, protocol::ErrorEvent{command.error()}});
        // A hello that is refused comes from a window of another version: there is nothing to go on with.
        return heading.type == "hello" ? std::optional(2) : std::nullopt;
    }
    return obey(*command);
}

std::optional<int> EngineSession::obey(const protocol::Command& command) {
    const std::int64_t id = command.id;
    if (const auto* greeting = std::get_if<protocol::Hello>(&command.body)) return hello(*greeting, id);
    if (!m_greeted) {
        refuse(id, "the first message must be hello", "send the protocol version first");
        return std::nullopt;
    }
    return std::visit(
        [&](const auto& body) -> std::optional<int> {
            using Body = std::decay_t<decltype(body)>;
            if constexpr (std::is_same_v<Body, protocol::Quit>) {
                return 0;
            } else if constexpr (std::is_same_v<Body, protocol::Run>) {
                start(body, EngineState::Running, id);
            } else if constexpr (std::is_same_v<Body, protocol::Profile>) {
                start(body, EngineState::Profiling, id);
            } else if constexpr (std::is_same_v<Body, protocol::Calibrate>) {
                start(body, EngineState::Calibrating, id);
            } else if constexpr (std::is_same_v<Body, protocol::TimeEinsum>) {
                start(body, EngineState::Timing, id);
            } else if constexpr (std::is_same_v<Body, protocol::Inspect>) {
                inspect(body, id);
            } else if constexpr (std::is_same_v<Body, protocol::Devices>) {
                m_writer.send({id, protocol::DeviceList{listDevices()}});
            } else if constexpr (std::is_same_v<Body, protocol::Stop>) {
                m_worker.request_stop();
            } else if constexpr (!std::is_same_v<Body, protocol::Hello>) {
                setPaused(std::is_same_v<Body, protocol::Pause>, id);
            }
            return std::nullopt;
        },
        command.body);
}

std::optional<int> EngineSession::hello(const protocol::Hello& command, std::int64_t id) {
    if (command.version != protocol::kVersion) {
        refuse(id,
               "the window speaks protocol version " + std::to_string(command.version) + ", this engine " +
                   std::to_string(protocol::kVersion),
               "install the same version of Plumbline on both sides");
        return 2;
    }
    m_greeted = true;
    return std::nullopt;
}

void EngineSession::setPaused(bool paused, std::int64_t id) {
    const EngineState wanted = paused ? EngineState::Paused : EngineState::Running;
    {
        const std::lock_guard lock(m_mutex);
        if (m_state == EngineState::Running || m_state == EngineState::Paused) {
            m_state = wanted;
            m_changed.notify_all();
            // Sent under the lock, so that the end of the run cannot come between.
            m_writer.send({id, protocol::State{wanted}});
            return;
        }
    }
    refuse(id, paused ? "no training goes on that could be paused" : "no training is paused", "run first");
}

bool EngineSession::waitWhilePaused(const std::stop_token& stop, const std::function<void()>& meanwhile) {
    std::unique_lock lock(m_mutex);
    while (true) {
        m_changed.wait(lock, stop, [&] { return m_state != EngineState::Paused || !m_requests.empty(); });
        if (m_state != EngineState::Paused || stop.stop_requested()) return !stop.stop_requested();
        lock.unlock();
        meanwhile();  // takes the requests, with the lock of its own
        lock.lock();
    }
}

void EngineSession::inspect(const protocol::Inspect& command, std::int64_t id) {
    // More than that wait only for a client that asks without looking at the answers.
    constexpr std::size_t kMostRequests = 64;
    std::shared_ptr<const Learned> learned;
    {
        const std::lock_guard lock(m_mutex);
        const bool training = m_state == EngineState::Running || m_state == EngineState::Paused;
        learned = m_learned;
        if (training && m_requests.size() < kMostRequests) {
            m_requests.push_back({id, command.role, command.layer, command.saveTo});
            m_changed.notify_all();
            return;
        }
        if (training) return refuse(id, "too many tensors are asked for", "wait for the answers");
    }
    if (!learned) return refuse(id, "no training goes on whose tensors could be looked at", "run first");
    if (command.role != TensorRole::Weight)
        return refuse(id, "the training is over: its weights are left, and nothing else", "run again");
    const auto inspection =
        inspectWeights(learned->config, learned->weights, command.layer, learned->steps, command.saveTo);
    if (inspection.has_value())
        m_writer.send({id, protocol::TensorValues{*inspection}});
    else
        m_writer.send({id, protocol::ErrorEvent{inspection.error()}});
}

std::optional<TensorRequest> EngineSession::nextRequest() {
    const std::lock_guard lock(m_mutex);
    if (m_requests.empty()) return std::nullopt;
    const TensorRequest request = m_requests.front();
    m_requests.pop_front();
    return request;
}

template <class Command>
void EngineSession::start(const Command& command, EngineState state, std::int64_t id) {
    {
        const std::lock_guard lock(m_mutex);
        if (m_state == EngineState::Idle) {
            m_state = state;
            if constexpr (std::is_same_v<Command, protocol::Run>) {
                m_keepsCheckpoints = !command.checkpoints.folder.empty();
                m_learned.reset();
            } else {
                m_keepsCheckpoints = false;
            }
        } else {
            state = EngineState::Idle;
        }
    }
    if (state == EngineState::Idle) return refuse(id, "the engine is busy", "stop what it does first");
    m_writer.send({id, protocol::State{state}});
    m_worker = std::jthread([this, command, id](const std::stop_token& stop) {
        const EngineJob job{
            id,
            m_writer,
            stop,
            [this, stop](const std::function<void()>& meanwhile) { return waitWhilePaused(stop, meanwhile); },
            [this] { return nextRequest(); },
            [this](const RunConfig& config, LearnedWeights weights, std::int64_t steps) {
                const std::lock_guard lock(m_mutex);
                m_learned = std::make_shared<const Learned>(Learned{config, std::move(weights), steps});
            }};
        protocol::Finished finished = guarded(command, job);
        const std::lock_guard lock(m_mutex);
        // Those that came after the last step had asked for them.
        for (const TensorRequest& request : std::exchange(m_requests, {}))
            refuse(request.id, "the training ended before the tensor was written", "ask while it runs");
        m_state = EngineState::Idle;
        m_writer.sendLast({id, std::move(finished)});
        m_writer.send({id, protocol::State{EngineState::Idle}});
        m_changed.notify_all();
    });
}

bool EngineSession::stop(std::chrono::milliseconds patience, std::chrono::milliseconds patienceToSave) {
    m_worker.request_stop();
    std::unique_lock lock(m_mutex);
    return m_changed.wait_for(lock, m_keepsCheckpoints ? patienceToSave : patience,
                              [&] { return m_state == EngineState::Idle; });
}

}  // namespace plumb::cli
