// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands.h"
#include "app/cli/completions.h"
#include "app/cli/console.h"
#include "app/cli/manual_page.h"
#include "core/io/file.h"

#include <fmt/format.h>

namespace plumb::cli {
namespace {

Result<void> runInterface(const Arguments& arguments) {
    const std::string form = arguments.text("FORM");
    const std::string out = arguments.text("out", "-");
    std::string text;
    if (form == "man")
        text = manualPage(allCommands());
    else if (form == "bash")
        text = bashCompletion(allCommands());
    else if (form == "zsh")
        text = zshCompletion(allCommands());
    else
        return badInput(fmt::format("unknown form ({:s})", form), "use man, bash or zsh");
    return out == "-" ? print(text) : writeFileAtomically(out, text);
}

}  // namespace

/// For who builds packages: its own manual page and what shells complete.
CommandSpec interfaceCommand() {
    return CommandSpec{.name = "interface",
                       .help = "what this program takes, as a manual page (man) or for a shell (bash, zsh)",
                       .takesJson = false,
                       .positional = "FORM",
                       .positionalHelp = "man, bash or zsh",
                       .options = {{"out", "PATH", "where to; - is standard output (-)"}},
                       .run = runInterface,
                       .hidden = true};
}

}  // namespace plumb::cli
