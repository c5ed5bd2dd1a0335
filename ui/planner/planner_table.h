// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/planner/planner_edits.h"

#include <QObject>

class QLabel;

namespace plumb::ui {

class Card;
class RemarkTable;
class Theme;

/// What could be done instead, for two of the questions: ways to spread the work, or other devices.
class PlannerTable final : public QObject {
    Q_OBJECT
public:
    /// All outlive it; `parent` gets the card.
    PlannerTable(Theme& theme, PlannerModel& model, PlannerEdits& edits, QWidget* parent);

    [[nodiscard]] Card* card() const { return m_card; }
    void show();
    /// Makes the card as high as table and note need it: of a text that wraps, a grid asks for less.
    void fit();

private:
    void fillShardings();
    void fillDevices();
    void take(int row);

    Theme& m_theme;
    PlannerModel& m_model;
    PlannerEdits& m_edits;
    Card* m_card;
    RemarkTable* m_table;
    QLabel* m_note;
};

}  // namespace plumb::ui
