// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/facts_model.h"

#include "core/base/entry_at.h"
#include "core/compare/difference.h"
#include "ui/theme/text.h"

namespace plumb::ui {

void FactsModel::setFacts(const Comparison& comparison, const std::vector<std::size_t>& steps) {
    beginResetModel();
    m_facts.clear();
    m_labels.clear();
    m_steps = steps;
    for (const FactRow& fact : comparison.facts)
        for (const std::size_t step : steps)
            if (fact.values[step] != fact.values[steps.front()]) {
                m_facts.push_back(fact);
                break;
            }
    for (const std::size_t step : steps) m_labels << toText(comparison.steps[step].label);
    endResetModel();
}

int FactsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_facts.size());
}

int FactsModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : 1 + static_cast<int>(m_steps.size());
}

QVariant FactsModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const FactRow& fact = entryAt(m_facts, index.row());
    const auto valueText = [&] {
        const std::string& value = fact.values[entryAt(m_steps, index.column() - 1)];
        return value.empty() ? toText(kNoNumber) : toText(value);
    };
    if (role == Qt::DisplayRole && index.column() == 0)
        return fact.isEnvironment ? tr("%1 (environment)").arg(toText(fact.name)) : toText(fact.name);
    if (role == Qt::DisplayRole) return valueText();
    if (role == Qt::ToolTipRole)
        return index.column() > 0   ? valueText()
               : fact.isEnvironment ? tr("%1: what the step ran on").arg(toText(fact.name))
                                    : tr("%1: chosen for the step").arg(toText(fact.name));
    return {};
}

QVariant FactsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole) return static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter);
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole) return {};
    return section == 0 ? tr("setting") : m_labels.value(section - 1);
}

}  // namespace plumb::ui
