// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/range_sums.h"
#include "ui/engine/job_runner.h"
#include "ui/opened/opened_trace.h"
#include "ui/trace/trace_window.h"

#include <QObject>

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace plumb::ui {

/// The figures of what was chosen of a trace.
struct ScopeFigures {
    std::optional<std::size_t> step;  ///< none: all of the trace
    trace::WindowFigures window;
    std::optional<std::size_t> pathStep;  ///< whose critical path it is: that step, or of all the median one
    std::optional<trace::CriticalPath> path;
    std::vector<trace::PathSum> pathSums;
};

/// Which part of a trace the figures beside the lanes are of: all of it, or a step. They are worked out on a
/// worker; a new choice gives up the one before.
class TraceScope final : public QObject {
    Q_OBJECT
public:
    explicit TraceScope(QObject* parent = nullptr);

    void setTrace(std::shared_ptr<const OpenedTrace> opened);
    /// None: the whole trace.
    void choose(std::optional<std::size_t> step);
    [[nodiscard]] std::optional<std::size_t> chosen() const { return m_chosen; }
    [[nodiscard]] bool isWorking() const { return m_runner.busy(); }
    /// Of what is chosen; null until they are known, and where no trace is open.
    [[nodiscard]] const std::shared_ptr<const ScopeFigures>& figures() const { return m_figures; }
    /// "ProfilerStep#3", or that it is the whole trace.
    [[nodiscard]] QString name() const;
    [[nodiscard]] const std::shared_ptr<const OpenedTrace>& trace() const { return m_opened; }

signals:
    void changed();  ///< another choice, or its figures are known

private:
    std::shared_ptr<const OpenedTrace> m_opened;
    std::optional<std::size_t> m_chosen;
    std::shared_ptr<const ScopeFigures> m_figures;
    JobRunner m_runner;  // last: its destructor waits for the worker
};

}  // namespace plumb::ui
