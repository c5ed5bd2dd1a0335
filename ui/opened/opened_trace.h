// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/critical_path.h"
#include "core/trace/memory_curve.h"
#include "core/trace/trace_overview.h"
#include "core/trace/trace_rows.h"
#include "ui/opened/opened_file.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace plumb::ui {

/// A trace of another profiler with all that its view shows, worked out where it was read. Immutable, shared
/// with workers.
struct OpenedTrace {
    std::shared_ptr<const trace::Trace> trace;  ///< never null
    trace::TraceLinks links;
    trace::TraceOverview overview;
    std::shared_ptr<const trace::RowIndex> index;  ///< never null
    std::vector<std::uint8_t> categories;          ///< of slices, as kernelCategories() gives them
    std::vector<trace::MemoryCurve> memory;
    std::optional<std::size_t> pathStep;  ///< the step whose critical path is known: that of median length
    std::optional<trace::CriticalPath> path;
    std::vector<trace::PathSum> pathSums;
    double readSeconds = 0;  ///< what reading and working it out took
};

/// What follows from a trace.
[[nodiscard]] OpenedTrace openedTraceOf(trace::Trace read);
[[nodiscard]] Result<OpenedTrace> readOpenedTrace(const std::string& path, const ReadControl& control);

}  // namespace plumb::ui
