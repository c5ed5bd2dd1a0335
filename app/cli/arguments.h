// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/model/run_config.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plumb::cli {

/// One option of a command, without the leading dashes.
struct OptionSpec {
    std::string name;
    std::string values;   ///< "N", "FILE", "csv|training-csv"; empty: a flag without a value
    std::string help;     ///< of several texts: in lines, since each of them has words of its own (oneLine())
    bool hidden = false;  ///< left out of --help
    /// May be given often, and loose words NAME=VALUE belong to it; its text has them in lines.
    bool repeats = false;
};

/// What the user gave to one command, as text; nothing here is a default.
class Arguments {
public:
    void set(std::string name, std::string value) { m_values[std::move(name)] = std::move(value); }
    [[nodiscard]] bool has(std::string_view name) const { return m_values.find(name) != m_values.end(); }
    [[nodiscard]] std::string text(std::string_view name, std::string_view otherwise = {}) const;
    /// All that were given of a positional argument that repeats, in their order.
    [[nodiscard]] std::vector<std::string> texts(std::string_view name) const;
    /// A count of at least `least`. Errors: BadInput with the option and the value.
    [[nodiscard]] Result<std::int64_t> count(std::string_view name, std::int64_t least) const;
    [[nodiscard]] Result<std::int64_t> countOr(std::string_view name, std::int64_t least,
                                               std::int64_t otherwise) const;
    [[nodiscard]] bool json() const { return has("json"); }
    /// The RUN options: --config's file first, then the command line in runOptions() order; validated.
    [[nodiscard]] Result<RunConfig> runConfig() const;

private:
    std::map<std::string, std::string, std::less<>> m_values;
};

/// Whether --language may have it: "en", or one that there are words of; with a character set, as the
/// environment has it.
[[nodiscard]] bool isLanguage(std::string_view wanted);

/// A command: its options as data, so that parsing, --help and the suggestions read one list.
struct CommandSpec {
    std::string name;
    std::string help;
    bool takesRun = false;  ///< accepts the RUN options and --config
    bool takesJson = true;
    std::string positional;  ///< name of the one required argument; empty: none
    std::string positionalHelp = {};
    std::vector<OptionSpec> options;
    std::string examples = {};  ///< at the end of --help
    std::function<Result<void>(const Arguments&)> run;
    std::vector<CommandSpec> questions = {};  ///< one of them has to follow; `run` is theirs then
    /// How often the positional argument has to be given; more than one: it may be more often too.
    std::size_t leastPositionals = 1;
    bool positionalRepeats = false;  ///< it may be given more often than that
    bool hidden = false;             ///< left out of --help
};

/// The options of a configuration, and --config.
[[nodiscard]] std::vector<OptionSpec> runOptionSpecs();
/// The options of the command itself, with --json where it takes that.
[[nodiscard]] std::vector<OptionSpec> ownOptions(const CommandSpec& command);
/// The help of an option as it reads in English: "memory bandwidth: of one device (without: the device's)".
[[nodiscard]] std::string oneLine(std::string help);

/// What the command line asks for.
struct Invocation {
    const CommandSpec* command = nullptr;  ///< null: print `text` and stop
    Arguments arguments;
    std::string text;  ///< text of --help or --version
};

/// Errors: BadInput for an unknown command or option (with the nearest known name), a missing value.
[[nodiscard]] Result<Invocation> parseCommandLine(int argc, const char* const* argv,
                                                  const std::vector<CommandSpec>& commands);

}  // namespace plumb::cli
