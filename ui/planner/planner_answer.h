// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/planner/planner_edits.h"
#include "ui/theme/theme.h"

#include <QWidget>

class QComboBox;
class QGridLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QVBoxLayout;

namespace plumb::ui {

class Card;
class ToneLabel;

/// The answer, large and as a range, whether it fits, the figures beside it, the formula, the same with the
/// numbers put in, and the row that solves for an unknown. Without an answer: why not.
class PlannerAnswer final : public QWidget {
    Q_OBJECT
public:
    PlannerAnswer(Theme& theme, PlannerModel& model, PlannerEdits& edits, QWidget* parent = nullptr);

    void refresh();
    void copyText();
    void copyJson();
    void focusSolve();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QLabel* addLabel(const char* name, ColorRole role);
    void buildSolve(QVBoxLayout& layout);
    void showFigures();
    void arrangeFigures();
    void fillUnknowns();
    void solve();

    Theme& m_theme;
    PlannerModel& m_model;
    PlannerEdits& m_edits;
    Card* m_card = nullptr;
    ToneLabel* m_verdict = nullptr;
    QLabel *m_value = nullptr, *m_range = nullptr, *m_problem = nullptr, *m_formula = nullptr,
           *m_numbers = nullptr, *m_notes = nullptr, *m_solved = nullptr;
    QWidget *m_figures = nullptr, *m_solveRow = nullptr;
    QGridLayout* m_figureGrid = nullptr;
    std::vector<std::pair<QLabel*, QLabel*>> m_figureLabels;
    QComboBox* m_unknown = nullptr;
    QLineEdit* m_target = nullptr;
    QPushButton* m_solve = nullptr;
    int m_figureColumns = 0;
    int m_question = -1;  ///< question of which the solve row was filled
};

}  // namespace plumb::ui
