// SPDX-License-Identifier: Apache-2.0
#include "app/cli/backends.h"
#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/for_people.h"
#include "app/cli/out_file.h"
#include "app/cli/step_files.h"
#include "core/export/exported_step.h"
#include "core/export/formats.h"
#include "core/io/file.h"
#include "core/recorded/step_file.h"

#include <fmt/format.h>

#include <string>
#include <vector>

namespace plumb::cli {

namespace {

Result<void> runExport(const Arguments& arguments) {
    const std::string file = arguments.text("FILE.plumb");
    const std::string id = arguments.text("format");
    const std::string out = arguments.text("out", "-");
    const ExportFormat* const format = findExportFormat(id);
    if (format == nullptr)
        return badInput(id.empty() ? "--format is missing" : fmt::format("unknown format ({:s})", id),
                        fmt::format("the formats are {:s}", exportFormatList()));
    if (!format->isText && out == "-")
        return badInput(fmt::format("{:s} is no text (--out -)", format->id),
                        fmt::format("name a file, such as --out {:s}", format->fileName));
    PLUMB_CHECK(checkIsStep(file));
    PLUMB_TRY(const bool isRecorded, isStepFileAt(file));
    // Devices are asked for where they matter: a snapshot says itself what it was predicted for.
    PLUMB_TRY(const ExportedStep step,
              readExportedStep(file, isRecorded ? knownMachines() : std::vector<Machine>()));
    const Result<std::string> content = exported(step, *format);
    if (!content.has_value()) {
        const Error& error = content.error();
        return Error{error.code, fmt::format("{} ({:s})", error.message, file), error.hint};
    }
    if (out == "-") return print(*content);
    PLUMB_CHECK(checkOutput({"--out", out}, {{forPeople("the snapshot"), file}}));
    return writeFileAtomically(out, *content);
}

std::string helpOfFormats() {
    std::string help = "what to write:";
    for (const ExportFormat& format : exportFormats())
        help += fmt::format("{}\n{}:\n{}", help.back() == ':' ? "" : ";", format.id, format.holds);
    return help;
}

}  // namespace

CommandSpec exportCommand() {
    return CommandSpec{
        .name = "export",
        .help = "a snapshot or recorded step as a report, tables, traces, or its memory for other programs",
        .takesJson = false,
        .positional = "FILE.plumb",
        .positionalHelp = "a snapshot or a recorded step",
        .options = {{"format", "FORMAT", helpOfFormats()},
                    {"out", "PATH", "where to; - is standard output (-)"}},
        .run = runExport};
}

}  // namespace plumb::cli
