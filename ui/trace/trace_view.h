// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/opened/opened_trace.h"
#include "ui/trace/trace_window.h"
#include "ui/workbench/view.h"

#include <QWidget>

#include <cstdint>
#include <optional>
#include <vector>

class QCheckBox;
class QLabel;
class QLineEdit;
class QTreeWidget;
class QTreeWidgetItem;

namespace plumb::ui {

class LegendRow;
class RanksPanel;
class TraceCanvas;
class TraceStrip;

/// The trace that is open: its report, the whole of it, lanes, and tables of what follows from it.
class TraceView final : public QWidget {
    Q_OBJECT
public:
    TraceView(const ViewContext& context, OpenedAs<OpenedTrace>& file, QWidget* parent = nullptr);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void refresh();
    void fillTables();
    void showFacts();
    void showRange(const std::optional<TraceWindow>& range);
    void filter();
    /// Selects the next hit behind what is selected, or the one before it; round at the ends.
    void findNext(bool forwards);
    void countHits();
    /// Makes pale what the filter does not let through, or else what is not on the critical path.
    void emphasize();

    Theme& m_theme;
    OpenedAs<OpenedTrace>& m_file;
    std::shared_ptr<const OpenedTrace> m_opened;
    QLabel* m_name;
    QLabel* m_report;
    QLineEdit* m_search;
    QLabel* m_count;
    TraceStrip* m_strip;
    LegendRow* m_legend;
    QCheckBox* m_path;
    TraceCanvas* m_canvas;
    RanksPanel* m_ranks;
    QTreeWidget* m_tables;
    bool m_filters = false;              ///< something is looked for
    std::vector<std::uint32_t> m_hits;   ///< slices that the filter lets through, in their order
    QTreeWidgetItem* m_range = nullptr;  ///< null: no range was chosen
    QLabel* m_facts;
};

}  // namespace plumb::ui
