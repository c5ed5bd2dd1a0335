// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/planner/planner_edits.h"
#include "ui/theme/theme.h"

#include <QWidget>

#include <vector>

class QGridLayout;

namespace plumb::ui {

class Card;
class ChartPanel;
class PlannerCandidates;
class PlannerCurves;
class PlannerMap;
class PlannerTable;
class SplitBar;
class TornadoChart;

/// The pictures below the answer: memory of a device, time of a step, what matters most, the map over two
/// inputs, the answer over one of them, and for two of the questions a table of what could be done instead.
/// Memory and time are of what is asked about, which may be a server; where that is no training as it is
/// planned, they and the map are not there.
class PlannerCharts final : public QWidget {
    Q_OBJECT
public:
    PlannerCharts(Theme& theme, PlannerModel& model, PlannerEdits& edits, QWidget* parent = nullptr);

    void refresh();  ///< inputs and results
    void showProgress();
    void refreshExplored();  ///< what was worked out beside the GUI thread
    [[nodiscard]] QSize minimumSizeHint() const override;

signals:
    void inputWanted(plumb::planner::Input input);  ///< to be edited

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void arrange();
    void showCards();
    void buildMemory();
    void buildTime();
    void buildTornado();
    void showMemory();
    void showStage(double x, const QPointF& pixel);
    void showTime();
    void showToken(const planner::ForwardTime& time);
    void showTornado();

    Theme& m_theme;
    PlannerModel& m_model;
    Card *m_memoryCard = nullptr, *m_timeCard = nullptr, *m_tornadoCard = nullptr;
    ChartPanel* m_memory = nullptr;
    SplitBar* m_time = nullptr;
    TornadoChart* m_tornado = nullptr;
    PlannerMap* m_map = nullptr;
    PlannerCurves* m_curves = nullptr;
    QGridLayout* m_grid = nullptr;
    int m_columns = 2;
    std::vector<Card*> m_placed;  ///< the cards that are shown, in their order
    PlannerCandidates* m_candidates = nullptr;
    PlannerTable* m_table = nullptr;
};

}  // namespace plumb::ui
