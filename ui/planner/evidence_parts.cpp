// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/evidence_parts.h"

#include "core/base/enum_array.h"
#include "ui/planner/evidence_text.h"

#include <QFont>

#include <utility>

namespace plumb::ui {
namespace {

QString partCell(const EvidencePart& part, PartColumn column) {
    const planner::ErrorSummary& summary = part.summary;
    const bool isEmpty = summary.rows == 0;
    switch (column) {
    case PartColumn::Name:
        return part.name;
    case PartColumn::Rows:
        return QString::number(summary.rows);
    case PartColumn::Median:
        return isEmpty ? QStringLiteral("–") : evidenceShare(summary.median);
    case PartColumn::Ninetieth:
        return isEmpty ? QStringLiteral("–") : evidenceShare(summary.ninetieth);
    case PartColumn::Bias:
        return isEmpty ? QStringLiteral("–") : evidenceBias(summary.bias);
    case PartColumn::Held:
        return isEmpty ? QStringLiteral("–") : evidenceShare(summary.held);
    case PartColumn::Without:
        break;
    }
    return part.without > 0 ? QString::number(part.without) : QString();
}

}  // namespace

void EvidenceParts::setParts(std::vector<EvidencePart> parts) {
    beginResetModel();
    m_rows = std::move(parts);
    endResetModel();
}

int EvidenceParts::columns() const { return static_cast<int>(kEnumCount<PartColumn>); }

QVariant EvidenceParts::cell(const EvidencePart& part, int column, int role) const {
    const auto which = static_cast<PartColumn>(column);
    if (role == Qt::DisplayRole) return partCell(part, which);
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((column > 0 ? Qt::AlignRight : Qt::AlignLeft) |
                                static_cast<int>(Qt::AlignVCenter));
    if (role == Qt::ToolTipRole && which == PartColumn::Name) return part.name;
    if (role == Qt::FontRole && part.isWhole) {
        QFont strong;
        strong.setWeight(QFont::DemiBold);
        return strong;
    }
    return {};
}

QVariant EvidenceParts::title(int column, int role) const {
    struct Title {
        const char* text;
        const char* help;
    };
    static const EnumArray<PartColumn, Title> kTitles{
        Title{QT_TR_NOOP("trainings"), QT_TR_NOOP("Enter or a double click looks at this part alone")},
        Title{QT_TR_NOOP("rows"), QT_TR_NOOP("With a prediction and a published figure")},
        Title{QT_TR_NOOP("median"), QT_TR_NOOP("Half of the errors |predicted / published − 1| are smaller")},
        Title{QT_TR_NOOP("90 %"), QT_TR_NOOP("Nine of ten errors are smaller")},
        Title{QT_TR_NOOP("bias"), QT_TR_NOOP("Mean of ln(predicted / published): above 0 predicted too slow, "
                                             "or too much memory")},
        Title{QT_TR_NOOP("range holds"),
              QT_TR_NOOP("Share of the published figures that lie in the predicted range, which is meant to "
                         "hold eight of ten: the tick")},
        Title{QT_TR_NOOP("without"), QT_TR_NOOP("Rows without a prediction, which are in no figure")}};
    const Title& title = kTitles[static_cast<PartColumn>(column)];
    if (role == Qt::DisplayRole) return tr(title.text);
    if (role == Qt::ToolTipRole) return tr(title.help);
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((column > 0 ? Qt::AlignRight : Qt::AlignLeft) |
                                static_cast<int>(Qt::AlignVCenter));
    return {};
}

QString EvidenceParts::text() const {
    QStringList lines, cells;
    for (const PartColumn column : kEnumerators<PartColumn>)
        cells << title(static_cast<int>(column), Qt::DisplayRole).toString();
    lines << cells.join(QLatin1Char('\t'));
    for (const EvidencePart& part : m_rows) {
        cells.clear();
        for (const PartColumn column : kEnumerators<PartColumn>) cells << partCell(part, column);
        lines << cells.join(QLatin1Char('\t'));
    }
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

}  // namespace plumb::ui
