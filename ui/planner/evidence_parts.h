// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/planner/evidence_model.h"
#include "ui/widgets/rows_model.h"

#include <cstdint>

namespace plumb::ui {

enum class PartColumn : std::uint8_t { Name, Rows, Median, Ninetieth, Bias, Held, Without };
constexpr PartColumn lastOf(PartColumn /*type*/) { return PartColumn::Without; }

/// Parts of the published trainings with how far the predictions are from them.
class EvidenceParts final : public RowsModel<EvidencePart> {
    Q_OBJECT
public:
    using RowsModel::RowsModel;

    void setParts(std::vector<EvidencePart> parts);
    /// What stands here, tabs between the columns.
    [[nodiscard]] QString text() const;

protected:
    [[nodiscard]] int columns() const override;
    [[nodiscard]] QVariant cell(const EvidencePart& part, int column, int role) const override;
    [[nodiscard]] QVariant title(int column, int role) const override;
};

}  // namespace plumb::ui
