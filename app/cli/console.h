// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

#include <atomic>
#include <chrono>
#include <csignal>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>

namespace plumb::cli {

/// Keeps stdout for ourselves: what a library prints to file descriptor 1 goes to stderr from now on (oneDNN
/// does, with DNNL_VERBOSE), so that a document or a protocol line is never torn. Call once, first.
void claimStandardOutput();
/// The real standard output after claimStandardOutput().
[[nodiscard]] int standardOutput();

/// Writes all of `text` to the real standard output, as plainText(): files may say what they like, and the
/// terminal does nothing that they ask for. Errors: Io with the system's reason.
[[nodiscard]] Result<void> print(std::string_view text);

/// `plumbline-cli: What (VALUE): remedy.` on stderr, in one line of 2000 characters at most. A word of the
/// command line that begins the sentence stays as it was typed (asSentence()): a file, a setting, a command.
void printError(const Error& error, std::span<const char* const> arguments = {});
[[nodiscard]] int exitCode(ErrorCode code);

/// One line on stderr that is written over, at most ten times a second, and only on a terminal.
class ProgressLine {
public:
    ProgressLine();
    ~ProgressLine() { clear(); }
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    /// True when show() would print: lets the caller save the work of making the text.
    [[nodiscard]] bool due() const;
    void show(std::string_view text);
    void clear();

private:
    bool m_isTerminal;
    bool m_shown = false;
    std::chrono::steady_clock::time_point m_next;
};

/// Turns the first Ctrl-C (or SIGTERM) into a stop request; a second one ends the program at once. So does
/// SIGHUP, unless it is ignored (nohup), but it never ends the program: when a terminal goes away, the system
/// and the shell both send it, and a service manager sends it right after SIGTERM.
/// Construct before other threads start, so that they inherit the blocked signals.
class Interrupt {
public:
    Interrupt();
    ~Interrupt();
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;
    [[nodiscard]] std::stop_token token() const { return m_stop.get_token(); }

private:
    std::stop_source m_stop;
    sigset_t m_signals;
    std::atomic<bool> m_done{false};
    std::thread m_waiter;
};

}  // namespace plumb::cli
