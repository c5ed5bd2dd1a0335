// SPDX-License-Identifier: Apache-2.0
#include "app/cli/manual_page.h"

#include "core/base/program_version.h"

#include <fmt/format.h>

#include <string_view>

namespace plumb::cli {

namespace {

/// A text of which nothing is taken for a request or an escape.
std::string roff(std::string_view text) {
    std::string plain;
    bool isLineStart = true;
    for (const char c : text) {
        if (isLineStart && (c == '.' || c == '\'')) plain += "\\&";
        isLineStart = c == '\n';
        switch (c) {
        case '\\':
            plain += "\\e";
            break;
        case '-':
            plain += "\\-";
            break;
        case '^':
            plain += "\\(ha";
            break;
        case '~':
            plain += "\\(ti";
            break;
        case '`':
            plain += "\\(ga";
            break;
        case '\'':
            plain += "\\(aq";
            break;
        default:
            plain += c;
        }
    }
    return plain;
}

std::string sentence(std::string_view text) {
    std::string whole = roff(text);
    if (!whole.empty() && whole.back() != '.') whole += '.';
    return whole;
}

std::string optionLine(const OptionSpec& option) {
    std::string line = fmt::format(".TP\n.B \\-\\-{}", roff(option.name));
    if (!option.values.empty()) line += fmt::format(" \\fI{}\\fR", roff(option.values));
    return line + "\n" + sentence(oneLine(option.help)) + "\n";
}

std::string examplesOf(const CommandSpec& command) {
    if (command.examples.empty()) return {};
    std::string_view text = command.examples;
    text.remove_prefix(std::min(text.find_first_not_of('\n'), text.size()));
    return fmt::format(".PP\n.nf\n{}\n.fi\n", roff(text));
}

void addCommand(std::string& page, const CommandSpec& command, const std::string& name) {
    if (command.hidden) return;
    page += fmt::format(".SS \"plumbline\\-cli {}\"\n{}\n", roff(name), sentence(command.help));
    if (!command.positional.empty())
        page += fmt::format(".br\nTakes \\fI{}\\fR: {}.\n", roff(command.positional),
                            roff(command.positionalHelp));
    if (command.takesRun)
        page += ".br\nTakes RUN options, those of a configuration in a file (\\fB\\-\\-config\\fR) too: see "
                "below.\n";
    for (const OptionSpec& option : ownOptions(command))
        if (!option.hidden) page += optionLine(option);
    page += examplesOf(command);
    for (const CommandSpec& question : command.questions)
        addCommand(page, question, name + " " + question.name);
}

constexpr std::string_view kBegin = R"(.SH NAME
plumbline\-cli \- what a training step costs, predicted and measured
.SH SYNOPSIS
.B plumbline\-cli
.RB [ \-\-language
.IR LANGUAGE ]
.I COMMAND
.RI [ OPTIONS ]
.br
.B plumbline\-cli
.IR COMMAND
.B \-\-help
.br
.B plumbline\-cli \-\-version
.SH DESCRIPTION
Plumbline predicts what a training step of a neural network costs before it runs, runs it, and says what it
really cost: memory by category, FLOPs and bytes of every operation, and time.
This program does so without a window, and is also the engine that the window starts.
Reports are for people; with
.B \-\-json
a command writes one JSON document and nothing else to its standard output.
.SH OPTIONS
.TP
.BR \-h ", " \-\-help
Says what the program, or a command, takes.
.TP
.BI \-\-language " LANGUAGE"
en or zh_CN: of help and of errors.
.TP
.B \-\-version
Says which version this is.
)";

constexpr std::string_view kEnd = R"(.SH "EXIT STATUS"
.TP
.B 0
All went well.
.TP
.B 1
A run failed, a device was lost, or a budget was not kept.
.TP
.B 2
Something that was given cannot be used: an option, or a file.
.TP
.B 3
What was asked for is not there, such as a GPU.
.TP
.B 4
Memory does not suffice.
.SH ENVIRONMENT
.TP
.B LC_ALL, LC_MESSAGES, LANG
The language of help and errors. Numbers are written in one way in every language.
.TP
.B XDG_DATA_HOME
Where calibrations and data sheets of one's own are kept, in its folder
.IR plumbline .
.TP
.B PLUMBLINE_PYTHON
A Python with torch, for PyTorch as an engine.
.TP
.B PLUMBLINE_CUDA_MODULE
The file of the CUDA backend, in place of the installed one; none leaves it out.
.TP
.B OMP_NUM_THREADS
How many threads compute on the processor.
.SH FILES
.TP
.I ~/.local/share/plumbline
Calibrations, records of predictions and data sheets of one's own.
.SH "SEE ALSO"
.BR plumbline (1)
)";

}  // namespace

std::string manualPage(const std::vector<CommandSpec>& commands) {
    std::string page = fmt::format(
        ".\\\" SPDX-License-Identifier: Apache-2.0\n.TH PLUMBLINE\\-CLI 1 \"\" \"{}\" \"Plumbline\"\n",
        roff(programVersion()));
    page += kBegin;
    page += ".SH COMMANDS\n";
    for (const CommandSpec& command : commands) addCommand(page, command, command.name);
    page += ".SH \"RUN OPTIONS\"\nThe configuration of a training, which predict, profile, train and others "
            "take.\n";
    for (const OptionSpec& option : runOptionSpecs()) page += optionLine(option);
    return page.append(kEnd);
}

}  // namespace plumb::cli
