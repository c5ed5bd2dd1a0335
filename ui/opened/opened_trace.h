// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/rank_comparison.h"
#include "core/trace/trace_overview.h"
#include "ui/opened/opened_file.h"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace plumb::ui {

/// A trace of another profiler with what follows from it. Immutable, shared with workers.
struct OpenedTrace {
    std::shared_ptr<const trace::Trace> trace;  ///< never null
    trace::TraceLinks links;
    trace::TraceOverview overview;
    /// Of several ranks, whose tracks are in `trace` under one clock; null for one trace.
    std::shared_ptr<const trace::RankComparison> ranks;
    std::vector<std::size_t> firstSlices;  ///< of each of those ranks, in `trace`
    double readSeconds = 0;                ///< what reading and working it out took
};

[[nodiscard]] Result<OpenedTrace> readOpenedTrace(const std::string& path, const ReadControl& control);
/// The traces of several ranks as one; of one file as readOpenedTrace(). Errors: BadInput for more slices
/// than one trace may have.
[[nodiscard]] Result<OpenedTrace> readOpenedTraces(const std::vector<std::string>& paths,
                                                   const ReadControl& control);

}  // namespace plumb::ui
