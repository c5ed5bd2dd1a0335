// SPDX-License-Identifier: Apache-2.0
#include "app/cli/arguments.h"

#include "app/cli/for_people.h"
#include "core/base/lines.h"
#include "core/base/nearest.h"
#include "core/base/program_version.h"
#include "core/base/quantity.h"
#include "core/base/words.h"
#include "core/data/batch_source.h"
#include "core/io/file.h"
#include "core/io/json_fields.h"
#include "core/model/config_json.h"
#include "core/snapshot/snapshot.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <numeric>
#include <optional>
#include <utility>

namespace plumb::cli {

namespace {

/// Between the values of a positional argument that repeats: no name of a file has it.
constexpr char kBetweenTexts = '\0';

constexpr std::size_t kConfigFileLimit = std::size_t{16} << 20U;

std::vector<std::string> runOptionNames() {
    std::vector<std::string> names;
    for (const OptionInfo& option : runOptions()) names.emplace_back(option.name);
    return names;
}

Error unknownOption(std::string_view given, std::vector<std::string> known, const std::string& command) {
    const std::string_view bare = given.substr(0, given.find('='));
    for (std::string& name : known) name.insert(0, "--");
    return {ErrorCode::BadInput, fmt::format("unknown option of {:s} ({:s})", command, bare),
            didYouMean(bare, known, fmt::format("see plumbline-cli {:s} --help", command))};
}

Error unknownCommand(std::string_view given, const std::vector<CommandSpec>& commands) {
    std::vector<std::string> names;
    names.reserve(commands.size());
    for (const CommandSpec& command : commands)
        if (!command.hidden) names.push_back(command.name);
    return {ErrorCode::BadInput, fmt::format("unknown command ({:s})", given),
            didYouMean(given, names, fmt::format("the commands are {:s}", fmt::join(names, ", ")))};
}

Error inFile(Error error, const std::string& path) {
    error.message = fmt::format("in the file {:s}, {}", path, error.message);
    return error;
}

/// The configuration of a --config file: an object with the RUN names, or a snapshot, whose "config" it is.
Result<RunConfig> configFromFile(const std::string& path) {
    PLUMB_TRY(const std::string text, readFile(path, kConfigFileLimit));
    PLUMB_TRY(nlohmann::json json, parseJson(text, fmt::format(forPeople("the configuration {:s}"), path)));
    if (!json.is_object())
        return Error{ErrorCode::BadInput, fmt::format("the configuration is not a JSON object ({:s})", path),
                     "give the RUN options by name, such as { \"dim\": 256 }"};
    if (json.contains("format") && json.contains("config")) json = nlohmann::json(json["config"]);
    const std::vector<std::string> names = runOptionNames();
    if (json.is_object()) {
        for (const auto& item : json.items()) {
            if (std::find(names.begin(), names.end(), item.key()) != names.end()) continue;
            return Error{
                ErrorCode::BadInput, fmt::format("unknown name in {:s} ({:s})", path, item.key()),
                didYouMean(item.key(), names, fmt::format("the names are {:s}", fmt::join(names, ", ")))};
        }
    }
    auto config = configFromJson(json);
    if (config.has_value()) return config;
    // An option's own refusal says what to do; the reader of documents would put its general advice behind
    // it.
    RunConfig ignored;
    for (const std::string& name : names) {
        if (!json.is_object() || !json.contains(name)) continue;
        const nlohmann::json& value = json[name];
        if (value.is_null() || value.is_boolean() || value.is_structured()) continue;
        const auto set =
            setOption(ignored, name, value.is_string() ? value.get<std::string>() : value.dump());
        if (!set.has_value()) return inFile(set.error(), path);
    }
    return inFile(config.error(), path);
}

/// Whether no blank stands between two texts: beside Chinese punctuation, which is as wide as a character.
bool standClose(std::string_view left, std::string_view right) {
    constexpr std::size_t kWide = 3;
    constexpr std::string_view kMarks = "：；，。（";
    const std::string_view last = left.substr(left.size() - std::min(left.size(), kWide));
    const std::string_view first = right.substr(0, kWide);
    return left.empty() || kMarks.find(last) != std::string_view::npos ||
           (first.size() == kWide && kMarks.find(first) != std::string_view::npos);
}

/// A help of several texts, each in the language of the process.
std::string helpInWords(std::string_view help) {
    std::string all;
    for (const std::string_view line : linesOf(help)) {
        const std::string words = inWords(line);
        all += (standClose(all, words) ? "" : " ") + words;
    }
    return all;
}

/// What stands below a command's help. Commands are what they are; of "  .view(sizes)    another shape" the
/// meaning is told.
std::string examplesInWords(std::string_view examples) {
    constexpr std::string_view kColumn = "  ";
    std::string all;
    while (!examples.empty()) {
        const std::size_t end = std::min(examples.find('\n'), examples.size());
        const std::string_view line = examples.substr(0, end);
        const std::size_t begin = line.find_first_not_of(' ');
        const std::size_t gap = begin == 0 ? 0 : line.rfind(kColumn);
        if (begin == std::string_view::npos || (begin > 0 && gap < begin))
            all += line;
        else
            all += std::string(line.substr(0, begin == 0 ? 0 : gap + kColumn.size())) +
                   inWords(line.substr(begin == 0 ? 0 : gap + kColumn.size()));
        if (end < examples.size()) all += '\n';
        examples.remove_prefix(std::min(end + 1, examples.size()));
    }
    return all;
}

void addHelp(CLI::App& app) {
    app.set_help_flag("-h,--help", inWords("print this help and exit"))->group(inWords("Options"));
}

/// CLI11's own words.
void tellFrame(CLI::App& root) {
    addHelp(root);
    for (const char* const word : {"Usage", "Positionals", "OPTIONS", "SUBCOMMAND", "number > 0",
                                   "number > 1", "number >= 0", "number >= 1", "number <= 0"})
        root.get_formatter()->label(word, inWords(word));
}

/// One CLI11 command and where CLI11 puts its values; the bound addresses must not move.
struct Parser {
    const CommandSpec* command = nullptr;
    std::string name;  ///< with the command that it belongs to: "plan time"
    CLI::App* app = nullptr;
    std::map<std::string, std::pair<CLI::Option*, std::string>> options;
    CLI::Option* positional = nullptr;
    std::string positionalValue;

    void add(const OptionSpec& spec) {
        auto& [option, value] = options[spec.name];
        const std::string help = helpInWords(spec.help);
        if (spec.values.empty()) {
            option = app->add_flag("--" + spec.name, help);
        } else {
            option = app->add_option("--" + spec.name, value, help);
            option->type_name(spec.values)
                ->multi_option_policy(spec.repeats ? CLI::MultiOptionPolicy::Join
                                                   : CLI::MultiOptionPolicy::TakeLast);
        }
        option->group(spec.hidden ? "" : inWords("Options"));
    }
};

void fill(Parser& parser, CLI::App& parent, const CommandSpec& command, std::string name) {
    parser.command = &command;
    parser.name = std::move(name);
    parser.app = parent.add_subcommand(command.name, inWords(command.help));
    addHelp(*parser.app);
    parser.app->allow_extras();
    parser.app->footer(examplesInWords(command.examples));
    parser.app->group(command.hidden ? "" : inWords("Subcommands"));
    if (!command.positional.empty())
        parser.positional =
            parser.app
                ->add_option(command.positional, parser.positionalValue, inWords(command.positionalHelp))
                ->type_name("");
    if (command.takesRun)
        for (const OptionSpec& option : runOptionSpecs()) parser.add(option);
    for (const OptionSpec& option : ownOptions(command)) parser.add(option);
    if (!command.questions.empty()) parser.app->require_subcommand(0, 1);
}

/// CLI11 says which option it was only in its text, "--dim: 1 required size missing".
std::optional<Error> missingValue(const CLI::ParseError& error, const std::vector<Parser>& parsers) {
    const std::string_view text = error.what();
    const std::string_view given = text.substr(0, text.find(':'));
    if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) == nullptr) return std::nullopt;
    for (const Parser& parser : parsers) {
        if (!parser.app->parsed()) continue;
        for (const auto& [name, option] : parser.options)
            if (given == "--" + name)
                return Error{ErrorCode::BadInput, fmt::format("option without a value ({:s})", given),
                             fmt::format("give {}, or see plumbline-cli {:s} --help",
                                         option.first->get_type_name(), parser.name)};
    }
    return std::nullopt;
}

/// "batch=64": a name of letters, digits, _, dots and dashes, "=", and something behind it.
bool isAssignment(std::string_view word) {
    const std::size_t equals = word.find('=');
    return equals != std::string_view::npos && equals > 0 && equals + 1 < word.size() &&
           word.front() != '-' &&
           std::all_of(word.begin(), word.begin() + static_cast<std::ptrdiff_t>(equals), [](char c) {
               return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '-';
           });
}

/// "--dim batch=64 in=4096": values that are assignments may stand one after the other.
bool takesAssignments(const OptionSpec& option) {
    return option.repeats && option.values.find('=') != std::string::npos;
}

/// The option that loose words NAME=VALUE belong to: the only one that takes them, or else the only one of
/// these that was given. Null: none.
const OptionSpec* assignmentsBelongTo(const Parser& parser) {
    std::vector<const OptionSpec*> all, given;
    for (const OptionSpec& option : parser.command->options) {
        if (!takesAssignments(option)) continue;
        all.push_back(&option);
        if (parser.options.at(option.name).first->count() > 0) given.push_back(&option);
    }
    if (all.size() == 1) return all.front();
    return given.size() == 1 ? given.front() : nullptr;
}

/// Takes loose words NAME=VALUE: `--dim batch=64 in=256` reads as people mean it. What is left of `words`
/// belongs elsewhere.
std::string takeAssignments(std::vector<std::string>& words) {
    std::string taken;
    const auto rest = std::stable_partition(words.begin(), words.end(),
                                            [](const std::string& word) { return !isAssignment(word); });
    for (auto word = rest; word != words.end(); ++word) taken += "\n" + *word;
    words.erase(rest, words.end());
    return taken;
}

/// An option that was given twice, and is not meant to be: which of its values counts nobody can know.
std::optional<Error> givenTwice(const Parser& parser) {
    for (const auto& entry : parser.options) {
        const std::string& name = entry.first;
        const auto& option = entry.second;
        const std::vector<std::string>& given = option.first->results();
        if (given.size() < 2 || option.first->get_expected_max() == 0) continue;
        const bool repeats =
            std::any_of(parser.command->options.begin(), parser.command->options.end(),
                        [&](const OptionSpec& spec) { return spec.name == name && spec.repeats; });
        if (repeats) continue;
        return Error{
            ErrorCode::BadInput,
            given.size() == 2
                ? fmt::format("--{:s} is given twice ({:s} and {:s})", name, given[0], given[1])
                : fmt::format("--{:s} is given {} times ({:s})", name, given.size(), fmt::join(given, ", ")),
            "leave all but one of them out"};
    }
    return std::nullopt;
}

/// A command that needs one of its questions.
Error missingQuestion(const Parser& parser, const std::vector<std::string>& extras) {
    std::vector<std::string> names;
    for (const CommandSpec& question : parser.command->questions) names.push_back(question.name);
    if (extras.empty())
        return {ErrorCode::BadInput, fmt::format("{:s} needs a question", parser.name),
                fmt::format("give one of {:s}", fmt::join(names, ", "))};
    return {ErrorCode::BadInput, fmt::format("unknown question of {:s} ({:s})", parser.name, extras.front()),
            didYouMean(extras.front(), names, fmt::format("give one of {:s}", fmt::join(names, ", ")))};
}

Result<Invocation> collect(const Parser& parser) {
    std::vector<std::string> extras = parser.app->remaining();
    if (!parser.command->questions.empty()) return missingQuestion(parser, extras);
    if (parser.positional != nullptr && parser.positional->count() > 0)
        extras.insert(extras.begin(), parser.positionalValue);
    if (const auto twice = givenTwice(parser)) return *twice;
    const OptionSpec* const assigned = assignmentsBelongTo(parser);
    const std::string assignments = assigned != nullptr ? takeAssignments(extras) : std::string();
    std::vector<std::string> positionals;
    const bool repeats = parser.command->leastPositionals > 1 || parser.command->positionalRepeats;
    while (parser.positional != nullptr && !extras.empty() && (positionals.empty() || repeats) &&
           (positionals.empty() || !extras.front().starts_with('-'))) {
        positionals.push_back(extras.front());
        extras.erase(extras.begin());
    }
    if (!extras.empty()) {
        if (!extras.front().starts_with('-'))
            return Error{ErrorCode::BadInput, fmt::format("unexpected argument ({:s})", extras.front()),
                         fmt::format("see plumbline-cli {:s} --help", parser.name)};
        std::vector<std::string> known{"help"};
        for (const auto& [name, option] : parser.options) known.push_back(name);
        return unknownOption(extras.front(), std::move(known), parser.name);
    }
    Invocation invocation;
    invocation.command = parser.command;
    for (const auto& [name, option] : parser.options)
        if (option.first->count() > 0) invocation.arguments.set(name, option.second);
    if (!assignments.empty())
        invocation.arguments.set(assigned->name, invocation.arguments.text(assigned->name) + assignments);
    if (parser.positional != nullptr) {
        if (const std::size_t least = parser.command->leastPositionals; positionals.size() < least)
            return Error{ErrorCode::BadInput,
                         least == 1 ? fmt::format("{:s} needs an argument ({:s})", parser.name,
                                                  parser.command->positional)
                                    : fmt::format("{:s} needs {} arguments ({:s})", parser.name, least,
                                                  parser.command->positional),
                         fmt::format("see plumbline-cli {:s} --help", parser.name)};
        std::string joined = positionals.front();
        for (std::size_t i = 1; i < positionals.size(); ++i) joined += kBetweenTexts + positionals[i];
        invocation.arguments.set(parser.command->positional, std::move(joined));
    }
    return invocation;
}

/// The files' own widths where the command line and a configuration do not say any.
Result<void> takeWidths(RunConfig& config, bool hasDim, bool hasOutputs, bool hasConfig) {
    if (hasConfig || (hasDim && (hasOutputs || !config.head))) return {};
    RunConfig checked = config;
    if (!hasDim) checked.dim = 1;  // the sizes are checked once they are known
    if (!hasOutputs) checked.outputs = 1;
    PLUMB_CHECK(validate(checked));
    PLUMB_TRY(const DataWidths widths, widthsOfData(config));
    if (!hasDim && widths.features) config.dim = *widths.features;
    if (!hasOutputs && config.head && widths.targets) config.outputs = *widths.targets;
    return {};
}

}  // namespace

std::vector<OptionSpec> runOptionSpecs() {
    std::vector<OptionSpec> options{
        {"config", "FILE.json", "RUN options by name, or a snapshot; the command line wins"}};
    for (const OptionInfo& option : runOptions())
        options.push_back({std::string(option.name), std::string(option.values), std::string(option.help)});
    return options;
}

std::vector<OptionSpec> ownOptions(const CommandSpec& command) {
    std::vector<OptionSpec> options = command.options;
    if (command.takesJson && command.questions.empty())
        options.push_back({"json", "", "one JSON document on stdout and nothing else there"});
    return options;
}

std::string oneLine(std::string help) {
    std::ranges::replace(help, '\n', ' ');
    return help;
}

std::string Arguments::text(std::string_view name, std::string_view otherwise) const {
    const auto found = m_values.find(name);
    return found == m_values.end() ? std::string(otherwise) : found->second;
}

std::vector<std::string> Arguments::texts(std::string_view name) const {
    const std::string all = text(name);
    std::vector<std::string> each;
    for (std::size_t begin = 0; begin <= all.size() && !all.empty();) {
        const std::size_t end = std::min(all.find(kBetweenTexts, begin), all.size());
        each.push_back(all.substr(begin, end - begin));
        begin = end + 1;
    }
    return each;
}

Result<std::int64_t> Arguments::count(std::string_view name, std::int64_t least) const {
    const auto found = m_values.find(name);
    if (found == m_values.end())
        return Error{ErrorCode::BadInput, fmt::format("--{:s} is missing", name),
                     fmt::format("give a whole number of at least {}", least)};
    const auto value = parseSize(found->second);
    if (!value.has_value() || *value < least)
        return Error{ErrorCode::BadInput, fmt::format("--{:s} cannot be used ({:s})", name, found->second),
                     fmt::format("give a whole number of at least {}", least)};
    return *value;
}

Result<std::int64_t> Arguments::countOr(std::string_view name, std::int64_t least,
                                        std::int64_t otherwise) const {
    if (!has(name)) return otherwise;
    return count(name, least);
}

Result<RunConfig> Arguments::runConfig() const {
    RunConfig config;
    if (has("config")) {
        PLUMB_TRY(config, configFromFile(text("config")));
    }
    for (const OptionInfo& option : runOptions())
        if (has(option.name)) PLUMB_CHECK(setOption(config, option.name, text(option.name)));
    if (config.readsFiles()) PLUMB_CHECK(takeWidths(config, has("dim"), has("outputs"), has("config")));
    PLUMB_CHECK(validate(config));
    // Said on the command line, it was meant to do something. In a file it may come from another run.
    for (const OptionInfo& option : runOptions())
        if (has(option.name) && !optionApplies(config, option.name))
            return Error{
                ErrorCode::BadInput,
                fmt::format("{:s} has no meaning in this run ({:s})", option.name, text(option.name)),
                fmt::format("leave it out, or choose what it belongs to: {}", option.help)};
    return config;
}

bool isLanguage(std::string_view wanted) {
    const std::string_view language = wanted.substr(0, wanted.find_first_of(".@"));
    return language == "en" || language.starts_with("en_") || hasWordsOf(language);
}

Result<Invocation> parseCommandLine(int argc, const char* const* argv,
                                    const std::vector<CommandSpec>& commands) {
    CLI::App root(inWords("Plumbline: what a training step costs, predicted and measured, side by side"),
                  "plumbline-cli");
    root.option_defaults()->group(inWords("Options"));
    tellFrame(root);
    // Read by chooseLanguage() before any text is made.
    std::string language, unknown;
    root.add_option("--language", language,
                    inWords("en or zh_CN: of --help and of errors (LC_ALL, LC_MESSAGES, LANG)"))
        ->type_name("LANGUAGE")
        ->check([&unknown](const std::string& wanted) {
            if (!isLanguage(wanted)) unknown = wanted;
            return unknown.empty() ? "" : "no language";
        });
    root.set_version_flag("--version", programVersion(), inWords("print the version and exit"));
    root.allow_extras();
    root.require_subcommand(0, 1);  // the name of a second one is an argument of the first, and refused there
    // A question stands behind the command that it belongs to: the last one parsed is the innermost.
    std::vector<Parser> parsers(std::accumulate(
        commands.begin(), commands.end(), commands.size(),
        [](std::size_t sum, const CommandSpec& command) { return sum + command.questions.size(); }));
    auto next = parsers.begin();
    for (const CommandSpec& command : commands) {
        Parser& parent = *next++;
        fill(parent, root, command, command.name);
        for (const CommandSpec& question : command.questions)
            fill(*next++, *parent.app, question, command.name + " " + question.name);
    }
    const auto chosen = [&] {
        const auto last =
            std::find_if(parsers.rbegin(), parsers.rend(), [](const Parser& p) { return p.app->parsed(); });
        return last == parsers.rend() ? parsers.end() : std::prev(last.base());
    };
    try {
        root.parse(argc, argv);
    } catch (const CLI::CallForVersion&) {
        Invocation invocation;
        invocation.text = programVersion() + "\n";
        return invocation;
    } catch (const CLI::CallForHelp&) {
        Invocation invocation;
        invocation.text = root.help();
        return invocation;
    } catch (const CLI::ParseError& error) {
        const auto parser = chosen();
        if (!unknown.empty())
            return Error{ErrorCode::BadInput,
                         fmt::format("Plumbline does not speak that language ({:s})", unknown),
                         "use --language en or --language zh_CN"};
        if (const auto missing = missingValue(error, parsers)) return *missing;
        return Error{ErrorCode::BadInput, error.what(),
                     parser == parsers.end() ? "see plumbline-cli --help"
                                             : fmt::format("see plumbline-cli {:s} --help", parser->name)};
    }
    const std::vector<std::string> extras = root.remaining();
    if (!extras.empty()) {
        if (!extras.front().starts_with('-')) return unknownCommand(extras.front(), commands);
        return Error{ErrorCode::BadInput, fmt::format("unknown option ({:s})", extras.front()),
                     "options of a command stand after its name; see plumbline-cli --help"};
    }
    const auto parser = chosen();
    if (parser == parsers.end())
        return Error{ErrorCode::BadInput, "no command given", "see plumbline-cli --help"};
    return collect(*parser);
}

}  // namespace plumb::cli
