// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/engine_session.h"
#include "app/cli/engine_writer.h"
#include "core/engine/patience.h"

#include <sys/eventfd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <poll.h>
#include <stop_token>
#include <unistd.h>

namespace plumb::cli {

namespace {

constexpr std::chrono::milliseconds kPatience(1000);  // for an op to end and for the reader to take the rest
constexpr std::chrono::milliseconds kLeastPatience(250);  // for the reader, when the step took all of that

/// Whether nobody can write commands any more, although some that were written may not have been read yet.
bool inputIsClosed() {
    pollfd input{STDIN_FILENO, 0, 0};
    return poll(&input, 1, 0) > 0 && (input.revents & (POLLHUP | POLLERR | POLLNVAL)) != 0;
}

/// An event that any thread may cause and poll() waits for.
class WakeUp {
public:
    WakeUp() : m_descriptor(eventfd(0, EFD_CLOEXEC)) {}
    ~WakeUp() { close(m_descriptor); }
    WakeUp(const WakeUp&) = delete;
    WakeUp& operator=(const WakeUp&) = delete;
    void cause() const {
        const std::uint64_t one = 1;
        [[maybe_unused]] const ssize_t written = write(m_descriptor, &one, sizeof one);
    }
    [[nodiscard]] int descriptor() const { return m_descriptor; }

private:
    const int m_descriptor;
};

/// Reads commands until the window says quit, goes away or speaks another version, or `ending` is caused;
/// returns the exit code.
int converse(EngineSession& session, std::size_t maxLine, const WakeUp& ending) {
    protocol::LineBuffer lines(maxLine);
    std::array<char, 65536> bytes{};
    std::array<pollfd, 2> inputs{pollfd{STDIN_FILENO, POLLIN, 0}, pollfd{ending.descriptor(), POLLIN, 0}};
    for (;;) {
        if (poll(inputs.data(), inputs.size(), -1) < 0 && errno != EINTR) return 0;
        if (inputs[1].revents != 0) return 0;
        if (inputs[0].revents == 0) continue;
        const ssize_t count = read(STDIN_FILENO, bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) break;
        for (const auto& line : lines.add({bytes.data(), static_cast<std::size_t>(count)}))
            if (const auto code = session.handle(line)) return *code;
    }
    const auto end = lines.finish();
    if (!end.has_value()) session.report(end.error());
    return 0;
}

Result<void> runEngine(const Arguments& arguments) {
    PLUMB_TRY(const std::int64_t maxLine,
              arguments.countOr("max-line", 64, static_cast<std::int64_t>(protocol::kMaxLineBytes)));
    signal(SIGPIPE, SIG_IGN);  // a window that goes away is an end, not a crash
    const WakeUp ending;
    const Interrupt interrupt;  // a training that is asked to end saves its last state, wherever it runs
    const std::stop_callback onSignal(interrupt.token(), [&ending] { ending.cause(); });
    EngineWriter writer(standardOutput(), [&ending] { ending.cause(); });
    EngineSession session(writer, [&] { return interrupt.token().stop_requested() || inputIsClosed(); });
    const int code = converse(session, static_cast<std::size_t>(maxLine), ending);
    // An op can take minutes and a reader can hang: neither may keep an engine without a window alive.
    using Clock = std::chrono::steady_clock;
    const Clock::time_point deadline = Clock::now() + kPatience;
    const bool stopped = session.stop(kPatience, protocol::kPatienceToSave);
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
    const bool written = writer.close(std::max(left, kLeastPatience));
    if (code != 0 || !stopped || !written) std::_Exit(code);
    return {};
}

}  // namespace

CommandSpec engineCommand() {
    return CommandSpec{.name = "engine",
                       .help = "speaks the engine protocol on stdin and stdout",
                       .takesJson = false,
                       .options = {{"max-line", "BYTES", "longest line that is taken", true}},
                       .run = runEngine};
}

}  // namespace plumb::cli
