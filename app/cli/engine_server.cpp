// SPDX-License-Identifier: Apache-2.0
#include "app/cli/engine_server.h"

#include "app/cli/console.h"
#include "app/cli/engine_outlet.h"
#include "app/cli/engine_session.h"
#include "app/cli/engine_writer.h"
#include "app/cli/wake_up.h"
#include "app/cli/write_all.h"
#include "core/base/program_version.h"
#include "core/engine/patience.h"
#include "core/io/file.h"
#include "core/io/file_lock.h"

#include <fmt/format.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <optional>
#include <poll.h>
#include <random>
#include <stop_token>
#include <string>
#include <unistd.h>
#include <utility>

namespace plumb::cli {

namespace {

using protocol::Hello;

constexpr std::chrono::milliseconds kPatienceToEnd(1000);
constexpr int kLookMs = 500;  // how often an engine without a window looks whether it is still needed
constexpr std::size_t kReadBytes = 65536;

/// Hard to guess, so that no window takes one engine for another.
std::string newSession() {
    std::random_device random;
    return fmt::format("{:08x}{:08x}", random(), random());
}

/// The window that is attached, or wants to be.
struct Connection {
    std::shared_ptr<const Descriptor> socket;
    protocol::LineBuffer lines;
    bool greeted = false;
};

class EngineServer {
public:
    EngineServer(const ServerOptions& options, Descriptor listening, const WakeUp& ending)
        : m_options(options),
          m_listening(std::move(listening)),
          m_ending(ending),
          m_outlet(options.journalBytes),
          m_writer(
              [this](const protocol::Event& event) {
                  m_outlet.put(event);
                  return true;
              },
              [] {}),
          m_session(m_writer, [this] { return windowIsGone(); }) {
        m_writer.setUnwatched(true);
        m_session.announceDevices();
    }

    void serve();
    /// False when the process has to end at once, with what still works in it.
    [[nodiscard]] bool end();

private:
    void accept();
    [[nodiscard]] bool listen();  // false after quit
    [[nodiscard]] bool take(const Result<std::string>& line);
    void greet(const Hello& hello);
    void answer(const protocol::Event& event) const;
    void drop();
    [[nodiscard]] bool windowIsGone() const;
    [[nodiscard]] bool isNeeded();

    using Clock = std::chrono::steady_clock;
    const ServerOptions m_options;
    const std::string m_name = newSession();
    Descriptor m_listening;
    const WakeUp& m_ending;
    std::optional<Connection> m_connection;
    std::int64_t m_lastCommand = 0;
    Clock::time_point m_neededAt = Clock::now();
    EngineOutlet m_outlet;
    EngineWriter m_writer;
    EngineSession m_session;
};

void EngineServer::answer(const protocol::Event& event) const {
    // Before the window's events flow nothing waits in its socket: this never blocks.
    [[maybe_unused]] const bool written =
        writeAll(m_connection->socket->get(), protocol::encode(event) + '\n');
}

void EngineServer::drop() {
    m_outlet.detach();
    m_writer.setUnwatched(true);
    m_connection.reset();
    m_neededAt = Clock::now();
}

bool EngineServer::windowIsGone() const {
    // A window that waits to be let in is one whose earlier connection is dead.
    std::array<pollfd, 2> looks{pollfd{m_listening.get(), POLLIN, 0},
                                pollfd{m_connection ? m_connection->socket->get() : -1, 0, 0}};
    if (poll(looks.data(), looks.size(), 0) <= 0) return !m_connection;
    return looks[0].revents != 0 || (looks[1].revents & (POLLHUP | POLLERR)) != 0;
}

bool EngineServer::isNeeded() {
    if (m_connection || !m_session.isIdle()) m_neededAt = Clock::now();
    return Clock::now() - m_neededAt < m_options.linger;
}

void EngineServer::accept() {
    Descriptor accepted(::accept4(m_listening.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (!accepted.isOpen()) return;
    if (m_connection) {
        m_outlet.detach();
        // It may read nothing any more, which must not hold up the one that does.
        const std::string line = protocol::encode(protocol::Event{0, protocol::TakenOver{}}) + '\n';
        [[maybe_unused]] const ssize_t sent =
            ::send(m_connection->socket->get(), line.data(), line.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
        drop();
    }
    m_connection.emplace(Connection{std::make_shared<const Descriptor>(std::move(accepted)),
                                    protocol::LineBuffer(m_options.maxLine), false});
    answer({0, Hello{protocol::kVersion, programVersion(), m_name, 0, m_lastCommand}});
}

void EngineServer::greet(const Hello& hello) {
    m_connection->greeted = true;
    m_writer.setUnwatched(false);
    const bool returns = hello.session == m_name;
    m_outlet.attach(m_connection->socket, returns ? std::optional(hello.after) : std::nullopt);
}

bool EngineServer::take(const Result<std::string>& line) {
    const auto command = line.has_value() ? protocol::parseCommand(*line) : line.error();
    if (command.has_value()) {
        if (const auto* hello = std::get_if<Hello>(&command->body)) {
            greet(*hello);
        } else if (m_connection->greeted) {
            if (std::holds_alternative<protocol::Quit>(command->body)) return false;
            // A window that comes back sends again what it does not know to have arrived.
            if (command->id > 0 && command->id <= m_lastCommand) return true;
            m_lastCommand = std::max(m_lastCommand, command->id);
        }
    }
    if (!m_connection->greeted) {
        const std::int64_t id = line.has_value() ? protocol::headingOf(*line).id : 0;
        answer({id, protocol::ErrorEvent{command.has_value() ? badInput("the first message must be hello",
                                                                        "send the protocol version first")
                                                             : command.error()}});
        drop();  // a window of another version ends nothing of the one before it
        return true;
    }
    if (m_session.handle(line).has_value()) drop();
    return true;
}

bool EngineServer::listen() {
    std::array<char, kReadBytes> bytes{};
    const ssize_t count = ::read(m_connection->socket->get(), bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) return true;
    if (count <= 0) {
        drop();
        return true;
    }
    const auto lines = m_connection->lines.add({bytes.data(), static_cast<std::size_t>(count)});
    for (const auto& line : lines) {
        if (!m_connection) break;
        if (!take(line)) return false;
    }
    return true;
}

void EngineServer::serve() {
    while (isNeeded()) {
        std::array<pollfd, 3> inputs{pollfd{m_ending.descriptor(), POLLIN, 0},
                                     pollfd{m_connection ? m_connection->socket->get() : -1, POLLIN, 0},
                                     pollfd{m_listening.get(), POLLIN, 0}};
        const int timeout = m_connection ? -1 : kLookMs;
        if (poll(inputs.data(), inputs.size(), timeout) < 0 && errno != EINTR) return;
        if (inputs[0].revents != 0) return;
        if (inputs[1].revents != 0 && !listen()) return;
        if (inputs[2].revents != 0) accept();
    }
}

bool EngineServer::end() {
    m_listening.close();
    const bool stopped = m_session.stop(kPatienceToEnd, protocol::kPatienceToSave);
    const bool written = m_writer.close(kPatienceToEnd);
    [[maybe_unused]] const bool read = m_outlet.drain(kPatienceToEnd);
    return stopped && written;
}

}  // namespace

Result<void> serveEngine(const EnginePlace& place, const ServerOptions& options,
                         const std::function<void()>& ready) {
    PLUMB_TRY(const std::optional<FileLock> lock, FileLock::tryAcquire(place.lock()));
    if (!lock)
        return Error{ErrorCode::RunFailed, fmt::format("another engine runs in {:s}", place.folder()),
                     "attach to it with --attach, or choose another folder"};
    PLUMB_CHECK(writeFileAtomically(place.process(), std::to_string(::getpid())));
    PLUMB_TRY(Descriptor listening, place.listen());
    signal(SIGPIPE, SIG_IGN);
    const WakeUp ending;
    const Interrupt interrupt;
    const std::stop_callback onSignal(interrupt.token(), [&ending] { ending.cause(); });
    EngineServer server(options, std::move(listening), ending);
    ready();
    server.serve();
    ::unlink(place.socket().c_str());
    if (!server.end()) std::_Exit(0);
    return {};
}

}  // namespace plumb::cli
