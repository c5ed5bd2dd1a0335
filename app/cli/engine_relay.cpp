// SPDX-License-Identifier: Apache-2.0
#include "app/cli/engine_relay.h"

#include "app/cli/console.h"
#include "app/cli/for_people.h"
#include "app/cli/write_all.h"
#include "core/base/ascii.h"
#include "core/base/plain_text.h"
#include "core/io/file.h"
#include "core/io/file_lock.h"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <unistd.h>
#include <utility>

namespace plumb::cli {

namespace {

constexpr std::size_t kRelayBytes = 65536;
constexpr std::chrono::milliseconds kBetweenLooks(20);
constexpr int kNotStarted = 127;
constexpr std::size_t kLogBytes = 2000;

/// Becomes the engine, in a session of its own, so that nothing that ends the connection reaches it. Between
/// fork() and exec() in a process of one thread.
[[noreturn]] void becomeEngine(const EnginePlace& place, int ready) {
    ::setsid();
    if (const pid_t child = ::fork(); child != 0) ::_exit(child < 0 ? kNotStarted : 0);
    const int nothing = ::open("/dev/null", O_RDWR);
    const int log = ::open(place.log().c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0600);
    if (nothing < 0 || log < 0) ::_exit(kNotStarted);
    ::dup2(nothing, STDIN_FILENO);
    ::dup2(ready, STDOUT_FILENO);  // closed by the engine when it listens
    ::dup2(log, STDERR_FILENO);
    ::execl("/proc/self/exe", "plumbline-cli", "engine", "--serve", "--folder", place.folder().c_str(),
            static_cast<char*>(nullptr));
    ::_exit(kNotStarted);
}

/// What the engine that did not start has said.
Error notStarted(const EnginePlace& place) {
    const auto said = readFileStart(place.log(), kLogBytes);
    constexpr std::string_view kProgram = "plumbline-cli: ";
    std::string reason = said.has_value() ? plainLine(trimmed(*said)) : std::string();
    if (reason.starts_with(kProgram)) reason.erase(0, kProgram.size());
    for (const std::string_view stop : {".", "\u3002"})
        if (reason.ends_with(stop)) reason.resize(reason.size() - stop.size());
    if (reason.empty()) reason = forPeople("it said nothing");
    return {ErrorCode::RunFailed, fmt::format("the engine did not start ({})", reason),
            "run plumbline-cli engine --serve by hand to see why"};
}

/// Starts an engine and waits until it listens or has ended.
Result<void> startEngine(const EnginePlace& place) {
    std::array<int, 2> ends{-1, -1};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return systemError("open a pipe to", place.folder(), errno);
    const Descriptor heard(ends[0]);
    Descriptor ready(ends[1]);
    const pid_t child = ::fork();
    if (child == 0) becomeEngine(place, ready.get());
    ready.close();
    if (child < 0) return systemError("start an engine in", place.folder(), errno);
    while (::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
    }
    // One byte when it listens; the end of the pipe without one when it has ended.
    char byte = 0;
    ssize_t count = 0;
    do {
        count = ::read(heard.get(), &byte, 1);
    } while (count < 0 && errno == EINTR);
    if (count == 1) return {};
    return notStarted(place);
}

Result<Descriptor> connectOrStart(const EnginePlace& place) {
    // Of two that start an engine at once one is refused, and finds that of the other.
    std::optional<Error> problem;
    for (int attempt = 0; attempt < 2; ++attempt) {
        PLUMB_TRY(std::optional<Descriptor> connection, place.connect());
        if (connection) return std::move(*connection);
        const Result<void> started = startEngine(place);
        problem = started.has_value() ? notStarted(place) : started.error();
    }
    PLUMB_TRY(std::optional<Descriptor> connection, place.connect());
    if (connection) return std::move(*connection);
    return *problem;
}

/// The engine that has the place; 0 in the moment before it has said so. Pre: somebody holds the lock.
pid_t processOf(const EnginePlace& place) {
    const auto text = readFileStart(place.process(), kLogBytes);
    pid_t process = 0;
    if (text.has_value()) std::from_chars(text->data(), text->data() + text->size(), process);
    // What one that was killed has left may be the number of another program by now.
    const auto words = readFileStart("/proc/" + std::to_string(process) + "/cmdline", kLogBytes);
    return words.has_value() && words->find("--serve") != std::string::npos ? process : 0;
}

void copyAll(int from, int to) {
    std::array<char, kRelayBytes> bytes{};
    for (;;) {
        const ssize_t count = ::read(from, bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0 || !writeAll(to, {bytes.data(), static_cast<std::size_t>(count)})) return;
    }
}

}  // namespace

Result<void> attachToEngine(const EnginePlace& place) {
    PLUMB_TRY(const Descriptor connection, connectOrStart(place));
    signal(SIGPIPE, SIG_IGN);
    std::thread([in = STDIN_FILENO, socket = connection.get()] {
        copyAll(in, socket);
        // The window has gone; what the engine still says is heard by nobody.
        std::_Exit(0);
    }).detach();
    copyAll(connection.get(), standardOutput());
    std::_Exit(0);  // the thread above may wait for the window for ever
}

Result<void> endEngine(const EnginePlace& place, std::chrono::milliseconds patience) {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point deadline = Clock::now() + patience;
    pid_t asked = 0;
    for (bool killed = false;;) {
        // The engine holds the lock for as long as it lives.
        PLUMB_TRY(const std::optional<FileLock> lock, FileLock::tryAcquire(place.lock()));
        if (lock) return {};
        const pid_t process = processOf(place);
        if (process > 0 && process != asked) {
            ::kill(process, SIGTERM);
            asked = process;
        } else if (process > 0 && !killed && Clock::now() >= deadline) {
            ::kill(process, SIGKILL);
            killed = true;
        }
        std::this_thread::sleep_for(kBetweenLooks);
    }
}

}  // namespace plumb::cli
