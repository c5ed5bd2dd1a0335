// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/ranks/ranks_state.h"
#include "ui/theme/theme.h"
#include "ui/widgets/rows_model.h"

namespace plumb::ui {

enum class CategoryColumn { Name, Predicted, Measured };
inline constexpr int kCategoryColumns = 3;

/// A category at the peak of a rank; without one, all of them together.
struct CategoryRow {
    std::optional<Category> category;
    std::optional<Bytes> predicted, measured;
    bool operator==(const CategoryRow&) const = default;
};

/// What the most memory of one rank is for: a row for each category that it has, and their sum.
class CategoryModel final : public RowsModel<CategoryRow> {
    Q_OBJECT
public:
    /// Bytes behind a cell; invalid where it is not known.
    static constexpr int kRawRole = Qt::UserRole;
    explicit CategoryModel(Theme& theme, QObject* parent = nullptr) : RowsModel(parent), m_theme(theme) {}

    /// Categories that no rank of the state has are left out, so that rows stay from rank to rank.
    void setRank(const RanksState& state, int rank);
    /// RFC 4180 text of all rows, in bytes.
    [[nodiscard]] QString csv() const;

private:
    [[nodiscard]] int columns() const override { return kCategoryColumns; }
    [[nodiscard]] QVariant cell(const CategoryRow& row, int column, int role) const override;
    [[nodiscard]] QVariant title(int column, int role) const override;

    Theme& m_theme;
};

}  // namespace plumb::ui
