// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/facts_model.h"

#include "core/base/entry_at.h"
#include "core/compare/difference.h"
#include "ui/theme/text.h"

namespace plumb::ui {

void FactsModel::setFacts(const Comparison& comparison, const std::vector<std::size_t>& steps) {
    beginResetModel();
    m_rows.clear();
    m_labels.clear();
    m_steps = steps;
    for (const FactRow& fact : comparison.facts)
        for (const std::size_t step : steps)
            if (fact.values[step] != fact.values[steps.front()]) {
                m_rows.push_back(fact);
                break;
            }
    for (const std::size_t step : steps) m_labels << toText(comparison.steps[step].label);
    endResetModel();
}

QVariant FactsModel::cell(const FactRow& fact, int column, int role) const {
    const auto valueText = [&] {
        const std::string& value = fact.values[entryAt(m_steps, column - 1)];
        return value.empty() ? toText(kNoNumber) : toText(value);
    };
    if (role == Qt::DisplayRole && column == 0)
        return fact.isEnvironment ? tr("%1 (environment)").arg(coreText(fact.name)) : coreText(fact.name);
    if (role == Qt::DisplayRole) return valueText();
    if (role == Qt::ToolTipRole)
        return column > 0           ? valueText()
               : fact.isEnvironment ? tr("%1: what the step ran on").arg(coreText(fact.name))
                                    : tr("%1: chosen for the step").arg(coreText(fact.name));
    return {};
}

QVariant FactsModel::title(int column, int role) const {
    if (role == Qt::TextAlignmentRole) return static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter);
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole) return {};
    if (column > 0) return m_labels.value(column - 1);
    return role == Qt::ToolTipRole
               ? tr("What was chosen for the steps, or what they ran on, and is not the same")
               : tr("setting");
}

}  // namespace plumb::ui
