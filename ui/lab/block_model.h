// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lab/block_state.h"

#include <QAbstractTableModel>

namespace plumb::ui {

/// The numbers of a block and what every block format makes of them: first what holds for the whole block,
/// then a row for each number. The column "given" comes first, then one for each format.
class BlockModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    static constexpr int kSummaryRows = 4;  ///< scale, bits per element, error, zeros
    static constexpr int kRawRole = Qt::UserRole;

    explicit BlockModel(Theme& theme, QObject* parent = nullptr);

    void setState(const BlockState& state);
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] QVariant summary(int row, const BlockColumn& column, int role) const;
    [[nodiscard]] QVariant element(std::size_t number, const BlockColumn& column, int role) const;

    Theme& m_theme;
    BlockState m_state;
};

}  // namespace plumb::ui
