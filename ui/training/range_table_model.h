// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/theme.h"
#include "ui/training/layer_scales_state.h"
#include "ui/widgets/rows_model.h"

namespace plumb::ui {

/// Over- and underflow by layer: a column for the layer, then two for each kind of tensor.
class RangeTableModel final : public RowsModel<RangeRow> {
    Q_OBJECT
public:
    RangeTableModel(Theme& theme, QObject* parent) : RowsModel(parent), m_theme(theme) {}

    void setRows(std::vector<RangeRow> rows);

private:
    [[nodiscard]] int columns() const override { return 1 + 2 * static_cast<int>(kAllScaleKinds.size()); }
    [[nodiscard]] QVariant cell(const RangeRow& row, int column, int role) const override;
    [[nodiscard]] QVariant title(int column, int role) const override;

    Theme& m_theme;
};

}  // namespace plumb::ui
