// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/compare/comparison_report.h"
#include "core/compare/difference.h"
#include "ui/compare/compare_charts.h"
#include "ui/workbench/late_view.h"
#include "ui/workbench/view.h"

#include <memory>

class QBoxLayout;
class QGridLayout;
class QLabel;
class QLineEdit;
class QScrollArea;
class QTableView;

namespace plumb::ui {

class BudgetCard;
class Card;
class ComparedSteps;
class DifferenceModel;
class DifferenceTable;
class FactsModel;
class FigureTiles;
class SegmentedControl;
class StepChips;
class TimelinePair;

/// Steps side by side: what was chosen or found differently first, then what really differs of figures,
/// memory, roofline, operations and tensors, timelines and losses; the baseline against the step whose chip
/// is chosen. Files may be dropped on it.
class CompareView final : public LateView {
    Q_OBJECT
public:
    CompareView(ViewContext context, ComparedSteps& steps, QWidget* parent = nullptr);
    ~CompareView() override;

    [[nodiscard]] bool showsOnlyReal() const;
    /// The comparison of all steps as plumbline-cli compare writes it; empty without one.
    [[nodiscard]] QString report(TableForm form) const;
    /// The rows of the table that are shown, as CSV.
    [[nodiscard]] QString csv() const;

signals:
    void filesWanted();
    void budgetWanted();
    void exportWanted();  ///< the table as CSV

protected:
    void resizeEvent(QResizeEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void buildTop();
    void buildEmpty();
    void buildSections();
    [[nodiscard]] Card* buildTable();
    void buildBusy();
    void showBusy();
    void fillAddMenu();
    void catchUp() override;
    void showChosen();
    void showTable();
    void showCounts();
    [[nodiscard]] QString whyNoRows() const;
    void arrange();
    void copy(TableForm form) const;

    ViewContext m_context;
    ComparedSteps& m_steps;
    StepChips* m_chips = nullptr;
    SegmentedControl* m_shown = nullptr;
    QWidget* m_top = nullptr;
    QBoxLayout* m_topLayout = nullptr;
    QWidget* m_busy = nullptr;  ///< while files are read or steps compared
    QLabel* m_busyText = nullptr;
    QWidget* m_empty = nullptr;
    QLabel* m_emptyText = nullptr;
    QScrollArea* m_scroll = nullptr;
    QWidget* m_page = nullptr;
    QGridLayout* m_grid = nullptr;
    Card* m_factsCard = nullptr;
    QTableView* m_facts = nullptr;
    FactsModel* m_factsModel = nullptr;
    FigureTiles* m_figures = nullptr;
    std::unique_ptr<ComparedMemory> m_memory;
    std::unique_ptr<ComparedRoofline> m_roofline;
    std::unique_ptr<ComparedLosses> m_losses;
    Card* m_tableCard = nullptr;
    SegmentedControl* m_what = nullptr;
    QLineEdit* m_search = nullptr;
    QLabel* m_counts = nullptr;
    QLabel* m_noRows = nullptr;  ///< in place of the table: why it has none
    DifferenceModel* m_model = nullptr;
    DifferenceTable* m_table = nullptr;
    Card* m_timelineCard = nullptr;
    TimelinePair* m_timeline = nullptr;
    BudgetCard* m_budget = nullptr;
    bool m_hasLosses = false;
    bool m_hasTimelines = false;
};

}  // namespace plumb::ui
