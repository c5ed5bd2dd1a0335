// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/step_budget.h"

namespace plumb::ui {

void StepBudget::open(const QString& path) {
    Result<Budget> budget = readBudget(path.toStdString());
    if (!budget.has_value()) {
        emit failed(budget.error());
        return;
    }
    m_budget = budget.value();
    m_path = path;
    emit changed();
}

void StepBudget::clear() {
    m_budget.reset();
    m_path.clear();
    emit changed();
}

std::vector<BudgetLine> StepBudget::lines(const Comparison& comparison, std::size_t index) const {
    if (!m_budget) return {};
    return checkBudget(*m_budget, comparison.steps[index], &comparison.steps.front());
}

}  // namespace plumb::ui
