// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lab/tensor_state.h"

#include <QAbstractTableModel>

namespace plumb::ui {

/// The steps from a tensor to its last view or copy, a row each. The text of a step can be edited.
class TensorModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Step, Shape, Strides, Offset, Memory, Cost };
    static constexpr int kColumns = Cost + 1;

    explicit TensorModel(Theme& theme, QObject* parent = nullptr);

    void setState(const TensorState& state);
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;

signals:
    void stepEdited(int row, const QString& text);  ///< row 1 is the first step

private:
    Theme& m_theme;
    std::vector<TensorRow> m_rows;
};

}  // namespace plumb::ui
