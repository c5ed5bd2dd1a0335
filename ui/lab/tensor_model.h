// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lab/tensor_state.h"
#include "ui/widgets/rows_model.h"

namespace plumb::ui {

/// The steps from a tensor to its last view or copy, a row each. The text of a step can be edited.
class TensorModel final : public RowsModel<TensorRow> {
    Q_OBJECT
public:
    enum Column { Step, Shape, Strides, Offset, Memory, Cost };
    static constexpr int kColumns = Cost + 1;

    explicit TensorModel(Theme& theme, QObject* parent = nullptr);

    void setState(const TensorState& state);
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;

signals:
    void stepEdited(int row, const QString& text);  ///< row 1 is the first step

private:
    [[nodiscard]] int columns() const override { return kColumns; }
    [[nodiscard]] QVariant cell(const TensorRow& row, int column, int role) const override;
    [[nodiscard]] QVariant title(int column, int role) const override;

    Theme& m_theme;
};

}  // namespace plumb::ui
