// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trace/trace_scope.h"

#include "ui/theme/text.h"

#include <utility>

namespace plumb::ui {

namespace {

std::shared_ptr<const ScopeFigures> figuresOfScope(const OpenedTrace& opened,
                                                   std::optional<std::size_t> step) {
    auto figures = std::make_shared<ScopeFigures>();
    const trace::Trace& trace = *opened.trace;
    figures->step = step;
    figures->pathStep = step && !opened.ranks ? step : opened.pathStep;
    if (!step) {
        figures->window = trace::figuresOfAll(trace, opened.links.work, opened.overview);
    } else {
        const trace::TraceStep& window = opened.links.steps[*step];
        figures->window = trace::figuresOfWindow(trace, opened.links.work, window.begin, window.windowEnd);
    }
    if (figures->pathStep == opened.pathStep) {
        figures->path = opened.path;
        figures->pathSums = opened.pathSums;
    } else if (figures->pathStep) {
        const trace::TraceStep& window = opened.links.steps[*figures->pathStep];
        figures->path = trace::criticalPath(trace, opened.links, window.begin, window.windowEnd);
        if (figures->path) figures->pathSums = trace::sumsOfPath(trace, *figures->path);
    }
    return figures;
}

}  // namespace

TraceScope::TraceScope(QObject* parent) : QObject(parent) {}

void TraceScope::setTrace(std::shared_ptr<const OpenedTrace> opened) {
    m_opened = std::move(opened);
    choose({});
}

void TraceScope::choose(std::optional<std::size_t> step) {
    m_chosen = step;
    m_figures.reset();
    m_runner.cancel();
    if (m_opened)
        m_runner.run([opened = m_opened, step] { return figuresOfScope(*opened, step); },
                     [this](std::shared_ptr<const ScopeFigures> figures) {
                         m_figures = std::move(figures);
                         emit changed();
                     });
    emit changed();
}

QString TraceScope::name() const {
    if (!m_opened || !m_chosen) return tr("Whole trace");
    return toText(m_opened->trace->names.at(m_opened->links.steps[*m_chosen].name));
}

}  // namespace plumb::ui
