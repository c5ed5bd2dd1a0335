// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/out_file.h"
#include "core/io/file.h"
#include "core/snapshot/chrome_trace.h"
#include "core/snapshot/csv.h"
#include "core/snapshot/snapshot.h"

#include <fmt/format.h>

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

Result<void> runExport(const Arguments& arguments) {
    const std::string file = arguments.text("FILE.plumb");
    const std::string format = arguments.text("format");
    const std::string out = arguments.text("out", "-");
    if (format != "csv" && format != "training-csv" && format != "chrome-trace")
        return Error{ErrorCode::BadInput,
                     format.empty() ? "--format is missing" : fmt::format("unknown format ({})", format),
                     "the formats are csv, training-csv and chrome-trace"};
    PLUMB_TRY(const Snapshot snapshot, readSnapshot(file));
    PLUMB_TRY(const std::string text, exported(snapshot, file, format));
    if (out == "-") return print(text);
    PLUMB_CHECK(checkOutput({"--out", out}, {{"the snapshot", file}}));
    return writeFileAtomically(out, text);
}

}  // namespace

CommandSpec exportCommand() {
    return CommandSpec{.name = "export",
                       .help = "a snapshot as a table, or its timeline for Perfetto",
                       .takesJson = false,
                       .positional = "FILE.plumb",
                       .options = {{"format", "csv|training-csv|chrome-trace",
                                    "what to write: one row per op, the loss history, or the timeline"},
                                   {"out", "PATH", "where to; - is standard output (-)"}},
                       .run = runExport};
}

}  // namespace plumb::cli
