// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/allocator/compared_model.h"

#include "ui/theme/text.h"

namespace plumb::ui {

QString changeText(MemoryChange change) {
    switch (change) {
    case MemoryChange::Same:
        return tr("same");
    case MemoryChange::Grown:
        return tr("grown");
    case MemoryChange::New:
        return tr("new");
    case MemoryChange::Less:
        return tr("less");
    case MemoryChange::Gone:
        return tr("gone");
    }
    return {};
}

ColorRole toneOf(MemoryChange change) {
    switch (change) {
    case MemoryChange::Grown:
    case MemoryChange::New:
        return ColorRole::Bad;
    case MemoryChange::Less:
    case MemoryChange::Gone:
        return ColorRole::Good;
    case MemoryChange::Same:
        break;
    }
    return ColorRole::TextMuted;
}

QString signedBytesText(Bytes bytes) { return signedQuantity(static_cast<double>(bytes), "B"); }

void ComparedModel::setRows(std::vector<SiteComparison> rows) {
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
}

QVariant ComparedModel::cell(const SiteComparison& row, int column, int role) const {
    const bool isWord = column == kPlace || column == kWhat;
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue((isWord ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role == Qt::ForegroundRole && (column == kDifference || column == kWhat))
        return m_theme.color(toneOf(row.change()));
    if (role == Qt::ToolTipRole && column == kPlace) return toText(row.site);
    if (role == Qt::ToolTipRole && column == kDifference) return exactText(row.difference(), "B");
    if (role != Qt::DisplayRole) return {};
    const QString none = QStringLiteral("–");
    switch (column) {
    case kPlace:
        return toText(row.site);
    case kBefore:
        return row.before.count == 0 ? none : bytesText(row.before.bytes);
    case kBlocksBefore:
        return row.before.count == 0 ? none : QString::number(row.before.count);
    case kAfter:
        return row.after.count == 0 ? none : bytesText(row.after.bytes);
    case kBlocksAfter:
        return row.after.count == 0 ? none : QString::number(row.after.count);
    case kDifference:
        return signedBytesText(row.difference());
    case kWhat:
        return changeText(row.change());
    default:
        return {};
    }
}

QVariant ComparedModel::title(int column, int role) const {
    const bool isWord = column == kPlace || column == kWhat;
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue((isWord ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole) return {};
    switch (column) {
    case kPlace:
        return tr("Allocated by");
    case kBefore:
        return tr("Before");
    case kBlocksBefore:
    case kBlocksAfter:
        return tr("Blocks");
    case kAfter:
        return tr("After");
    case kDifference:
        return tr("Difference");
    case kWhat:
        return tr("Change");
    default:
        return {};
    }
}

}  // namespace plumb::ui
