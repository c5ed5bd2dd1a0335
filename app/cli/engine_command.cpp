// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/engine_place.h"
#include "app/cli/engine_relay.h"
#include "app/cli/engine_server.h"
#include "app/cli/engine_session.h"
#include "app/cli/engine_writer.h"
#include "app/cli/wake_up.h"
#include "app/cli/write_all.h"
#include "core/engine/patience.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <poll.h>
#include <stop_token>
#include <unistd.h>

namespace plumb::cli {

namespace {

constexpr std::chrono::milliseconds kPatience(1000);  // for an op to end and for the reader to take the rest
constexpr std::chrono::milliseconds kLeastPatience(250);  // for the reader, when the step took all of that

constexpr std::int64_t kJournalBytes = std::int64_t{64} << 20U;  // an hour of a training that nobody watches
constexpr std::int64_t kLingerSeconds = 3600;
constexpr std::int64_t kPatienceSeconds = 3;

/// Whether nobody can write commands any more, although some that were written may not have been read yet.
bool inputIsClosed() {
    pollfd input{STDIN_FILENO, 0, 0};
    return poll(&input, 1, 0) > 0 && (input.revents & (POLLHUP | POLLERR | POLLNVAL)) != 0;
}

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

Result<std::size_t> maxLineOf(const Arguments& arguments) {
    PLUMB_TRY(const std::int64_t maxLine,
              arguments.countOr("max-line", 64, static_cast<std::int64_t>(protocol::kMaxLineBytes)));
    return static_cast<std::size_t>(maxLine);
}

Result<void> serve(const Arguments& arguments, const EnginePlace& place) {
    PLUMB_TRY(const std::size_t maxLine, maxLineOf(arguments));
    PLUMB_TRY(const std::int64_t journal, arguments.countOr("journal", 1, kJournalBytes));
    PLUMB_TRY(const std::int64_t linger, arguments.countOr("linger", 0, kLingerSeconds));
    const auto ready = [] {
        // Whoever started it in the background waits for this.
        [[maybe_unused]] const bool told = writeAll(standardOutput(), "\n");
        ::close(standardOutput());
    };
    return serveEngine(place, {maxLine, static_cast<std::size_t>(journal), std::chrono::seconds(linger)},
                       ready);
}

Result<void> attach(const Arguments& arguments, const EnginePlace& place) {
    PLUMB_TRY(const std::int64_t patience, arguments.countOr("patience", 0, kPatienceSeconds));
    if (arguments.has("end") || arguments.has("anew"))
        PLUMB_CHECK(endEngine(place, std::chrono::seconds(patience)));
    if (arguments.has("end")) return {};
    return attachToEngine(place);
}

Result<void> runEngine(const Arguments& arguments) {
    const bool outlives = arguments.has("serve") || arguments.has("attach") || arguments.has("end");
    if (outlives) {
        PLUMB_TRY(const EnginePlace place, EnginePlace::open(arguments.text("folder")));
        return arguments.has("serve") ? serve(arguments, place) : attach(arguments, place);
    }
    PLUMB_TRY(const std::size_t maxLine, maxLineOf(arguments));
    signal(SIGPIPE, SIG_IGN);  // a window that goes away is an end, not a crash
    const WakeUp ending;
    const Interrupt interrupt;  // a training that is asked to end saves its last state, wherever it runs
    const std::stop_callback onSignal(interrupt.token(), [&ending] { ending.cause(); });
    EngineWriter writer(standardOutput(), [&ending] { ending.cause(); });
    EngineSession session(writer, [&] { return interrupt.token().stop_requested() || inputIsClosed(); });
    session.announce();
    const int code = converse(session, maxLine, ending);
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
                       .options = {{"attach", "",
                                    "stdin and stdout of an engine that goes on when they end; "
                                    "it is started where none runs"},
                                   {"serve", "", "be that engine: its windows come through a socket"},
                                   {"end", "", "end that engine"},
                                   {"folder", "FOLDER", "of that engine's socket; one a host by default"},
                                   {"anew", "", "with --attach: end the engine that runs, start another"},
                                   {"patience", "SECONDS", "until one that does not end is killed (3)"},
                                   {"linger", "SECONDS", "without work and window until --serve ends (3600)"},
                                   {"journal", "BYTES", "of events for a window that comes back (64 MiB)"},
                                   {"max-line", "BYTES", "longest line that is taken", true}},
                       .run = runEngine};
}

}  // namespace plumb::cli
