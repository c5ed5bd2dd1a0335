// SPDX-License-Identifier: Apache-2.0
#include "app/cli/launcher_process.h"

#include "app/cli/console.h"
#include "app/cli/for_people.h"
#include "core/io/system_error.h"

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <poll.h>
#include <regex>
#include <string_view>
#include <unistd.h>
#include <utility>
#include <vector>

namespace plumb::cli {

namespace {

constexpr int kBetweenLooks = 100;  // ms
constexpr std::size_t kDashes = 20;

/// The words that this process was started with, without --launch.
std::vector<std::string> ownWords() {
    std::ifstream file("/proc/self/cmdline", std::ios::binary);
    std::vector<std::string> words;
    for (std::string word; std::getline(file, word, '\0');) words.push_back(word);
    for (auto word = words.begin(); word != words.end();) {
        const bool isAlone = *word == "--launch";
        if (isAlone || word->starts_with("--launch="))
            word = words.erase(word, word + (isAlone ? std::min<std::ptrdiff_t>(2, words.end() - word) : 1));
        else
            ++word;
    }
    std::error_code problem;
    if (!words.empty()) words.front() = std::filesystem::read_symlink("/proc/self/exe", problem).string();
    return words;
}

std::vector<std::string> commandOf(const std::string& launcher, std::int64_t ranks) {
    std::vector<std::string> command{launcher, "-n", std::to_string(ranks)};
    const auto add = [&](std::initializer_list<const char*> words) {
        command.insert(command.end(), words.begin(), words.end());
    };
    // Open MPI would bind two ranks to one core each, and the traffic's threads with them.
    if (launcher == "mpirun")
        add({"--bind-to", "none", "--oversubscribe"});
    else
        add({"--mpi=pmix", "--input=0", "--output=0", "--kill-on-bad-exit=1"});
    for (std::string& word : ownWords()) command.push_back(std::move(word));
    add({"--launch", "mpi"});
    return command;
}

void prepareEnvironment(const std::string& launcher) {
    if (isatty(STDERR_FILENO) == 1) setenv("PLUMBLINE_PROGRESS", "1", 1);
    if (launcher != "mpirun") return;
    if (geteuid() == 0)
        for (const char* variable : {"OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"})
            setenv(variable, "1", 0);
    // One machine: nothing has to listen to a network, or to say that it has found no fabric.
    setenv("OMPI_MCA_btl", "^uct,openib,ofi,tcp", 0);
}

struct Launcher {
    pid_t process = -1;
    int errors = -1;
};

/// In a group of its own, so that Ctrl-C reaches us alone; it ends with us.
Result<Launcher> startLauncher(std::vector<std::string> command) {
    std::array<int, 2> pipe{-1, -1}, refused{-1, -1};
    if (pipe2(pipe.data(), O_CLOEXEC) != 0 || pipe2(refused.data(), O_CLOEXEC) != 0)
        return Error{ErrorCode::Unavailable, fmt::format("no pipe can be made ({})", systemReason(errno)),
                     "end other programs"};
    std::vector<char*> words;
    words.reserve(command.size() + 1);
    for (std::string& word : command) words.push_back(word.data());
    words.push_back(nullptr);
    const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    const pid_t parent = getpid();
    const pid_t process = fork();
    if (process == 0) {
        setpgid(0, 0);
        prctl(PR_SET_PDEATHSIG, SIGTERM);
        sigset_t none;
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, nullptr);
        dup2(nothing, STDIN_FILENO);
        dup2(standardOutput(), STDOUT_FILENO);
        dup2(pipe[1], STDERR_FILENO);
        if (getppid() == parent) execvp(words.front(), words.data());
        const int reason = errno;
        [[maybe_unused]] const ssize_t told = write(refused[1], &reason, sizeof reason);
        _exit(127);
    }
    for (const int end : {nothing, pipe[1], refused[1]}) close(end);
    int reason = errno;
    const bool isRefused = process < 0 || read(refused[0], &reason, sizeof reason) > 0;
    close(refused[0]);
    if (!isRefused) return Launcher{process, pipe[0]};
    close(pipe[0]);
    if (process > 0) waitpid(process, nullptr, 0);
    return Error{ErrorCode::Unavailable,
                 fmt::format("{:s} cannot be started ({})", command.front(), systemReason(reason)),
                 "install MPI (openmpi-bin), or use --launch threads"};
}

bool isDashes(std::string_view line) {
    return line.size() >= kDashes && line.find_first_not_of('-') == std::string_view::npos;
}

/// Whether a line that begins so may be one of the launcher's or of MPI: "-----", "mpirun: Forwarding signal
/// 10 to job", "[node:1234] Read -1, expected 8192, errno = 3".
bool mayBeOfLauncher(std::string_view line) {
    constexpr std::string_view kName = "mpirun: ";
    return line.starts_with('[') || line.find_first_not_of('-') == std::string_view::npos ||
           line.substr(0, kName.size()) == kName.substr(0, line.size());
}

/// Parts what comes from a launcher: what ranks say goes on at once, and what the launcher and MPI say of
/// them, long texts between lines of dashes for the most part, is kept.
class LauncherTalk {
public:
    /// What of it is of ranks.
    [[nodiscard]] std::string take(std::string_view text);
    /// What the launcher has said, without its dashes.
    [[nodiscard]] const std::string& kept() const { return m_kept; }
    /// Whether a rank has said why it ends.
    [[nodiscard]] bool hasReason() const { return m_hasReason; }

private:
    std::string m_line;      ///< not whole yet
    std::size_t m_told = 0;  ///< letters of it that have gone on
    std::string m_kept;
    bool m_isInside = false, m_hasReason = false;
};

std::string LauncherTalk::take(std::string_view text) {
    std::string ofRanks;
    const auto goOn = [&] {
        ofRanks += std::string_view(m_line).substr(std::exchange(m_told, m_line.size()));
    };
    for (const char letter : text) {
        m_line += letter;
        if (letter != '\n') {
            // What a rank says goes on as soon as it can be nothing else.
            if (!m_isInside && (m_told > 0 || !mayBeOfLauncher(m_line))) goOn();
            continue;
        }
        const std::string_view line = std::string_view(m_line).substr(0, m_line.size() - 1);
        if (isDashes(line))
            m_isInside = !m_isInside;
        else if (m_told == 0 && (m_isInside || mayBeOfLauncher(line)))
            m_kept += m_line;
        else
            goOn();
        m_hasReason = m_hasReason || (m_told > 0 && line.find("plumbline-cli: ") != std::string_view::npos);
        m_line.clear();
        m_told = 0;
    }
    return ofRanks;
}

/// Why ranks ended that did not say it themselves, by what the launcher said. `status`: what it exited with.
Error endOfRanks(const std::string& launcher, const std::string& said, int status) {
    static const std::regex killed(R"(rank (\d+) with PID \d+ on node (\S+) exited on signal (\d+))");
    static const std::regex failed(R"(\[\[\d+,\d+\],(\d+)\]\s+Exit code:\s+(\d+))");
    constexpr const char* kRemedy =
        forPeople("see whether the machine ran out of memory or somebody ended it, and "
                  "start the training again from its last checkpoint");
    std::smatch found;
    if (std::regex_search(said, found, killed))
        return {ErrorCode::RunFailed,
                fmt::format("rank {} on {:s} was ended by signal {}", found[1].str(), found[2].str(),
                            found[3].str()),
                kRemedy};
    if (std::regex_search(said, found, failed))
        return {ErrorCode::RunFailed,
                fmt::format("rank {} has ended without a word (exit {})", found[1].str(), found[2].str()),
                kRemedy};
    std::string first = said.substr(0, said.find("\n\n"));
    for (char& letter : first)
        if (letter == '\n') letter = ' ';
    return {ErrorCode::Unavailable,
            first.empty() ? fmt::format("{:s} has ended without a word (exit {})", launcher, status)
                          : fmt::format("{:s} has not started the ranks ({:s})", launcher, first),
            "see whether it starts other programs, or use --launch threads"};
}

}  // namespace

Result<void> runUnderLauncher(const std::string& launcher, std::int64_t ranks, const std::stop_token& stop) {
    prepareEnvironment(launcher);
    PLUMB_TRY(const Launcher started, startLauncher(commandOf(launcher, ranks)));
    LauncherTalk talk;
    bool isAsked = false;
    for (bool isOpen = true; isOpen;) {
        if (stop.stop_requested() && !std::exchange(isAsked, true))
            kill(started.process, SIGUSR1);  // goes on to the ranks
        pollfd errors{started.errors, POLLIN, 0};
        if (poll(&errors, 1, kBetweenLooks) <= 0) continue;
        std::array<char, 4096> buffer{};
        const ssize_t bytes = read(started.errors, buffer.data(), buffer.size());
        isOpen = bytes > 0 || (bytes < 0 && errno == EINTR);
        if (bytes <= 0) continue;
        const std::string ofRanks = talk.take({buffer.data(), static_cast<std::size_t>(bytes)});
        std::fwrite(ofRanks.data(), 1, ofRanks.size(), stderr);
        std::fflush(stderr);
    }
    close(started.errors);
    int status = 0;
    waitpid(started.process, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    if (talk.hasReason()) std::exit(code);  // NOLINT(concurrency-mt-unsafe): all is said
    return endOfRanks(launcher, talk.kept(), code);
}

}  // namespace plumb::cli
