// SPDX-License-Identifier: Apache-2.0
#include "app/cli/arguments.h"

#include "tests/fuzz/support.h"
#include "tests/fuzz/targets.h"

namespace plumb::fuzz {
namespace {

using cli::Arguments;
using cli::CommandSpec;

Result<void> nothing(const Arguments& /*given*/) { return {}; }

/// One command for every way to take arguments: the RUN options, a word of its own, loose assignments,
/// questions.
const std::vector<CommandSpec>& commands() {
    static const std::vector<CommandSpec> all{
        {"predict",
         "run",
         true,
         true,
         "",
         "",
         {{"device", "NAME", "name"}, {"time", "", "flag"}},
         "examples",
         nothing},
        {"export",
         "file",
         false,
         false,
         "FILE",
         "",
         {{"format", "csv|trace", "choice"}, {"steps", "N", "count"}, {"max-line", "BYTES", "hidden", true}},
         {},
         nothing},
        {"einsum",
         "expression",
         false,
         true,
         "EXPRESSION",
         "",
         {{"dim", "NAME=SIZE", "sizes", false, true}, {"shape", "SIZES", "shapes", false, true}},
         {},
         nothing},
        {"plan",
         "questions",
         false,
         true,
         "",
         "",
         {},
         {},
         {},
         {{"time",
           "assignments",
           false,
           true,
           "",
           "",
           {{"assume", "KEY=VALUE", "numbers", false, true}},
           {},
           nothing},
          {"models", "no options", false, true, "", "", {}, {}, nothing}}}};
    return all;
}

void use(const cli::Invocation& invocation) {
    const CommandSpec& command = *invocation.command;
    const Arguments& given = invocation.arguments;
    require(command.positional.empty() || given.has(command.positional), "a required argument is there");
    for (const auto& option : command.options)
        if (given.has(option.name)) {
            const auto count = given.count(option.name, 1);
            require(!count.has_value() || *count >= 1, "a count is at least what it has to be");
        }
    if (!command.takesRun) return;
    const auto config = given.runConfig();
    if (isTaken(config))
        require(validate(*config).has_value(), "the RUN options of a command make a run that is valid");
    else
        require(!config.error().message.empty(), "a refusal says why");
}

}  // namespace

void arguments(std::string_view input) {
    const std::size_t end = std::min(input.find("\n\n"), input.size());
    const MemoryFile file(input.substr(std::min(end + 2, input.size())));
    std::vector<std::string> words{"plumbline-cli"};
    for (const std::string_view line : lines(input.substr(0, end)))
        words.push_back(line == "@FILE@" ? file.path() : std::string(line));
    std::vector<const char*> pointers;
    for (const std::string& word : words) pointers.push_back(word.c_str());
    const auto invocation =
        cli::parseCommandLine(static_cast<int>(pointers.size()), pointers.data(), commands());
    if (!invocation.has_value())
        require(!invocation.error().message.empty(), "a refusal says why");
    else if (invocation->command == nullptr)
        require(!invocation->text.empty(), "what asks for a text gets one");
    else
        use(*invocation);
}

}  // namespace plumb::fuzz
