// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/opened/opened_trace.h"
#include "ui/workbench/view.h"

#include <QWidget>

#include <cstddef>
#include <memory>
#include <optional>

class QBoxLayout;
class QCheckBox;
class QComboBox;
class QLabel;
class QLayout;
class QLineEdit;
class QPushButton;
class QStackedWidget;
class QTreeWidget;

namespace plumb::ui {

class LegendRow;
class RangeTable;
class RanksPanel;
class SegmentedControl;
class TraceCanvas;
class TraceCards;
class TraceMasks;
class TraceScope;
class TraceStrip;

/// The trace that is open: its report, the whole of it, lanes, sums of a range, and
/// cards and tables of what follows from all of it or from a step.
class TraceView final : public QWidget {
    Q_OBJECT
public:
    TraceView(const ViewContext& context, OpenedAs<OpenedTrace>& file, QWidget* parent = nullptr);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

    void resizeEvent(QResizeEvent* event) override;

private:
    [[nodiscard]] QLayout* makeHead();
    [[nodiscard]] QWidget* makeSide();
    void connectParts();
    void refresh();
    void fillScopes();
    /// Chooses a step, or none for all of the trace, and shows it in the lanes.
    void chooseScope(std::optional<std::size_t> step);
    void showScope();
    void showFacts();
    void filter();
    /// Selects the next hit behind what is selected, or the one before it; round at the ends.
    void findNext(bool forwards);
    void countHits();
    /// Makes pale what is not on the critical path of the scope, where nothing is looked for.
    void emphasizePath();

    Theme& m_theme;
    OpenedAs<OpenedTrace>& m_file;
    std::shared_ptr<const OpenedTrace> m_opened;
    TraceScope* m_scope;
    TraceMasks* m_masks;
    QBoxLayout* m_body;
    QLabel* m_name;
    QLabel* m_report;
    QLineEdit* m_search;
    QLabel* m_count;
    TraceStrip* m_strip;
    LegendRow* m_legend;
    QCheckBox* m_path;
    TraceCanvas* m_canvas;
    RangeTable* m_range;
    QLabel* m_facts;
    QComboBox* m_scopes;
    QPushButton* m_median;
    SegmentedControl* m_pages;
    QStackedWidget* m_side;
    TraceCards* m_cards;
    QTreeWidget* m_tables;
    RanksPanel* m_ranks;
    bool m_filters = false;  ///< something is looked for
};

}  // namespace plumb::ui
