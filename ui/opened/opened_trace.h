// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/critical_path.h"
#include "core/trace/memory_curve.h"
#include "core/trace/rank_comparison.h"
#include "core/trace/trace_overview.h"
#include "core/trace/trace_rows.h"
#include "ui/opened/opened_file.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
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
    /// Of several ranks, whose tracks are in `trace` under one clock; null for one trace.
    std::shared_ptr<const trace::RankComparison> ranks;
    std::vector<std::size_t> firstSlices;  ///< of each of those ranks, in `trace`
    double readSeconds = 0;                ///< what reading and working it out took
};

/// What follows from a trace; of one in which ranks were merged, with the steps of that rank and without a
/// critical path.
[[nodiscard]] OpenedTrace openedTraceOf(trace::Trace read, std::optional<std::int64_t> stepsOfRank = {});
[[nodiscard]] Result<OpenedTrace> readOpenedTrace(const std::string& path, const ReadControl& control);
/// The traces of several ranks as one; of one file as readOpenedTrace(). Errors: BadInput for more slices
/// than one trace may have.
[[nodiscard]] Result<OpenedTrace> readOpenedTraces(const std::vector<std::string>& paths,
                                                   const ReadControl& control);

}  // namespace plumb::ui
