// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/theme.h"
#include "ui/training/layer_scales_state.h"

#include <QAbstractTableModel>

namespace plumb::ui {

/// Over- and underflow by layer: a column for the layer, then two for each kind of tensor.
class RangeTableModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    RangeTableModel(Theme& theme, QObject* parent) : QAbstractTableModel(parent), m_theme(theme) {}

    void setRows(std::vector<RangeRow> rows);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    Theme& m_theme;
    std::vector<RangeRow> m_rows;
};

}  // namespace plumb::ui
