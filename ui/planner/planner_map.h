// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/planner/planner_edits.h"

#include <QObject>

class QComboBox;
class QPushButton;

namespace plumb::ui {

class Card;
class HeatMap;
class SegmentedControl;
class Theme;

/// Step time or memory over two inputs.
class PlannerMap final : public QObject {
    Q_OBJECT
public:
    /// All outlive it; `parent` gets the card.
    PlannerMap(Theme& theme, PlannerModel& model, PlannerEdits& edits, QWidget* parent);

    [[nodiscard]] Card* card() const { return m_card; }
    /// The inputs that the map is over.
    void showAxes();
    void show();
    void showProgress();

private:
    PlannerModel& m_model;
    PlannerEdits& m_edits;
    Card* m_card;
    HeatMap* m_map;
    QComboBox *m_x, *m_y;
    SegmentedControl* m_value;
    QPushButton* m_cancel;
};

}  // namespace plumb::ui
