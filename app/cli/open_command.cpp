// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands.h"
#include "app/cli/open_formats.h"
#include "core/io/file.h"
#include "core/opening/trace_files.h"
#include "core/planner/scenario_file.h"

#include <fmt/format.h>

namespace plumb::cli {

namespace {

Result<void> runOpen(const Arguments& arguments) {
    PLUMB_TRY(const std::int64_t top, arguments.countOr("top", 1, 10));
    PLUMB_TRY(const std::vector<std::string> files, traceFilesOf(arguments.texts("FILE")));
    if (files.size() > 1) return openRanks(files, {.json = arguments.json(), .top = top});
    const std::string& file = files.front();
    PLUMB_TRY(const std::string start, readFileStart(file, kFileKindBytes));
    if (planner::looksLikeScenario(start))
        return badInput(fmt::format("{:s} is a plan", file),
                        fmt::format("ask the planner: plumbline-cli plan time --scenario {:s}", file));
    if (const std::optional<FileKind> kind = fileKindOf(start); kind)
        return openFormat(*kind).open({.file = file, .json = arguments.json(), .top = top});
    return badInput(fmt::format("{:s} is none of the files that open reads", file),
                    fmt::format("it reads {}", namesOfFileKinds()));
}

}  // namespace

CommandSpec openCommand() {
    return CommandSpec{.name = "open",
                       .help = "what another profiler wrote: a trace, a memory snapshot, a report of Nsight; "
                               "several traces, or a folder of them, as the ranks of one job",
                       .positional = "FILE",
                       .positionalHelp = "what was written, or a folder of traces",
                       .options = {{"top", "N", "rows of each list (10)"}},
                       .examples = "Examples:\n"
                                   "  plumbline-cli open worker0.pt.trace.json.gz\n"
                                   "  plumbline-cli open trace.json --json > figures.json\n"
                                   "  plumbline-cli open rank0.json.gz rank1.json.gz rank2.json.gz\n"
                                   "  plumbline-cli open traces/\n"
                                   "  plumbline-cli open memory.pickle --top 20\n"
                                   "  plumbline-cli open nsys.sqlite\n"
                                   "  plumbline-cli open ncu.csv --json",
                       .run = runOpen,
                       .positionalRepeats = true};
}

}  // namespace plumb::cli
