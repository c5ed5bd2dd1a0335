// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/trace_overview.h"
#include "ui/opened/opened_file.h"

#include <memory>

namespace plumb::ui {

/// A trace of another profiler with what follows from it. Immutable, shared with workers.
struct OpenedTrace {
    std::shared_ptr<const trace::Trace> trace;  ///< never null
    trace::TraceLinks links;
    trace::TraceOverview overview;
    double readSeconds = 0;  ///< what reading and working it out took
};

[[nodiscard]] Result<OpenedTrace> readOpenedTrace(const std::string& path, const ReadControl& control);

}  // namespace plumb::ui
