// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/engine/job_runner.h"
#include "ui/ranks/lane_rows.h"
#include "ui/ranks/ranks_state.h"
#include "ui/workbench/late_view.h"
#include "ui/workbench/view.h"

class QLabel;
class QPushButton;
class QSplitter;
class QStackedWidget;
class QTableView;

namespace plumb::ui {

class Card;
class CategoryModel;
class CollectivesModel;
class ConfigHistory;
class LaneChart;
class LegendRow;
class RankGrid;
class RankMemoryChart;
class RunController;
class SegmentedControl;
class WhatIfRow;

/// A step of several ranks: where each stands and what it costs, its memory by what it is for, both lanes of
/// the first one, and the collectives. Above them one asks what another number of ranks would cost.
///
/// Hollow is predicted, filled is measured. The rank that is chosen is the same in all parts; a collective
/// that is chosen selects its op in all views.
class RanksView final : public LateView {
    Q_OBJECT
public:
    RanksView(ViewContext context, ConfigHistory& history, RunController& controller,
              QWidget* parent = nullptr);
    ~RanksView() override;

    [[nodiscard]] const RanksState& state() const { return m_state; }
    [[nodiscard]] int chosenRank() const { return m_rank; }
    void chooseRank(int rank);
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void catchUp() override;
    void showState(RanksState state);
    [[nodiscard]] QWidget* buildEmpty();
    void buildGrid();
    void buildMemory();
    void buildLanes();
    void buildCollectives();
    void colourBy(RankFigure figure);
    void showCategories();
    void showLanes();
    [[nodiscard]] QString asideOf(const LaneRow& row, Seconds measured) const;
    void showCollectives();
    void sayState();
    void takeSelection(const QString& opId);
    void publishSelection();
    void copyCommand();
    void takeTwoRanks();
    void arrange();

    ViewContext m_context;
    ConfigHistory& m_history;
    RunController& m_controller;
    JobRunner m_worker;
    RanksState m_state;
    int m_rank = 0;
    RankFigure m_by = RankFigure::Memory;
    bool m_choosing = false;  ///< the selection comes from here

    WhatIfRow* m_whatIf = nullptr;
    QStackedWidget* m_pages = nullptr;
    QLabel* m_empty = nullptr;
    QPushButton* m_twoRanks = nullptr;
    QSplitter* m_rows = nullptr;
    QSplitter* m_above = nullptr;
    QSplitter* m_below = nullptr;
    Card* m_gridCard = nullptr;
    RankGrid* m_grid = nullptr;
    SegmentedControl* m_figure = nullptr;
    Card* m_memoryCard = nullptr;
    QSplitter* m_memoryParts = nullptr;
    RankMemoryChart* m_memory = nullptr;
    CategoryModel* m_categories = nullptr;
    QTableView* m_categoryTable = nullptr;
    Card* m_lanesCard = nullptr;
    LaneChart* m_lanes = nullptr;
    LegendRow* m_laneLegend = nullptr;
    QLabel* m_laneNote = nullptr;
    QPushButton* m_copyCommand = nullptr;
    Card* m_collectivesCard = nullptr;
    CollectivesModel* m_collectives = nullptr;
    QTableView* m_collectiveTable = nullptr;
};

}  // namespace plumb::ui
