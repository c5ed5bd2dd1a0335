// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/planner/plan_comparison.h"
#include "ui/theme/theme.h"

#include <QDialog>

#include <vector>

class QTableWidget;

namespace plumb::ui {

/// Plans side by side: what differs first, then their answers with the differences. What differs is set off.
class PlanComparisonDialog final : public QDialog {
    Q_OBJECT
public:
    PlanComparisonDialog(Theme& theme, planner::PlanComparison comparison, QWidget* parent);

private:
    QTableWidget* addTable(const char* name, const QString& title,
                           const std::vector<planner::ComparedRow>& rows, bool differences);
    /// Gives each column what is in it, and the rest to the first; the width that all need together.
    [[nodiscard]] int fitColumns();
    void paint();

    Theme& m_theme;
    planner::PlanComparison m_comparison;
    std::vector<QTableWidget*> m_tables;
};

}  // namespace plumb::ui
