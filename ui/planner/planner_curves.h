// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/planner/planner_edits.h"

#include <QObject>
#include <QPointF>

namespace plumb::ui {

class Card;
class ChartPanel;
class Theme;

/// Two curves: the answer over one input, with its ends and what does not fit set off, and, where ways to
/// spread the work are asked for, time against memory of those that no other beats in both.
class PlannerCurves final : public QObject {
    Q_OBJECT
public:
    /// All outlive it; `parent` gets the cards.
    PlannerCurves(Theme& theme, PlannerModel& model, QWidget* parent);

    [[nodiscard]] Card* sweepCard() const { return m_sweepCard; }
    /// Hidden for questions that do not ask for ways to spread the work.
    [[nodiscard]] Card* frontCard() const { return m_frontCard; }
    void show();

private:
    void showSweep();
    void showFront();
    void showRow(const QPointF& at);
    void showOption(const QPointF& pixel);

    PlannerModel& m_model;
    Card *m_sweepCard, *m_frontCard;
    ChartPanel *m_sweep, *m_front;
};

}  // namespace plumb::ui
