// SPDX-License-Identifier: Apache-2.0
#include "app/cli/console.h"

#include "core/base/plain_text.h"
#include "core/base/sentence.h"
#include "core/base/words.h"
#include "core/io/system_error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>
#include <vector>

namespace plumb::cli {

namespace {

constexpr std::size_t kMostMessage = 2000;  // characters of an error that quotes a file

int g_standardOutput = STDOUT_FILENO;  // set once in claimStandardOutput(), before any thread exists

sigset_t stopSignals() {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGUSR1);  // what mpirun hands on to the ranks of a training
    struct sigaction hangUp {};
    if (sigaction(SIGHUP, nullptr, &hangUp) == 0 && hangUp.sa_handler != SIG_IGN) sigaddset(&set, SIGHUP);
    return set;
}

}  // namespace

void claimStandardOutput() {
    const int copy = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    if (copy < 0) return;  // stdout is closed: print() will say so
    if (dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
        close(copy);
        return;
    }
    g_standardOutput = copy;
}

int standardOutput() { return g_standardOutput; }

Result<void> print(std::string_view given) {
    const std::string plain = plainText(given);
    std::string_view text = plain;
    while (!text.empty()) {
        const ssize_t written = write(g_standardOutput, text.data(), text.size());
        if (written < 0) {
            if (errno == EINTR) continue;
            return Error{ErrorCode::Io,
                         fmt::format("cannot write to standard output ({})", systemReason(errno)),
                         "free space there or send it elsewhere"};
        }
        text.remove_prefix(static_cast<std::size_t>(written));
    }
    return {};
}

void printError(const Error& error, std::span<const char* const> arguments) {
    std::vector<std::string_view> names;
    for (const char* const argument : arguments) {
        std::string_view word = argument;
        word.remove_prefix(std::min(word.find_first_not_of('-'), word.size()));
        names.push_back(word.substr(0, word.find('=')));
        names.push_back(word.substr(word.find('=') + 1));
    }
    const std::string sentence = asSentence(inWords(error.text()), names);
    std::fprintf(stderr, "plumbline-cli: %s\n", plainLine(sentence, kMostMessage).c_str());
}

int exitCode(ErrorCode code) {
    switch (code) {
    case ErrorCode::RunFailed:
    case ErrorCode::DeviceLost:
    case ErrorCode::Internal:
        return 1;
    case ErrorCode::BadInput:
    case ErrorCode::Io:
        return 2;
    case ErrorCode::Unavailable:
        return 3;
    case ErrorCode::OutOfMemory:
        return 4;
    }
    return 1;
}

ProgressLine::ProgressLine()
    : m_isTerminal(isatty(STDERR_FILENO) == 1 || getenv("PLUMBLINE_PROGRESS") != nullptr),
      m_next(std::chrono::steady_clock::now()) {}

bool ProgressLine::due() const { return m_isTerminal && std::chrono::steady_clock::now() >= m_next; }

void ProgressLine::show(std::string_view text) {
    if (!due()) return;
    std::fprintf(stderr, "\r\033[K%s", plainLine(inWords(text)).c_str());
    std::fflush(stderr);
    m_shown = true;
    m_next = std::chrono::steady_clock::now() + std::chrono::milliseconds(100);
}

void ProgressLine::clear() {
    if (!m_shown) return;
    std::fputs("\r\033[K", stderr);
    std::fflush(stderr);
    m_shown = false;
}

Interrupt::Interrupt() : m_signals(stopSignals()) {
    pthread_sigmask(SIG_BLOCK, &m_signals, nullptr);
    m_waiter = std::thread([this] {
        for (int insisted = 0;;) {
            int signal = 0;
            if (sigwait(&m_signals, &signal) != 0 || m_done.load()) return;
            if (signal != SIGHUP && ++insisted > 1) std::_Exit(128 + signal);
            m_stop.request_stop();
        }
    });
}

Interrupt::~Interrupt() {
    m_done.store(true);
    // Wakes sigwait(); blocked everywhere else, so it ends nothing.
    pthread_kill(m_waiter.native_handle(), SIGTERM);  // NOLINT(bugprone-bad-signal-to-kill-thread)
    m_waiter.join();
    pthread_sigmask(SIG_UNBLOCK, &m_signals, nullptr);
}

}  // namespace plumb::cli
