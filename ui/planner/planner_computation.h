// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/planner/planner_edits.h"
#include "ui/planner/planner_rows.h"

#include <QObject>

class QComboBox;

namespace plumb::ui {

class Theme;

/// How a step is computed, in the panel of the planner: as a framework does it, what is worked out again, by
/// which software, and what lies in the host's memory. Each change is one step to undo.
class PlannerComputation final : public QObject {
    Q_OBJECT
public:
    /// All outlive it; `panel` is its parent.
    PlannerComputation(Theme& theme, PlannerModel& model, PlannerEdits& edits, QWidget& panel);

    // In this order, which is that of the keyboard; the panel has rows of its own between.
    void addFramework(QVBoxLayout& layout);
    void addRecomputation(QVBoxLayout& layout);
    void addSoftware(QVBoxLayout& layout);
    void addOffload(QVBoxLayout& layout);
    void refresh();

private:
    void chooseFramework(int index);
    void changeRecipe(const planner::Recipe& recipe, const QString& what);

    Theme& m_theme;
    PlannerModel& m_model;
    PlannerEdits& m_edits;
    QWidget& m_panel;
    QComboBox *m_framework = nullptr, *m_recompute = nullptr, *m_software = nullptr;
    QWidget* m_frameworkRow = nullptr;
    PlannerBoxes m_again, m_offload;  ///< in the order of LayerPart, and of kOffloadParts
};

}  // namespace plumb::ui
