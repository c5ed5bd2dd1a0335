// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands.h"
#include "app/cli/open_formats.h"

#include <fmt/format.h>

namespace plumb::cli {

namespace {

Result<void> runOpen(const Arguments& arguments) {
    const std::string file = arguments.text("FILE");
    PLUMB_TRY(const std::int64_t top, arguments.countOr("top", 1, 10));
    PLUMB_TRY(const std::optional<FileKind> kind, fileKindAt(file));
    if (kind) return openFormat(*kind).open({.file = file, .json = arguments.json(), .top = top});
    std::string known;
    for (const FileKindSpec& spec : fileKinds())
        known += (known.empty() ? "" : "; ") + std::string(spec.what);
    return badInput(fmt::format("{} is none of the files that open reads", file), "it reads " + known);
}

}  // namespace

CommandSpec openCommand() {
    return CommandSpec{
        .name = "open",
        .help = "what another profiler wrote: steps, GPU time, kernels of a trace; memory of a snapshot",
        .positional = "FILE",
        .options = {{"top", "N", "rows of each list (10)"}},
        .examples = "Examples:\n"
                    "  plumbline-cli open worker0.pt.trace.json.gz\n"
                    "  plumbline-cli open trace.json --json > figures.json\n"
                    "  plumbline-cli open memory.pickle --top 20",
        .run = runOpen};
}

}  // namespace plumb::cli
