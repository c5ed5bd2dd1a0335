// SPDX-License-Identifier: Apache-2.0
#include "app/cli/completions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>

namespace plumb::cli {

namespace {

/// A command, or a question of one, with all options that it takes.
struct Completed {
    std::string name;  ///< "predict", "plan time"
    std::string help;
    std::string positional;
    bool repeats = false;  ///< the positional argument
    std::vector<OptionSpec> options;
    std::vector<std::pair<std::string, std::string>> questions;  ///< names and help
};

void addCompleted(std::vector<Completed>& all, const CommandSpec& command, const std::string& name) {
    if (command.hidden) return;
    Completed one{.name = name, .help = command.help, .positional = command.positional};
    one.repeats = command.positionalRepeats || command.leastPositionals > 1;
    if (command.takesRun) one.options = runOptionSpecs();
    for (const OptionSpec& option : ownOptions(command))
        if (!option.hidden) one.options.push_back(option);
    one.options.push_back({"help", "", "what it takes"});
    for (const CommandSpec& question : command.questions)
        if (!question.hidden) one.questions.emplace_back(question.name, question.help);
    all.push_back(std::move(one));
    for (const CommandSpec& question : command.questions)
        addCompleted(all, question, name + " " + question.name);
}

std::vector<Completed> completed(const std::vector<CommandSpec>& commands) {
    std::vector<Completed> all;
    for (const CommandSpec& command : commands) addCompleted(all, command, command.name);
    return all;
}

/// "fp32 tf32" of "fp32|tf32|K": the words among the alternatives; what is in capitals stands for something.
std::vector<std::string> wordsOf(std::string_view values) {
    std::vector<std::string> words;
    if (values.find('|') == std::string_view::npos) return words;
    for (std::size_t begin = 0; begin <= values.size();) {
        const std::size_t end = std::min(values.find_first_of("|,", begin), values.size());
        const std::string_view word = values.substr(begin, end - begin);
        const bool isWord = !word.empty() && std::all_of(word.begin(), word.end(), [](char c) {
            return std::islower(static_cast<unsigned char>(c)) != 0 ||
                   std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_';
        });
        if (isWord) words.emplace_back(word);
        begin = end + 1;
    }
    return words;
}

bool namesFile(std::string_view values) {
    return values.find("FILE") != std::string_view::npos || values.find("PATH") != std::string_view::npos ||
           values.find(".json") != std::string_view::npos;
}

bool namesFolder(std::string_view values) {
    return values.find("FOLDER") != std::string_view::npos || values.find("DIR") != std::string_view::npos;
}

/// What bash offers as values: a list of words, "@file" or "@folder"; empty: nothing is known.
std::string bashValues(const OptionSpec& option) {
    if (const auto words = wordsOf(option.values); !words.empty())
        return fmt::format("{}", fmt::join(words, " "));
    if (namesFolder(option.values)) return "@folder";
    return namesFile(option.values) ? "@file" : "";
}

/// A text inside of brackets and single quotes of zsh's _arguments.
std::string zshText(std::string_view text) {
    std::string plain;
    for (const char c : text) {
        if (c == '\'') {
            plain += "'\\''";
            continue;
        }
        if (c == '[' || c == ']' || c == ':' || c == '\\') plain += '\\';
        plain += c == '\n' ? ' ' : c;
    }
    return plain;
}

std::string zshAction(const OptionSpec& option) {
    if (const auto words = wordsOf(option.values); !words.empty())
        return fmt::format("({})", fmt::join(words, " "));
    if (namesFolder(option.values)) return "_files -/";
    return namesFile(option.values) ? "_files" : " ";
}

std::string zshOption(const OptionSpec& option) {
    const std::string start = fmt::format("'{}--{}", option.repeats ? "*" : "", option.name);
    if (option.values.empty()) return fmt::format("{}[{}]'", start, zshText(oneLine(option.help)));
    return fmt::format("{}=[{}]:{}:{}'", start, zshText(oneLine(option.help)), zshText(option.values),
                       zshAction(option));
}

std::string zshDescribed(const std::vector<std::pair<std::string, std::string>>& named) {
    std::string list;
    for (const auto& [name, help] : named) list += fmt::format("\n    '{}:{}'", name, zshText(help));
    return list;
}

std::string zshFunction(const Completed& command) {
    std::string name = command.name;
    std::replace(name.begin(), name.end(), ' ', '_');
    std::string text = fmt::format("\n_plumbline-cli-{}() {{\n", name);
    if (!command.questions.empty())
        return text +
               fmt::format(
                   "  local -a questions=({}\n  )\n"
                   "  if (( CURRENT == 2 )); then\n    _describe -t questions question questions\n"
                   "  else\n    shift words\n    (( CURRENT-- ))\n"
                   "    (( $+functions[_plumbline-cli-{}_$words[1]] )) && _plumbline-cli-{}_$words[1]\n"
                   "  fi\n}}\n",
                   zshDescribed(command.questions), name, name);
    text += "  _arguments";
    for (const OptionSpec& option : command.options) text += " \\\n    " + zshOption(option);
    if (!command.positional.empty())
        text +=
            fmt::format(" \\\n    '{}:{}:_files'", command.repeats ? "*" : "1", zshText(command.positional));
    return text + "\n}\n";
}

constexpr std::string_view kBashBegin = R"bash(# SPDX-License-Identifier: Apache-2.0
# Completion of plumbline-cli in bash, written by "plumbline-cli interface bash".

# Of a command ("predict", "plan time"): its options.
_plumbline_cli_options() {
  case $1 in
)bash";

constexpr std::string_view kBashEnd = R"bash(
_plumbline_cli() {
  local cur=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command= word i first=0 values
  # "--name=value" is three words here, unless the reader's = parts no words.
  [[ $cur == --*=* ]] && previous=${cur%%=*} cur=${cur#*=}
  [[ $cur == "=" ]] && cur=
  [[ $previous == "=" ]] && ((COMP_CWORD > 1)) && previous=${COMP_WORDS[COMP_CWORD-2]}
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    if ((first)); then
      [[ " $(_plumbline_cli_questions "$command") " == *" $word "* ]] && command+=" $word"
      break
    fi
    case $word in
    --language) ((i++)) ;;
    [a-z]*) command=$word first=$i ;;
    esac
  done
  COMPREPLY=()
  if [[ $previous == --language ]]; then
    mapfile -t COMPREPLY < <(compgen -W "en zh_CN" -- "$cur")
  elif [[ -z $command ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$_plumbline_cli_commands --help --version --language" -- "$cur")
  elif [[ $previous == --* ]] && values=$(_plumbline_cli_values "$command" "$previous") && [[ $values != @flag ]]; then
    case $values in
    @file) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$cur") ;;
    @folder) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -d -- "$cur") ;;
    ?*) mapfile -t COMPREPLY < <(compgen -W "$values" -- "$cur") ;;
    esac
  elif [[ $cur == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$(_plumbline_cli_options "$command")" -- "$cur")
  elif [[ -n $(_plumbline_cli_questions "$command") ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$(_plumbline_cli_questions "$command")" -- "$cur")
  else
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "$cur")
  fi
}
complete -F _plumbline_cli plumbline-cli
)bash";

}  // namespace

std::string bashCompletion(const std::vector<CommandSpec>& commands) {
    const std::vector<Completed> all = completed(commands);
    std::string options, values, questions, names;
    for (const Completed& command : all) {
        options += fmt::format(R"x(  "{}") echo ")x", command.name);
        for (const OptionSpec& option : command.options) {
            options += fmt::format("--{} ", option.name);
            const std::string offered = option.values.empty() ? "@flag" : bashValues(option);
            if (!offered.empty())
                values += fmt::format("  \"{} --{}\") echo \"{}\" ;;\n", command.name, option.name, offered);
        }
        options.back() = '"';
        options += " ;;\n";
        if (command.name.find(' ') == std::string::npos) names += (names.empty() ? "" : " ") + command.name;
        if (command.questions.empty()) continue;
        questions += fmt::format(R"x(  "{}") echo ")x", command.name);
        for (const auto& question : command.questions) questions += question.first + " ";
        questions.back() = '"';
        questions += " ;;\n";
    }
    std::string text(kBashBegin);
    text += options + "  esac\n}\n\n# Of a command and an option: its values.\n_plumbline_cli_values() {\n  "
                      "case \"$1 $2\" in\n";
    text +=
        values +
        "  esac\n}\n\n# Of a command: what has to follow it.\n_plumbline_cli_questions() {\n  case $1 in\n";
    text += questions + "  esac\n}\n" + fmt::format("\n_plumbline_cli_commands=\"{}\"\n", names);
    return text.append(kBashEnd);
}

std::string zshCompletion(const std::vector<CommandSpec>& commands) {
    const std::vector<Completed> all = completed(commands);
    std::vector<std::pair<std::string, std::string>> named;
    std::string functions;
    for (const Completed& command : all) {
        if (command.name.find(' ') == std::string::npos) named.emplace_back(command.name, command.help);
        functions += zshFunction(command);
    }
    return fmt::format(R"zsh(#compdef plumbline-cli
# SPDX-License-Identifier: Apache-2.0
# Completion of plumbline-cli in zsh, written by "plumbline-cli interface zsh".
{}
_plumbline-cli() {{
  local curcontext="$curcontext" state line
  typeset -A opt_args
  local -a commands=({}
  )
  _arguments -C \
    '(- *)--help[what it takes]' \
    '(- *)--version[which version this is]' \
    '--language=[of help and errors]:LANGUAGE:(en zh_CN)' \
    '1: :->command' '*:: :->rest'
  case $state in
  command) _describe -t commands command commands ;;
  rest) (( $+functions[_plumbline-cli-$words[1]] )) && _plumbline-cli-$words[1] ;;
  esac
}}

_plumbline-cli "$@"
)zsh",
                       functions, zshDescribed(named));
}

}  // namespace plumb::cli
