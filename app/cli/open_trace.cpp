// SPDX-License-Identifier: Apache-2.0
// `open` of a trace: reads it, works out its figures and prints them.
#include "app/cli/console.h"
#include "app/cli/open_formats.h"
#include "app/cli/trace_report.h"
#include "core/trace/nsys_reader.h"
#include "core/trace/trace_reader.h"

#include <fmt/format.h>

namespace plumb::cli {

namespace {

using TraceReader = Result<trace::Trace> (*)(const std::string& path, const trace::ReadOptions& options);

Result<void> openWith(TraceReader reader, const OpenRequest& request) {
    const Interrupt interrupt;
    ProgressLine progress;
    PLUMB_TRY(const trace::Trace read,
              reader(request.file, {.stop = interrupt.token(), .progress = [&](double share) {
                                        if (progress.due())
                                            progress.show(fmt::format("reading {:.0f} %", share * 100));
                                    }}));
    progress.clear();
    const TraceReport report = reportOf(read);
    return print(request.json ? jsonOf(report, read, request.top) : textOf(report, read, request));
}

}  // namespace

Result<void> openTrace(const OpenRequest& request) { return openWith(trace::readTrace, request); }

Result<void> openNsysTrace(const OpenRequest& request) { return openWith(trace::readNsysTrace, request); }

}  // namespace plumb::cli
