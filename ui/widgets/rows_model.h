// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/entry_at.h"

#include <QAbstractTableModel>

#include <vector>

namespace plumb::ui {

/// A table with a row for each entry of a list. What its cells and the titles of its columns are is the
/// model's own.
template <class Row>
class RowsModel : public QAbstractTableModel {
public:
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const final {
        return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
    }
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const final {
        return parent.isValid() ? 0 : columns();
    }
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const final {
        return index.isValid() ? cell(row(index.row()), index.column(), role) : QVariant();
    }
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const final {
        const bool isThere = orientation == Qt::Horizontal && section >= 0 && section < columns();
        return isThere ? title(section, role) : QVariant();
    }
    [[nodiscard]] const Row& row(int index) const { return entryAt(m_rows, index); }

protected:
    using QAbstractTableModel::QAbstractTableModel;

    [[nodiscard]] virtual int columns() const = 0;
    [[nodiscard]] virtual QVariant cell(const Row& row, int column, int role) const = 0;
    [[nodiscard]] virtual QVariant title(int column, int role) const = 0;

    std::vector<Row> m_rows;
};

}  // namespace plumb::ui
