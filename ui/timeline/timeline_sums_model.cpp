// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_sums_model.h"

#include "core/base/entry_at.h"
#include "ui/theme/text.h"

#include <array>
#include <cmath>
#include <utility>

namespace plumb::ui {
namespace {

QString quantity(std::optional<double> value, const char* unit) {
    return value ? quantityText(*value, unit) : QStringLiteral("–");
}

std::optional<double> ratio(std::optional<double> a, std::optional<double> b) {
    return a && b && *b > 0 ? std::optional(*a / *b) : std::nullopt;
}

}  // namespace

TimelineSumsModel::TimelineSumsModel(Theme& theme, QObject* parent)
    : QAbstractTableModel(parent), m_theme(theme) {}

void TimelineSumsModel::setSums(TimelineSums sums) {
    beginResetModel();
    m_sums = std::move(sums);
    endResetModel();
    emit headerDataChanged(Qt::Horizontal, 0, kColumns - 1);
}

const TimelineSum& TimelineSumsModel::sumAt(int row) const {
    if (m_sums.allOps && row == 0) return *m_sums.allOps;
    return entryAt(m_sums.rows, row - (m_sums.allOps ? 1 : 0));
}

int TimelineSumsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_sums.rows.size()) + (m_sums.allOps ? 1 : 0);
}

int TimelineSumsModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : kColumns;
}

std::optional<double> TimelineSumsModel::value(const TimelineSum& sum, Column column) const {
    switch (column) {
    case Column::Kind:
        return std::nullopt;
    case Column::Count:
        return static_cast<double>(sum.count);
    case Column::Measured:
        return sum.seconds;
    case Column::Share:
        return ratio(sum.seconds, m_sums.span());
    case Column::Predicted:
        return sum.predicted;
    case Column::Difference:
        // As in Operations: what is asked for against what it is compared with.
        if (const auto share =
                isWhatIf() ? ratio(sum.predicted, sum.seconds) : ratio(sum.seconds, sum.predicted))
            return *share - 1;
        return std::nullopt;
    case Column::Flops:
        return sum.flops;
    case Column::Rate:
        return ratio(sum.flops, sum.seconds);
    case Column::Bytes:
        return sum.bytes;
    case Column::Bandwidth:
        return ratio(sum.bytes, sum.seconds);
    }
    return std::nullopt;
}

QString TimelineSumsModel::text(const TimelineSum& sum, Column column) const {
    const std::optional<double> number = value(sum, column);
    switch (column) {
    case Column::Kind:
        return sum.label;
    case Column::Count:
        return exactText(sum.count, "");
    case Column::Measured:
    case Column::Predicted:
        return quantity(number, "s");
    case Column::Share:
        return number ? tr("%1 %").arg(numberText(*number * 100, 'f', 1)) : QStringLiteral("–");
    case Column::Difference:
        return number ? relativeText(*number) : QStringLiteral("–");
    case Column::Flops:
        return quantity(number, "FLOP");
    case Column::Rate:
        return quantity(number, "FLOP/s");
    case Column::Bytes:
        return quantity(number, "B");
    case Column::Bandwidth:
        return quantity(number, "B/s");
    }
    return {};
}

QString TimelineSumsModel::toolTip(const TimelineSum& sum, Column column) const {
    const QString cut = tr("Bars that reach out of the range count with the part inside it.");
    switch (column) {
    case Column::Kind:
        return sum.label;
    case Column::Count:
        return tr("Bars in the range");
    case Column::Measured:
        return tr("%1, measured. %2").arg(exactTime(sum.seconds), cut);
    case Column::Share:
        return tr("time / range = %1 / %2").arg(exactTime(sum.seconds), exactTime(m_sums.span()));
    case Column::Predicted:
        return sum.predicted
                   ? tr("%1, predicted for what ran. %2").arg(exactTime(*sum.predicted), cut)
                   : tr("No prediction: only operations have one, and the machine's ceilings must be known");
    case Column::Difference:
        if (!sum.predicted) return tr("There is no prediction to compare with");
        return isWhatIf() ? tr("what-if / run − 1 = %1 / %2 − 1")
                                .arg(exactTime(*sum.predicted), exactTime(sum.seconds))
                          : tr("measured / predicted − 1 = %1 / %2 − 1")
                                .arg(exactTime(sum.seconds), exactTime(*sum.predicted));
    case Column::Flops:
        return sum.flops
                   ? tr("%1, from the plan. %2")
                         .arg(exactText(static_cast<std::int64_t>(std::llround(*sum.flops)), "FLOP"), cut)
                   : tr("Not known: the plan counts FLOPs of operations only");
    case Column::Rate:
        return sum.flops
                   ? tr("FLOPs / time = %1 / %2").arg(quantity(sum.flops, "FLOP"), exactTime(sum.seconds))
                   : tr("Not known: there are no FLOPs");
    case Column::Bytes:
        return sum.bytes
                   ? tr("%1: %2. %3")
                         .arg(exactText(static_cast<std::int64_t>(std::llround(*sum.bytes)), "B"),
                              sum.isOp ? tr("compulsory traffic, from the plan") : tr("moved, measured"), cut)
                   : tr("Not known");
    case Column::Bandwidth:
        return sum.bytes ? tr("bytes / time = %1 / %2").arg(quantity(sum.bytes, "B"), exactTime(sum.seconds))
                         : tr("Not known: there are no bytes");
    }
    return {};
}

QVariant TimelineSumsModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) return {};
    const TimelineSum& sum = sumAt(index.row());
    const auto column = static_cast<Column>(index.column());
    const bool isAll = m_sums.allOps && index.row() == 0;
    switch (role) {
    case Qt::DisplayRole:
        return text(sum, column);
    case Qt::ToolTipRole:
        return toolTip(sum, column);
    case Qt::TextAlignmentRole:
        return static_cast<int>((column == Column::Kind ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case Qt::DecorationRole:
        if (column == Column::Kind && !isAll) return resolve(m_theme, barColor(sum.group));
        return {};
    case Qt::ForegroundRole:
        if (column != Column::Kind && column != Column::Count && !value(sum, column))
            return m_theme.color(ColorRole::TextMuted);
        return isAll ? m_theme.color(ColorRole::TextStrong) : QVariant();
    case kRawValueRole:
        if (const auto number = value(sum, column)) return *number;
        return {};
    default:
        return {};
    }
}

QVariant TimelineSumsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= kColumns) return {};
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((section == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    static constexpr std::array<std::pair<const char*, const char*>, kColumns> kTitles{
        {{QT_TR_NOOP("in the range"), QT_TR_NOOP("Kind of operation; then the lanes of the device")},
         {QT_TR_NOOP("bars"), QT_TR_NOOP("How many bars reach into the range")},
         {QT_TR_NOOP("measured"), QT_TR_NOOP("Time inside the range")},
         {QT_TR_NOOP("of range"), QT_TR_NOOP("Time as a share of the range")},
         {QT_TR_NOOP("predicted"), QT_TR_NOOP("Predicted time of the same operations")},
         {QT_TR_NOOP("difference"),
          QT_TR_NOOP("Measured / predicted − 1; from 1000 % on measured / predicted: ×158")},
         {QT_TR_NOOP("FLOPs"), QT_TR_NOOP("Of the plan that ran, not counted by hardware")},
         {QT_TR_NOOP("rate"), QT_TR_NOOP("FLOPs per measured second")},
         {QT_TR_NOOP("bytes"), QT_TR_NOOP("Operations: compulsory traffic of the plan; copies: bytes moved")},
         {QT_TR_NOOP("bandwidth"), QT_TR_NOOP("Bytes per measured second")}}};
    const auto column = static_cast<Column>(section);
    if (isWhatIf() && role == Qt::DisplayRole) {
        if (column == Column::Predicted) return tr("what-if");
        if (column == Column::Measured) return tr("run");
    }
    if (isWhatIf() && role == Qt::ToolTipRole) {
        if (column == Column::Predicted)
            return tr("Predicted time of the same operations on %1; they ran elsewhere")
                .arg(m_sums.predictedFor);
        if (column == Column::Difference) return tr("What-if / run − 1; from 1000 % on what-if / run: ×158");
    }
    const auto& [title, help] = kTitles.at(static_cast<std::size_t>(section));
    if (role == Qt::DisplayRole) return tr(title);
    if (role == Qt::ToolTipRole) return tr(help);
    return {};
}

}  // namespace plumb::ui
