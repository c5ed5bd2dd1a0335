// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/block_model.h"

#include "core/base/entry_at.h"
#include "core/lab/format_text.h"
#include "ui/lab/dtype_state.h"
#include "ui/theme/text.h"

#include <QBrush>
#include <QFont>

#include <array>
#include <cmath>

namespace plumb::ui {
BlockModel::BlockModel(Theme& theme, QObject* parent) : QAbstractTableModel(parent), m_theme(theme) {}

void BlockModel::setState(const BlockState& state) {
    if (state.numbers.size() == m_state.numbers.size() && !m_state.columns.empty()) {
        m_state = state;
        emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
        return;
    }
    beginResetModel();
    m_state = state;
    endResetModel();
}

int BlockModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || m_state.columns.empty()
               ? 0
               : kSummaryRows + static_cast<int>(m_state.numbers.size());
}

int BlockModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : 1 + static_cast<int>(lab::blockFormats().size());
}

QVariant BlockModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (role == Qt::TextAlignmentRole && orientation == Qt::Horizontal)
        return QVariant::fromValue(Qt::Alignment(section == 0 ? Qt::AlignLeft : Qt::AlignRight) |
                                   Qt::AlignVCenter);
    if (role != Qt::DisplayRole) return {};
    if (orientation == Qt::Vertical)
        return section < kSummaryRows ? QString() : QString::number(section - kSummaryRows);
    if (section == 0) return tr("given");
    return coreText(entryAt(lab::blockFormats(), section - 1).label);
}

QVariant BlockModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const int row = index.row();
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::Alignment(index.column() == 0 ? Qt::AlignLeft : Qt::AlignRight) |
                                   Qt::AlignVCenter);
    if (index.column() == 0) {
        static const std::array<const char*, kSummaryRows> names{
            QT_TR_NOOP("scale"), QT_TR_NOOP("bits per number"), QT_TR_NOOP("error (RMS)"),
            QT_TR_NOOP("became 0, clipped")};
        if (row < kSummaryRows) {
            if (role == Qt::ForegroundRole) return QBrush(m_theme.color(ColorRole::TextMuted));
            return role == Qt::DisplayRole ? tr(names.at(static_cast<std::size_t>(row))) : QVariant();
        }
        const double number = entryAt(m_state.numbers, row - kSummaryRows);
        if (role == kRawRole) return number;
        if (role == Qt::DisplayRole)
            return row == kSummaryRows ? tr("%1 (typed)").arg(labNumber(number)) : labNumber(number);
        return {};
    }
    const BlockColumn& column = entryAt(m_state.columns, index.column() - 1);
    return row < kSummaryRows ? summary(row, column, role)
                              : element(static_cast<std::size_t>(row - kSummaryRows), column, role);
}

QVariant BlockModel::summary(int row, const BlockColumn& column, int role) const {
    if (role == Qt::DisplayRole) {
        if (row == 0) return column.scale;
        if (row == 1) return numberText(column.format.bitsPerElement(), 'g', 4);
        if (row == 2) return QStringLiteral("%1 %").arg(numberText(column.rmsRelative * 100, 'g', 3));
        return QStringLiteral("%1, %2").arg(column.zeros).arg(column.clipped);
    }
    if (role == kRawRole && row == 2) return column.rmsRelative;
    if (role == Qt::ForegroundRole && row == 3 && column.zeros + column.clipped > 0)
        return QBrush(m_theme.color(ColorRole::Bad));
    if (role != Qt::ToolTipRole) return {};
    if (row == 0) {
        QStringList codes;
        for (const lab::StoredBlock& block : column.blocks)
            codes << QStringLiteral("0x%1").arg(block.scaleCode, 2, 16, QLatin1Char('0'));
        const QString what = column.format.powerOfTwo ? tr("E8M0 scale of every %1 numbers: 2^(floor(log2 of "
                                                           "the largest) − largest exponent of the "
                                                           "element)")
                                                      : tr("E4M3 scale of every %1 numbers under one fp32 "
                                                           "scale of the tensor: largest / (6 × 448)");
        return QStringLiteral("%1\n%2 %3")
            .arg(what.arg(column.format.block), tr("code"), codes.join(QStringLiteral(", ")));
    }
    if (row == 1) return tr("bits of an element + 8 bits of the scale / %1").arg(column.format.block);
    if (row == 2) return tr("root mean square of stored − given, over that of the given numbers");
    return tr("numbers other than 0 that became 0, and numbers that were cut at the largest one");
}

QVariant BlockModel::element(std::size_t number, const BlockColumn& column, int role) const {
    const StoredNumber& stored = column.element(number);
    const double given = m_state.numbers[number];
    const double value = column.value(number);
    const bool lost = given != 0 && value == 0;
    if (role == kRawRole) return value;
    if (role == Qt::DisplayRole) return numberText(value, 'g', 6);
    if (role == Qt::ForegroundRole)
        return QBrush(m_theme.color(lost || stored.fate == Fate::Saturated ? ColorRole::Bad
                                    : value == given                       ? ColorRole::Good
                                                                           : ColorRole::Text));
    if (role == Qt::ToolTipRole) {
        const auto format = findFormat(column.format.element);
        const QString code = format.has_value() ? toText(lab::bitsText(*format, stored.code)) : QString();
        return tr("%1 × scale %2 = %3\nbits %4\nerror %5\n%6")
            .arg(labNumber(stored.value), numberText(column.blockOf(number).scale, 'g', 4), labNumber(value),
                 code, numberText(value - given, 'g', 3),
                 lost ? tr("underflow: becomes 0") : verdictText(stored));
    }
    return {};
}

}  // namespace plumb::ui
