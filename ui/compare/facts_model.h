// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/compare/comparison.h"
#include "ui/widgets/rows_model.h"

#include <QStringList>

#include <vector>

namespace plumb::ui {

/// Read-only table of what was chosen or found differently: a row for each fact, a column for each step.
class FactsModel final : public RowsModel<FactRow> {
    Q_OBJECT
public:
    using RowsModel::RowsModel;

    /// `steps` are the columns, by their places in the comparison.
    void setFacts(const Comparison& comparison, const std::vector<std::size_t>& steps);

private:
    [[nodiscard]] int columns() const override { return 1 + static_cast<int>(m_steps.size()); }
    [[nodiscard]] QVariant cell(const FactRow& fact, int column, int role) const override;
    [[nodiscard]] QVariant title(int column, int role) const override;

    std::vector<std::size_t> m_steps;
    QStringList m_labels;
};

}  // namespace plumb::ui
