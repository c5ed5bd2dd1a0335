// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/tensor_model.h"

#include <QBrush>
#include <QFont>

#include <algorithm>
#include <array>

namespace plumb::ui {

TensorModel::TensorModel(Theme& theme, QObject* parent) : RowsModel(parent), m_theme(theme) {}

void TensorModel::setState(const TensorState& state) {
    const auto before = static_cast<int>(m_rows.size());
    const auto now = static_cast<int>(state.rows.size());
    // Rows come and go at the end, so that the selection stays where it is.
    if (now < before) {
        beginRemoveRows({}, now, before - 1);
        m_rows.resize(static_cast<std::size_t>(now));
        endRemoveRows();
    }
    const int common = std::min(before, now);
    std::copy_n(state.rows.begin(), common, m_rows.begin());
    if (common > 0) emit dataChanged(index(0, 0), index(common - 1, kColumns - 1));
    if (now > before) {
        beginInsertRows({}, before, now - 1);
        m_rows = state.rows;
        endInsertRows();
    }
}

QVariant TensorModel::title(int column, int role) const {
    if (role == Qt::TextAlignmentRole) return QVariant::fromValue(Qt::AlignLeft | Qt::AlignVCenter);
    const std::array<QString, kColumns> names{
        tr("step", "done to a tensor"), tr("shape"), tr("strides"), tr("offset"), tr("memory", "of a tensor"),
        tr("cost", "of a copy")};
    static const std::array<const char*, kColumns> tips{
        QT_TR_NOOP("In the words of torch; double click to edit, Del takes it out"),
        QT_TR_NOOP("Elements along each dimension"),
        QT_TR_NOOP("Elements of the storage from one index to the next, for each dimension"),
        QT_TR_NOOP("Where the tensor begins in its storage, in elements"),
        QT_TR_NOOP("Whether the step shares the memory or copies"),
        QT_TR_NOOP("Bytes that a copy moves, and the least time for it")};
    if (role == Qt::DisplayRole) return entryAt(names, column);
    if (role == Qt::ToolTipRole) return tr(entryAt(tips, column));
    return {};
}

QVariant TensorModel::cell(const TensorRow& row, int column, int role) const {
    if (role == Qt::ToolTipRole) return row.toolTip;
    if (role == Qt::ForegroundRole) {
        if (!row.reached) return QBrush(m_theme.color(ColorRole::Ghost));
        if (column == Memory) return QBrush(m_theme.color(row.tone));
        return QBrush(m_theme.color(row.failure.isEmpty() ? ColorRole::Text : ColorRole::Bad));
    }
    if (role != Qt::DisplayRole && role != Qt::EditRole) return {};
    switch (column) {
    case Step:
        return row.step;
    case Shape:
        return row.shape;
    case Strides:
        return row.strides;
    case Offset:
        return row.offset;
    case Memory:
        return row.memory;
    case Cost:
        return row.cost;
    default:
        return {};
    }
}

Qt::ItemFlags TensorModel::flags(const QModelIndex& index) const {
    Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    if (index.column() == Step && index.row() > 0) flags |= Qt::ItemIsEditable;
    return flags;
}

bool TensorModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (role != Qt::EditRole || index.column() != Step || index.row() <= 0) return false;
    const QString text = value.toString().trimmed();
    if (text != entryAt(m_rows, index.row()).step) emit stepEdited(index.row(), text);
    return true;
}

}  // namespace plumb::ui
