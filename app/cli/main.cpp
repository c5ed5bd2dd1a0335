// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands.h"
#include "app/cli/console.h"

#include <exception>
#include <new>
#include <signal.h>
#include <vector>

namespace plumb::cli {

namespace {

Result<void> runMain(int argc, const char* const* argv) {
    const std::vector<CommandSpec> commands{devicesCommand(), predictCommand(),   profileCommand(),
                                            trainCommand(),   calibrateCommand(), exportCommand(),
                                            engineCommand()};
    PLUMB_TRY(const Invocation invocation, parseCommandLine(argc, argv, commands));
    if (invocation.command == nullptr) return print(invocation.text);
    return invocation.command->run(invocation.arguments);
}

}  // namespace

}  // namespace plumb::cli

int main(int argc, char** argv) {
    using namespace plumb;
    signal(SIGXFSZ, SIG_IGN);  // a file-size limit then is a write error with a sentence, not a signal
    cli::claimStandardOutput();
    Error error;
    try {
        const Result<void> result = cli::runMain(argc, argv);
        if (result.has_value()) return 0;
        error = result.error();
    } catch (const std::bad_alloc&) {
        error = {ErrorCode::OutOfMemory, "this machine has no memory left", "lower batch, dim or layers"};
    } catch (const std::exception& exception) {
        error = {ErrorCode::Internal, std::string("internal error (") + exception.what() + ")",
                 "please report it with the command line"};
    }
    cli::printError(error);
    return cli::exitCode(error.code);
}
