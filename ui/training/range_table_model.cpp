// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/training/range_table_model.h"

#include "ui/training/training_text.h"

#include <utility>

namespace plumb::ui {
namespace {

// Shares from which lost values are marked as bad; fp8 saturates a few at every change of its scale.
constexpr double kMuchOver = 0.001;
constexpr double kMuchUnder = 0.01;

ScaleKind kindAt(int column) { return entryAt(kAllScaleKinds, (column - 1) / 2); }
bool isOverflow(int column) { return (column - 1) % 2 == 0; }

}  // namespace

void RangeTableModel::setRows(std::vector<RangeRow> rows) {
    if (rows.size() != m_rows.size()) {
        beginResetModel();
        m_rows = std::move(rows);
        endResetModel();
        return;
    }
    m_rows = std::move(rows);
    if (!m_rows.empty()) emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

QVariant RangeTableModel::cell(const RangeRow& row, int column, int role) const {
    if (column == 0) return role == Qt::DisplayRole ? QVariant(row.layer) : QVariant();
    if (role == Qt::TextAlignmentRole) return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    const auto& cell = row.cells[kindAt(column)];
    const bool over = isOverflow(column);
    if (!cell) return role == Qt::DisplayRole ? QVariant(QStringLiteral("–")) : QVariant();
    const double share = over ? cell->overflowedShare : cell->underflowedShare;
    const double count = over ? cell->overflowed : cell->underflowed;
    switch (role) {
    case Qt::DisplayRole:
        return shareText(share);
    case Qt::ForegroundRole:
        if (share >= (over ? kMuchOver : kMuchUnder)) return m_theme.color(ColorRole::Bad);
        return share > 0 ? m_theme.color(ColorRole::Text) : m_theme.color(ColorRole::TextMuted);
    case Qt::ToolTipRole:
        return over ? tr("%1 values were too large in the steps that were observed")
                          .arg(countText(static_cast<std::int64_t>(count)))
                    : tr("%1 values became 0 in the steps that were observed")
                          .arg(countText(static_cast<std::int64_t>(count)));
    default:
        return {};
    }
}

QVariant RangeTableModel::title(int column, int role) const {
    if (role == Qt::TextAlignmentRole)
        return QVariant((column == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (column == 0) return role == Qt::DisplayRole ? QVariant(tr("layer")) : QVariant();
    static constexpr std::array kNames{QT_TR_NOOP("activations"), QT_TR_NOOP("weights"),
                                       QT_TR_NOOP("act. grad."), QT_TR_NOOP("gradients")};
    const QString name = tr(kNames.at(static_cast<std::size_t>(kindAt(column))));
    if (role == Qt::DisplayRole) return isOverflow(column) ? name + QStringLiteral(" ↑") : tr("↓ zero");
    if (role == Qt::ToolTipRole) {
        static constexpr std::array kWhat{QT_TR_NOOP("activations"), QT_TR_NOOP("weights"),
                                          QT_TR_NOOP("gradients of activations"),
                                          QT_TR_NOOP("gradients of weights")};
        const QString what = tr(kWhat.at(static_cast<std::size_t>(kindAt(column))));
        return isOverflow(column) ? tr("Share of the %1 that were too large for the format").arg(what)
                                  : tr("Share of the %1 that were too small and became 0").arg(what);
    }
    return {};
}

}  // namespace plumb::ui
