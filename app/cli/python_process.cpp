// SPDX-License-Identifier: Apache-2.0
#include "app/cli/python_process.h"

#include "core/base/program_version.h"
#include "core/io/system_error.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <string_view>
#include <thread>
#include <unistd.h>
#include <utility>

extern char** environ;  // NOLINT(readability-redundant-declaration): POSIX has it in no header

namespace plumb::cli {

namespace {

using namespace std::chrono_literals;

constexpr std::size_t kMostLastWords = 4000;
constexpr auto kPatienceToEnd = 300ms;  // it has nothing to save

/// Both ends of a pipe, closed when nobody took them.
struct Pipe {
    Pipe() {
        if (pipe2(ends.data(), O_CLOEXEC) != 0) ends = {-1, -1};
    }
    ~Pipe() {
        for (const int end : ends)
            if (end >= 0) close(end);
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;
    [[nodiscard]] int take(std::size_t which) { return std::exchange(ends.at(which), -1); }
    std::array<int, 2> ends{-1, -1};
};

/// Without what this program tells its own threads (see main.cpp): PyTorch runs as it does by itself. Modules
/// are not looked for in the folder that the engine happens to run in.
std::vector<char*> environmentOfPython() {
    static std::string safePath = "PYTHONSAFEPATH=1";
    std::vector<char*> variables;
    for (char** variable = environ; *variable != nullptr; ++variable)
        if (std::string_view(*variable) != "GOMP_SPINCOUNT=3000") variables.push_back(*variable);
    variables.push_back(safePath.data());
    variables.push_back(nullptr);
    return variables;
}

std::string lastLineOf(std::string_view text) {
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r' || text.back() == ' '))
        text.remove_suffix(1);
    return std::string(text.substr(text.rfind('\n') + 1));
}

}  // namespace

Result<PythonProcess> PythonProcess::start(const std::string& python) {
    Pipe input, output, errors;
    posix_spawn_file_actions_t actions{};
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input.ends[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output.ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, errors.ends[1], STDERR_FILENO);
    std::array<std::string, 4> words{python, "-m", "plumbline", "engine"};
    std::array<char*, 5> arguments{words[0].data(), words[1].data(), words[2].data(), words[3].data(),
                                   nullptr};
    std::vector<char*> environment = environmentOfPython();
    PythonProcess process;
    const int failure = posix_spawnp(&process.m_process, python.c_str(), &actions, nullptr, arguments.data(),
                                     environment.data());
    posix_spawn_file_actions_destroy(&actions);
    if (failure != 0) {
        process.m_process = -1;
        return Error{ErrorCode::Unavailable,
                     fmt::format("the PyTorch interpreter cannot be started ({:s}: {})", python,
                                 systemReason(failure)),
                     "choose one with Run, PyTorch interpreter, or by PLUMBLINE_PYTHON"};
    }
    process.m_input = input.take(1);
    process.m_output = output.take(0);
    process.m_errors = errors.take(0);
    return process;
}

PythonProcess& PythonProcess::operator=(PythonProcess&& other) noexcept {
    if (this == &other) return *this;
    end();
    m_process = std::exchange(other.m_process, -1);
    m_input = std::exchange(other.m_input, -1);
    m_output = std::exchange(other.m_output, -1);
    m_errors = std::exchange(other.m_errors, -1);
    m_lines = std::move(other.m_lines);
    m_said = std::move(other.m_said);
    m_lastWords = std::move(other.m_lastWords);
    return *this;
}

void PythonProcess::end() {
    for (int* descriptor : {&m_input, &m_output, &m_errors})
        if (const int open = std::exchange(*descriptor, -1); open >= 0) close(open);
    if (m_process < 0) return;
    const pid_t process = std::exchange(m_process, -1);
    const auto deadline = std::chrono::steady_clock::now() + kPatienceToEnd;
    while (waitpid(process, nullptr, WNOHANG) == 0) {
        if (std::chrono::steady_clock::now() > deadline) {
            kill(process, SIGKILL);
            waitpid(process, nullptr, 0);
            return;
        }
        std::this_thread::sleep_for(10ms);
    }
}

Error PythonProcess::ended(const std::string& what) const {
    const std::string last = lastLineOf(m_lastWords);
    return {ErrorCode::RunFailed, last.empty() ? what : what + " (" + last + ")",
            "try it by hand: python3 -m plumbline engine"};
}

Result<std::vector<protocol::DeviceEntry>> PythonProcess::greet(std::chrono::seconds patience,
                                                                const std::stop_token& stop) {
    const auto unavailable = [](Error error) {
        error.code = ErrorCode::Unavailable;
        error.hint = "install torch, numpy and Plumbline for Python there (pip install ./python), or choose "
                     "another interpreter";
        return error;
    };
    const auto said = send({0, protocol::Hello{protocol::kVersion, programVersion()}});
    const auto deadline = std::chrono::steady_clock::now() + patience;
    while (!stop.stop_requested()) {
        auto event = next(100ms);
        if (!event.has_value()) return unavailable(event.error());
        if (!said.has_value()) return unavailable(said.error());
        if (*event)
            if (auto* list = std::get_if<protocol::DeviceList>(&(*event)->body))
                return std::move(list->devices);
        if (std::chrono::steady_clock::now() > deadline)
            return unavailable(
                ended(fmt::format("the PyTorch interpreter has not answered within {} s", patience.count())));
    }
    return Error{ErrorCode::RunFailed, "the start of PyTorch was stopped", "start it again"};
}

Result<void> PythonProcess::send(const protocol::Command& command) {
    const std::string line = protocol::encode(command) + "\n";
    for (std::size_t done = 0; done < line.size();) {
        const ssize_t count = write(m_input, line.data() + done, line.size() - done);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return ended("the PyTorch engine ended");
        done += static_cast<std::size_t>(count);
    }
    return {};
}

bool PythonProcess::listen(std::chrono::milliseconds patience) {
    std::array<pollfd, 2> sources{pollfd{m_output, POLLIN, 0}, pollfd{m_errors, POLLIN, 0}};
    if (poll(sources.data(), sources.size(), static_cast<int>(patience.count())) <= 0) return true;
    std::array<char, 65536> bytes{};
    if (sources[1].revents != 0) {
        const ssize_t count = read(m_errors, bytes.data(), bytes.size());
        if (count > 0) m_lastWords.append(bytes.data(), static_cast<std::size_t>(count));
        if (m_lastWords.size() > kMostLastWords) m_lastWords.erase(0, m_lastWords.size() - kMostLastWords);
        if (count == 0) {
            close(m_errors);
            m_errors = -1;
        }
    }
    if (sources[0].revents == 0) return true;
    const ssize_t count = read(m_output, bytes.data(), bytes.size());
    if (count < 0) return errno == EINTR;
    if (count == 0) return false;
    for (auto& line : m_lines.add({bytes.data(), static_cast<std::size_t>(count)}))
        m_said.push_back(std::move(line));
    return true;
}

Result<std::optional<protocol::Event>> PythonProcess::next(std::chrono::milliseconds patience) {
    if (m_said.empty() && !listen(patience)) {
        while (m_errors >= 0 && listen(0ms) && m_errors >= 0) {  // its last words may come after its end
            pollfd errors{m_errors, POLLIN, 0};
            if (poll(&errors, 1, 200) <= 0) break;
        }
        return ended("the PyTorch engine ended");
    }
    if (m_said.empty()) return std::optional<protocol::Event>();
    const Result<std::string> line = std::move(m_said.front());
    m_said.pop_front();
    if (!line.has_value()) return line.error();
    auto event = protocol::parseEvent(*line);
    if (!event.has_value())
        return Error{ErrorCode::RunFailed,
                     fmt::format("the PyTorch engine said what no engine says: {}", event.error().message),
                     "install the same Plumbline for Python: pip install ./python"};
    return std::optional(std::move(event).value());
}

}  // namespace plumb::cli
