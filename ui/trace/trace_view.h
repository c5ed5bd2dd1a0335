// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/opened/opened_trace.h"
#include "ui/trace/trace_window.h"
#include "ui/workbench/view.h"

#include <QWidget>

#include <optional>

class QLabel;
class QLineEdit;
class QTreeWidget;
class QTreeWidgetItem;

namespace plumb::ui {

class RanksPanel;
class TraceCanvas;
class TraceStrip;

/// The trace that is open: its report, the whole of it, lanes, and tables of what follows from it.
class TraceView final : public QWidget {
    Q_OBJECT
public:
    TraceView(const ViewContext& context, OpenedAs<OpenedTrace>& file, QWidget* parent = nullptr);

private:
    void refresh();
    void fillTables();
    void showFacts();
    void showRange(const std::optional<TraceWindow>& range);
    void findNext();

    OpenedAs<OpenedTrace>& m_file;
    std::shared_ptr<const OpenedTrace> m_opened;
    QLabel* m_name;
    QLabel* m_report;
    QLineEdit* m_search;
    TraceStrip* m_strip;
    TraceCanvas* m_canvas;
    RanksPanel* m_ranks;
    QTreeWidget* m_tables;
    QTreeWidgetItem* m_range = nullptr;  ///< null: no range was chosen
    QLabel* m_facts;
};

}  // namespace plumb::ui
