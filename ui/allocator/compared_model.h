// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/memory_snapshot/memory_comparison.h"
#include "ui/theme/theme.h"
#include "ui/widgets/rows_model.h"

#include <vector>

namespace plumb::ui {

/// What lives in two snapshots by what made it, in the order that it is given.
class ComparedModel final : public RowsModel<SiteComparison> {
    Q_OBJECT
public:
    static constexpr int kPlace = 0, kBefore = 1, kBlocksBefore = 2, kAfter = 3, kBlocksAfter = 4;
    static constexpr int kDifference = 5, kWhat = 6, kColumns = 7;
    explicit ComparedModel(const Theme& theme, QObject* parent = nullptr)
        : RowsModel(parent), m_theme(theme) {}

    void setRows(std::vector<SiteComparison> rows);

private:
    [[nodiscard]] int columns() const override { return kColumns; }
    [[nodiscard]] QVariant cell(const SiteComparison& row, int column, int role) const override;
    [[nodiscard]] QVariant title(int column, int role) const override;

    const Theme& m_theme;
};

/// "grown", "new": for people.
[[nodiscard]] QString changeText(MemoryChange change);
/// Bad for what grew or is new, Good for what is less or gone.
[[nodiscard]] ColorRole toneOf(MemoryChange change);
/// "+2.4 MB", "−1 MB", "0 B".
[[nodiscard]] QString signedBytesText(Bytes bytes);

}  // namespace plumb::ui
