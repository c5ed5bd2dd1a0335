// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/range_sums.h"
#include "ui/engine/job_runner.h"
#include "ui/opened/opened_trace.h"
#include "ui/trace/trace_window.h"
#include "ui/widgets/card.h"

#include <QWidget>

#include <memory>
#include <optional>

class QTreeWidget;

namespace plumb::ui {

/// Sums of a chosen range, a row for each name of GPU work. Hidden while no range is chosen.
class RangeTable final : public QWidget {
    Q_OBJECT
public:
    explicit RangeTable(Theme& theme, QWidget* parent = nullptr);

    void setTrace(std::shared_ptr<const OpenedTrace> opened);
    void setRange(const std::optional<TraceWindow>& range);
    /// As text with a tab between columns.
    [[nodiscard]] QString text() const;

signals:
    void closed();

private:
    void show(const trace::RangeSums& sums);

    Theme& m_theme;
    std::shared_ptr<const OpenedTrace> m_opened;
    Card* m_card;
    QTreeWidget* m_table;
    JobRunner m_runner;  // last: its destructor waits for the worker
};

}  // namespace plumb::ui
