// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/theme.h"

#include <QWidget>

class QGridLayout;
class QPushButton;

namespace plumb::ui {

class Card;
class ComparedSteps;
class ToneLabel;

/// The budget that the step in detail is held to: each limit, what the step has of it, and whether it keeps
/// it.
class BudgetCard final : public QWidget {
    Q_OBJECT
public:
    BudgetCard(Theme& theme, ComparedSteps& steps, QWidget* parent = nullptr);
    void refresh();

signals:
    void budgetWanted();

private:
    void addLine(int row, const QStringList& cells, bool isKept);

    Theme& m_theme;
    ComparedSteps& m_steps;
    Card* m_card;
    QWidget* m_content;
    QGridLayout* m_grid;
    QPushButton* m_remove;
};

}  // namespace plumb::ui
