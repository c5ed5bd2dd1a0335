// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

#include <vector>

class QCheckBox;
class QComboBox;
class QVBoxLayout;
class QWidget;

namespace plumb::ui {

class Theme;

/// A chooser in the column of the planner's inputs, below its label; with `row` beside it, which is then
/// told.
[[nodiscard]] QComboBox* addPlannerCombo(QVBoxLayout& layout, QWidget& panel, Theme& theme,
                                         const QString& label, const char* name, QWidget** row = nullptr);

/// Boxes to tick below a label, as many in a line as the column has room for.
struct PlannerBoxes {
    QWidget* row = nullptr;
    std::vector<QCheckBox*> boxes;
};
/// The boxes are called `name` and their own label behind it.
[[nodiscard]] PlannerBoxes addPlannerBoxes(QVBoxLayout& layout, QWidget& panel, Theme& theme,
                                           const QString& label, const char* name, const QStringList& labels);

}  // namespace plumb::ui
