// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/ranks/ranks_state.h"
#include "ui/theme/theme.h"
#include "ui/widgets/rows_model.h"

#include <QStyledItemDelegate>

namespace plumb::ui {

enum class CollectiveColumn { Name, Group, Planned, Counted, Time, Bandwidth, Exposed };
inline constexpr int kCollectiveColumns = 7;

/// The collectives of a step. Times are measured ones where these are, else predicted. Sorts by itself.
class CollectivesModel final : public RowsModel<CollectiveRow> {
    Q_OBJECT
public:
    /// The unrounded SI value behind a cell; invalid for a text and what is not known.
    static constexpr int kRawRole = Qt::UserRole;
    /// double: bus bandwidth as a share of the highest of all.
    static constexpr int kShareRole = Qt::UserRole + 1;
    explicit CollectivesModel(Theme& theme, QObject* parent = nullptr) : RowsModel(parent), m_theme(theme) {}

    void setRows(std::vector<CollectiveRow> rows);
    /// The row of the op; -1: there is none.
    [[nodiscard]] int rowOf(std::int32_t op) const;
    void sort(int column, Qt::SortOrder order) override;
    /// RFC 4180 text of these rows, in SI units.
    [[nodiscard]] QString csv(const std::vector<int>& rows) const;

private:
    [[nodiscard]] int columns() const override { return kCollectiveColumns; }
    [[nodiscard]] QVariant cell(const CollectiveRow& row, int column, int role) const override;
    [[nodiscard]] QVariant title(int column, int role) const override;
    [[nodiscard]] static std::optional<double> value(const CollectiveRow& row, CollectiveColumn column);
    [[nodiscard]] QString text(const CollectiveRow& row, CollectiveColumn column) const;
    [[nodiscard]] QString toolTip(const CollectiveRow& row, CollectiveColumn column) const;
    [[nodiscard]] ColorRole tone(const CollectiveRow& row, CollectiveColumn column) const;
    void arrange();

    Theme& m_theme;
    double m_fastest = 0;  ///< bytes per second
    int m_column = -1;     ///< -1: in the order of the step
    Qt::SortOrder m_order = Qt::DescendingOrder;
};

/// Draws the bus bandwidth with a bar before it.
class BandwidthDelegate final : public QStyledItemDelegate {
    Q_OBJECT
public:
    BandwidthDelegate(Theme& theme, QObject* parent) : QStyledItemDelegate(parent), m_theme(theme) {}
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;

private:
    Theme& m_theme;
};

}  // namespace plumb::ui
