// SPDX-License-Identifier: Apache-2.0
// `open` of several traces: the ranks of one job side by side.
#include "app/cli/console.h"
#include "app/cli/open_formats.h"
#include "app/cli/rank_report.h"
#include "core/opening/trace_files.h"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

namespace plumb::cli {

Result<void> openRanks(const std::vector<std::string>& files, const OpenRequest& request) {
    PLUMB_CHECK(checkRankFiles(files));
    const Interrupt interrupt;
    ProgressLine progress;
    std::vector<trace::RankRecord> records;
    for (const std::string& file : files) {
        const auto show = [&](double share) {
            if (progress.due())
                progress.show(
                    fmt::format("reading {} of {}, {:.0f} %", records.size() + 1, files.size(), share * 100));
        };
        // Only what the comparison needs stays: the traces of all ranks need not fit into memory together.
        PLUMB_TRY(const trace::Trace read,
                  readTraceFile(file, {.stop = interrupt.token(), .progress = show}));
        records.push_back(trace::rankRecordOf(read, trace::linkTrace(read), file));
    }
    progress.clear();
    const trace::RankComparison comparison = trace::compareRanks(records);
    return print(request.json ? jsonOf(comparison, request.top) : textOf(comparison, request.top));
}

}  // namespace plumb::cli
