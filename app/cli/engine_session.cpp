// SPDX-License-Identifier: Apache-2.0
#include "app/cli/engine_session.h"

#include "app/cli/backends.h"
#include "core/base/program_version.h"
#include "core/snapshot/snapshot.h"

#include <fmt/format.h>

#include <type_traits>
#include <utility>

namespace plumb::cli {

using protocol::EngineState;

namespace {

/// What needs no answer of its own and is sent however slowly the window reads.
bool isEnding(const Result<protocol::Command>& command) {
    return command.has_value() && (std::holds_alternative<protocol::Stop>(command->body) ||
                                   std::holds_alternative<protocol::Quit>(command->body));
}

}  // namespace

EngineSession::EngineSession(EngineWriter& writer, std::function<bool()> windowIsGone)
    : m_writer(writer), m_windowIsGone(std::move(windowIsGone)), m_worker(writer, m_pyTorch, m_loss) {}

void EngineSession::announce() {
    m_writer.send({0, protocol::Hello{protocol::kVersion, programVersion()}});
    announceDevices();
}

void EngineSession::announceDevices() { m_writer.send({0, protocol::DeviceList{listDevices()}}); }

void EngineSession::report(const Error& error) { m_writer.send({0, protocol::ErrorEvent{error}}); }

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
        m_writer.refuse(id, "the first message must be hello", "send the protocol version first");
        return std::nullopt;
    }
    return std::visit(
        [&](const auto& body) -> std::optional<int> {
            using Body = std::decay_t<decltype(body)>;
            if constexpr (std::is_same_v<Body, protocol::Quit>) {
                return 0;
            } else if constexpr (std::is_same_v<Body, protocol::Run>) {
                m_worker.start(body, EngineState::Running, id);
            } else if constexpr (std::is_same_v<Body, protocol::Profile>) {
                m_worker.start(body, EngineState::Profiling, id);
            } else if constexpr (std::is_same_v<Body, protocol::Calibrate>) {
                m_worker.start(body, EngineState::Calibrating, id);
            } else if constexpr (std::is_same_v<Body, protocol::TimeEinsum>) {
                m_worker.start(body, EngineState::Timing, id);
            } else if constexpr (std::is_same_v<Body, protocol::Prove>) {
                m_worker.start(body, EngineState::Proving, id);
            } else if constexpr (std::is_same_v<Body, protocol::Inspect>) {
                m_worker.inspect(body, id);
            } else if constexpr (std::is_same_v<Body, protocol::Devices>) {
                list(body, id);
            } else if constexpr (std::is_same_v<Body, protocol::Stop>) {
                m_worker.requestStop();
            } else if constexpr (!std::is_same_v<Body, protocol::Hello>) {
                m_worker.setPaused(std::is_same_v<Body, protocol::Pause>, id);
            }
            return std::nullopt;
        },
        command.body);
}

void EngineSession::list(const protocol::Devices& command, std::int64_t id) {
    const auto send = [this, id] {
        m_writer.send({id, protocol::DeviceList{
                               withLoss(withPyTorch(listDevices(), m_pyTorch.devices()), m_loss.get())}});
    };
    send();
    if (command.python) m_pyTorch.search(*command.python, send);
}

std::optional<int> EngineSession::hello(const protocol::Hello& command, std::int64_t id) {
    if (command.version != protocol::kVersion) {
        m_writer.refuse(id,
                        fmt::format("the window speaks protocol version {}, this engine {}", command.version,
                                    protocol::kVersion),
                        "install the same version of Plumbline on both sides");
        return 2;
    }
    m_greeted = true;
    return std::nullopt;
}

}  // namespace plumb::cli
