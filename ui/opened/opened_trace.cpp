// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/opened/opened_trace.h"

#include "core/opening/file_kind.h"
#include "core/trace/nsys_reader.h"
#include "core/trace/slice_filter.h"

#include <QElapsedTimer>

namespace plumb::ui {

OpenedTrace openedTraceOf(trace::Trace read) {
    OpenedTrace opened;
    opened.trace = std::make_shared<const trace::Trace>(std::move(read));
    const trace::Trace& trace = *opened.trace;
    opened.links = trace::linkTrace(trace);
    opened.pathStep = trace::medianStep(opened.links);
    if (opened.pathStep) {
        const trace::TraceStep& step = opened.links.steps[*opened.pathStep];
        opened.path = trace::criticalPath(trace, opened.links, step.begin, step.windowEnd);
    }
    if (opened.path) opened.pathSums = trace::sumsOfPath(trace, *opened.path);
    opened.overview = trace::overviewOf(trace, opened.links);
    opened.index = std::make_shared<const trace::RowIndex>(trace);
    opened.categories = trace::kernelCategories(trace, opened.links);
    opened.memory = trace::memoryCurves(trace);
    return opened;
}

Result<OpenedTrace> readOpenedTrace(const std::string& path, const ReadControl& control) {
    QElapsedTimer clock;
    clock.start();
    PLUMB_TRY(const std::optional<FileKind> kind, fileKindAt(path));
    const trace::ReadOptions options{.stop = control.stop, .progress = control.progress};
    PLUMB_TRY(trace::Trace read, kind == FileKind::NsysTrace ? trace::readNsysTrace(path, options)
                                                             : trace::readTrace(path, options));
    OpenedTrace opened = openedTraceOf(std::move(read));
    opened.readSeconds = static_cast<double>(clock.nsecsElapsed()) / 1e9;
    return opened;
}

}  // namespace plumb::ui
