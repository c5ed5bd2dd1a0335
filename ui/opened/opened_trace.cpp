// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/opened/opened_trace.h"

#include "core/trace/trace_reader.h"

#include <QElapsedTimer>

namespace plumb::ui {

Result<OpenedTrace> readOpenedTrace(const std::string& path, const ReadControl& control) {
    QElapsedTimer clock;
    clock.start();
    PLUMB_TRY(trace::Trace read,
              trace::readTrace(path, {.stop = control.stop, .progress = control.progress}));
    OpenedTrace opened;
    opened.trace = std::make_shared<const trace::Trace>(std::move(read));
    opened.links = trace::linkTrace(*opened.trace);
    opened.overview = trace::overviewOf(*opened.trace, opened.links);
    opened.readSeconds = static_cast<double>(clock.nsecsElapsed()) / 1e9;
    return opened;
}

}  // namespace plumb::ui
