// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/out_file.h"
#include "core/compare/compared_step.h"
#include "core/io/file.h"
#include "core/memory_snapshot/step_exports.h"
#include "core/snapshot/chrome_trace.h"
#include "core/snapshot/csv.h"
#include "core/snapshot/snapshot.h"

#include <fmt/format.h>

#include <optional>
#include <vector>

namespace plumb::cli {

namespace {

Result<std::string> exported(const Snapshot& snapshot, const std::string& file, const std::string& format) {
    if (format == "csv") return toCsv(snapshot);
    if (format == "chrome-trace") {
        auto trace = toChromeTrace(snapshot);
        if (trace.has_value()) return trace;
        const Error& error = trace.error();
        return Error{error.code, fmt::format("{} ({})", error.message, file), error.hint};
    }
    if (!snapshot.training)
        return Error{ErrorCode::BadInput, fmt::format("this snapshot holds no training history ({})", file),
                     "export --format csv, or a snapshot that train --out wrote"};
    return trainingToCsv(*snapshot.training);
}

/// What is made of the step itself, be it of a snapshot or of a recorded step.
Result<std::string> exportedStep(const std::string& file, const std::string& format) {
    PLUMB_TRY(const ComparedStep compared, readComparedStep(file));
    const Step& step = *compared.step;
    std::vector<std::optional<Seconds>> seconds;
    for (std::int32_t op = 0; op < step.opCount(); ++op) {
        const auto& ops = compared.reading->ops;
        const auto index = static_cast<std::size_t>(op);
        const bool isSame = index < ops.size() && ops[index].id == step.opId(op);
        seconds.push_back(isSame ? ops[index].seconds : std::nullopt);
    }
    return format == "speedscope" ? toSpeedscope(step, seconds) : toMemorySnapshot(step, seconds);
}

Result<void> runExport(const Arguments& arguments) {
    const std::string file = arguments.text("FILE.plumb");
    const std::string format = arguments.text("format");
    const std::string out = arguments.text("out", "-");
    const bool isStep = format == "memory-snapshot" || format == "speedscope";
    if (!isStep && format != "csv" && format != "training-csv" && format != "chrome-trace")
        return Error{ErrorCode::BadInput,
                     format.empty() ? "--format is missing" : fmt::format("unknown format ({})", format),
                     "the formats are csv, training-csv, chrome-trace, memory-snapshot and speedscope"};
    if (format == "memory-snapshot" && out == "-")
        return badInput("a memory snapshot is no text (--out -)", "name a file, such as --out memory.pickle");
    std::string text;
    if (isStep) {
        PLUMB_TRY(text, exportedStep(file, format));
    } else {
        PLUMB_TRY(const Snapshot snapshot, readSnapshot(file));
        PLUMB_TRY(text, exported(snapshot, file, format));
    }
    if (out == "-") return print(text);
    PLUMB_CHECK(checkOutput({"--out", out}, {{"the snapshot", file}}));
    return writeFileAtomically(out, text);
}

}  // namespace

CommandSpec exportCommand() {
    return CommandSpec{
        .name = "export",
        .help = "a snapshot as a table, its timeline for Perfetto, its memory for PyTorch's viewer",
        .takesJson = false,
        .positional = "FILE.plumb",
        .options = {{"format", "csv|training-csv|chrome-trace|memory-snapshot|speedscope",
                     "what to write: one row per op, the loss history, the timeline; of recorded steps "
                     "too, the memory as torch.cuda._memory_viz opens it, or time and memory for "
                     "speedscope"},
                    {"out", "PATH", "where to; - is standard output (-)"}},
        .run = runExport};
}

}  // namespace plumb::cli
