// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/open_formats.h"
#include "core/trace/critical_path.h"
#include "core/trace/trace_overview.h"

#include <optional>
#include <string>

namespace plumb::cli {

/// What is printed of a trace.
struct TraceReport {
    trace::TraceOverview overview;
    std::optional<std::size_t> pathStep;      ///< the step of median duration; none without steps
    std::optional<trace::CriticalPath> path;  ///< of that step
};

[[nodiscard]] TraceReport reportOf(const trace::Trace& trace);
/// One JSON document; lists of kernels, ops and modules hold `top` entries.
[[nodiscard]] std::string jsonOf(const TraceReport& report, const trace::Trace& trace, std::int64_t top);
[[nodiscard]] std::string textOf(const TraceReport& report, const trace::Trace& trace,
                                 const OpenRequest& request);

}  // namespace plumb::cli
