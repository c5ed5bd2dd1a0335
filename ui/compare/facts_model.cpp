// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/facts_model.h"

#include "core/base/entry_at.h"
#include "core/compare/difference.h"
#include "core/model/run_config.h"
#include "ui/theme/text.h"
#include "ui/workbench/option_titles.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace plumb::ui {
namespace {

const OptionInfo* optionOf(const FactRow& fact) {
    if (fact.isEnvironment) return nullptr;
    const std::vector<OptionInfo>& options = runOptions();
    const auto found = std::ranges::find(options, fact.name, &OptionInfo::name);
    return found == options.end() ? nullptr : &*found;
}

QString factName(const FactRow& fact) {
    return optionOf(fact) ? optionTitle(fact.name) : coreText(fact.name);
}

/// Names of formats and rules are the same everywhere, and a file is called as it is.
QString factValue(const FactRow& fact, const std::string& value) {
    if (fact.isEnvironment && fact.name == "device") return deviceText(value);
    constexpr std::array<std::string_view, 5> kWords{"on", "off", "none", "all", "synthetic"};
    return optionOf(fact) && std::ranges::count(kWords, value) ? coreText(value) : toText(value);
}

}  // namespace

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
        return value.empty() ? toText(kNoNumber) : factValue(fact, value);
    };
    if (role == Qt::DisplayRole && column == 0)
        return fact.isEnvironment ? tr("%1 (environment)").arg(factName(fact)) : factName(fact);
    if (role == Qt::DisplayRole) return valueText();
    if (role == Qt::ToolTipRole)
        return column > 0           ? valueText()
               : fact.isEnvironment ? tr("%1: what the step ran on").arg(factName(fact))
                                    : tr("%1: chosen for the step").arg(factName(fact));
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
