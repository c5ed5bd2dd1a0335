// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/compare/comparison.h"

#include <QAbstractTableModel>
#include <QStringList>

#include <vector>

namespace plumb::ui {

/// Read-only table of what was chosen or found differently: a row for each fact, a column for each step.
class FactsModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    explicit FactsModel(QObject* parent = nullptr) : QAbstractTableModel(parent) {}

    /// `steps` are the columns, by their places in the comparison.
    void setFacts(const Comparison& comparison, const std::vector<std::size_t>& steps);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override;

private:
    std::vector<FactRow> m_facts;
    std::vector<std::size_t> m_steps;
    QStringList m_labels;
};

}  // namespace plumb::ui
