// SPDX-License-Identifier: Apache-2.0
#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/rank_launch.h"
#include "core/base/environment_language.h"
#include "core/base/words.h"

#include <fmt/format.h>

#include <csignal>
#include <cstdlib>
#include <exception>
#include <new>
#include <string_view>
#include <unistd.h>
#include <vector>

namespace plumb::cli {

namespace {

Result<void> runMain(int argc, const char* const* argv) {
    const std::vector<CommandSpec> commands = allCommands();
    PLUMB_TRY(const Invocation invocation, parseCommandLine(argc, argv, commands));
    if (invocation.command == nullptr) return print(invocation.text);
    return invocation.command->run(invocation.arguments);
}

/// Starts this program once more with libgomp told to wait briefly and then sleep, unless the user chose a
/// wait policy. By default a thread that waits for its turn burns its core; where the cores are shared (the
/// window draws beside its engine) a step of D = 256 then takes 16 times as long. These turns are about 0.1
/// ms, longer than most ops that have work for one thread alone: waking a thread that sleeps costs 30 to 70
/// us. libgomp reads the variable while it is loaded, before main(), so it cannot be set in time for this
/// very process.
void waitWithoutBurningCores(char** argv) {
    if (getenv("OMP_WAIT_POLICY") != nullptr || getenv("GOMP_SPINCOUNT") != nullptr) return;
    if (setenv("GOMP_SPINCOUNT", "3000", 0) == 0) execv("/proc/self/exe", argv);
    // Here only when that failed (no /proc): slower on shared cores, and nothing else.
}

/// Help and errors are in the language of --language, else of the environment; what is written for programs
/// to read, reports and numbers among it, is the same everywhere.
void chooseLanguage(int argc, const char* const* argv) {
    std::string_view wanted = languageOfEnvironment();
    constexpr std::string_view kOption = "--language";
    for (int i = 1; i < argc; ++i) {
        const std::string_view argument = argv[i];
        std::string_view asked;
        if (argument == kOption && i + 1 < argc) asked = argv[i + 1];
        if (argument.starts_with(kOption) && argument.substr(kOption.size()).starts_with('='))
            asked = argument.substr(kOption.size() + 1);
        if (isLanguage(asked)) wanted = asked;  // else it is refused, in a language that is spoken
    }
    setWordsLanguage(wanted.substr(0, wanted.find_first_of(".@")));
}

}  // namespace

std::vector<CommandSpec> allCommands() {
    return {devicesCommand(),   predictCommand(),   profileCommand(),         proveCommand(),
            trainCommand(),     calibrateCommand(), checkPredictionCommand(), openCommand(),
            exportCommand(),    dtypeCommand(),     countersCommand(),        einsumCommand(),
            tensorCommand(),    planCommand(),      engineCommand(),          compareCommand(),
            checkCommand(),     importCommand(),    deviceCommand(),          findingsCommand(),
            thumbnailCommand(), interfaceCommand()};
}

}  // namespace plumb::cli

int main(int argc, char** argv) {
    using namespace plumb;
    cli::waitWithoutBurningCores(argv);
    signal(SIGXFSZ, SIG_IGN);  // a file-size limit then is a write error with a sentence, not a signal
    cli::claimStandardOutput();
    cli::chooseLanguage(argc, argv);
    Error error;
    try {
        const Result<void> result = cli::runMain(argc, argv);
        if (result.has_value()) return 0;
        error = result.error();
    } catch (const std::bad_alloc&) {
        error = {ErrorCode::OutOfMemory, "this machine has no memory left", "lower batch, dim or layers"};
    } catch (const std::exception& exception) {
        error = {ErrorCode::Internal, fmt::format("internal error ({})", exception.what()),
                 "please report it with the command line"};
    }
    cli::letFirstRankSpeak(error);
    cli::printError(error, {argv, static_cast<std::size_t>(argc)});
    return cli::exitCode(error.code);
}
