// SPDX-License-Identifier: Apache-2.0
// `open` of a trace: reads it, works out its figures and prints them.
#include "app/cli/console.h"
#include "app/cli/open_formats.h"
#include "app/cli/trace_report.h"
#include "core/trace/trace_reader.h"

#include <fmt/format.h>

namespace plumb::cli {

Result<void> openTrace(const OpenRequest& request) {
    const Interrupt interrupt;
    ProgressLine progress;
    PLUMB_TRY(const trace::Trace read,
              trace::readTrace(request.file, {.stop = interrupt.token(), .progress = [&](double share) {
                                                  if (progress.due())
                                                      progress.show(
                                                          fmt::format("reading {:.0f} %", share * 100));
                                              }}));
    progress.clear();
    const TraceReport report = reportOf(read);
    return print(request.json ? jsonOf(report, read, request.top) : textOf(report, read, request));
}

}  // namespace plumb::cli
