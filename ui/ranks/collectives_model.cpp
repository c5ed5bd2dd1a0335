// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/ranks/collectives_model.h"

#include "core/io/csv_writer.h"
#include "ui/theme/text.h"

#include <QPainter>

#include <algorithm>
#include <array>
#include <utility>

namespace plumb::ui {
namespace {

constexpr double kMostlyExposed = 0.5;  // from here on a collective hides little
constexpr int kBarWidth = 28, kBarHeight = 5, kBarGap = 8;

std::optional<double> number(const std::optional<Bytes>& bytes) {
    return bytes ? std::optional(static_cast<double>(*bytes)) : std::nullopt;
}

}  // namespace

void CollectivesModel::setRows(std::vector<CollectiveRow> rows) {
    beginResetModel();
    m_rows = std::move(rows);
    m_fastest = 0;
    for (const CollectiveRow& row : m_rows)
        m_fastest = std::max(m_fastest, row.figures().bandwidth.value_or(0));
    arrange();
    endResetModel();
}

int CollectivesModel::rowOf(std::int32_t op) const {
    const auto found = std::ranges::find(m_rows, op, &CollectiveRow::op);
    return found == m_rows.end() ? -1 : static_cast<int>(found - m_rows.begin());
}

void CollectivesModel::sort(int column, Qt::SortOrder order) {
    beginResetModel();
    m_column = column;
    m_order = order;
    arrange();
    endResetModel();
}

void CollectivesModel::arrange() {
    std::ranges::sort(m_rows, {}, &CollectiveRow::op);
    if (m_column < 0) return;
    const auto column = static_cast<CollectiveColumn>(m_column);
    const bool isDown = m_order == Qt::DescendingOrder;
    std::ranges::stable_sort(m_rows, [&](const CollectiveRow& a, const CollectiveRow& b) {
        if (column == CollectiveColumn::Name || column == CollectiveColumn::Group) {
            const QString left = text(a, column), right = text(b, column);
            return isDown ? left > right : left < right;
        }
        // What is not known comes last, however it is sorted.
        const auto left = value(a, column), right = value(b, column);
        if (!left || !right) return left.has_value() && !right.has_value();
        return isDown ? *left > *right : *left < *right;
    });
}

std::optional<double> CollectivesModel::value(const CollectiveRow& row, CollectiveColumn column) {
    switch (column) {
    case CollectiveColumn::Name:
    case CollectiveColumn::Group:
        return std::nullopt;
    case CollectiveColumn::Planned:
        return number(row.planned);
    case CollectiveColumn::Counted:
        return number(row.counted);
    case CollectiveColumn::Time:
        return row.figures().seconds;
    case CollectiveColumn::Bandwidth:
        return row.figures().bandwidth;
    case CollectiveColumn::Exposed:
        return row.figures().exposed;
    }
    return std::nullopt;
}

QString CollectivesModel::text(const CollectiveRow& row, CollectiveColumn column) const {
    const auto known = value(row, column);
    switch (column) {
    case CollectiveColumn::Name:
        return row.name;
    case CollectiveColumn::Group:
        return groupText(row);
    case CollectiveColumn::Planned:
    case CollectiveColumn::Counted:
        return known ? quantityText(*known, "B") : QStringLiteral("–");
    case CollectiveColumn::Time:
        return known ? quantityText(*known, "s") : QStringLiteral("–");
    case CollectiveColumn::Bandwidth:
        return known ? quantityText(*known, "B/s") : QStringLiteral("–");
    case CollectiveColumn::Exposed:
        return known ? tr("%1 %").arg(numberText(100 * *known, 'f', 0)) : QStringLiteral("–");
    }
    return {};
}

QString CollectivesModel::toolTip(const CollectiveRow& row, CollectiveColumn column) const {
    const auto seconds = [](const std::optional<Seconds>& of) {
        return of ? quantityText(*of, "s") : QStringLiteral("–");
    };
    const bool isMeasured = row.measured.seconds.has_value();
    const CollectiveFigures& figures = row.figures();
    switch (column) {
    case CollectiveColumn::Name:
        return tr("%1: %2 in one step").arg(row.name, exactText(row.bytes, "B"));
    case CollectiveColumn::Group:
        return (row.axis == RankAxis::Tensor ? tr("%1 ranks that divide each matrix")
                                             : tr("%1 ranks that share the samples of a batch"))
            .arg(row.groupSize);
    case CollectiveColumn::Planned:
        return row.planned ? tr("%1, by the plan of the first rank").arg(exactText(*row.planned, "B"))
                           : tr("Not known");
    case CollectiveColumn::Counted:
        return row.counted
                   ? tr("%1, counted where the first rank posted them").arg(exactText(*row.counted, "B"))
                   : tr("Nothing was counted yet: run or profile the step");
    case CollectiveColumn::Time:
        return tr("predicted %1, measured %2")
            .arg(seconds(row.predicted.seconds), seconds(row.measured.seconds));
    case CollectiveColumn::Bandwidth: {
        if (!figures.bandwidth) return tr("Not known: there is no time");
        const QString pattern = row.isAllReduce ? tr("bytes / time · 2 (N − 1) / N = %1 / %2 · 2 · %3 / %4")
                                                : tr("bytes / time · (N − 1) / N = %1 / %2 · %3 / %4");
        const QString formula = pattern.arg(bytesText(row.bytes), seconds(figures.seconds))
                                    .arg(row.groupSize - 1)
                                    .arg(row.groupSize);
        return isMeasured ? tr("%1, measured").arg(formula) : tr("%1, predicted").arg(formula);
    }
    case CollectiveColumn::Exposed: {
        if (!figures.exposed) return tr("Not known: there is no time");
        const QString formula =
            tr("waited / time = %1 / %2").arg(seconds(figures.waited), seconds(figures.seconds));
        return isMeasured ? tr("%1, measured").arg(formula) : tr("%1, predicted").arg(formula);
    }
    }
    return {};
}

ColorRole CollectivesModel::tone(const CollectiveRow& row, CollectiveColumn column) const {
    const auto known = value(row, column);
    if (column == CollectiveColumn::Name) return ColorRole::TextStrong;
    if (column == CollectiveColumn::Group || column == CollectiveColumn::Planned || !known)
        return ColorRole::TextMuted;
    if (column == CollectiveColumn::Counted)
        return row.planned == row.counted ? ColorRole::TextStrong : ColorRole::Warning;
    if (column == CollectiveColumn::Exposed && *known >= kMostlyExposed) return ColorRole::Warning;
    return row.measured.seconds ? ColorRole::TextStrong : ColorRole::TextMuted;
}

QVariant CollectivesModel::cell(const CollectiveRow& row, int at, int role) const {
    const auto column = static_cast<CollectiveColumn>(at);
    const bool isText = column == CollectiveColumn::Name || column == CollectiveColumn::Group;
    switch (role) {
    case Qt::DisplayRole:
        return text(row, column);
    case Qt::ToolTipRole:
        return toolTip(row, column);
    case Qt::AccessibleTextRole:
        return column == CollectiveColumn::Name
                   ? QVariant(row.name)
                   : QVariant(title(at, Qt::DisplayRole).toString() + u' ' + text(row, column));
    case Qt::TextAlignmentRole:
        return static_cast<int>((isText ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case Qt::ForegroundRole:
        return m_theme.color(tone(row, column));
    case kRawRole:
        if (const auto known = value(row, column)) return *known;
        return {};
    case kShareRole:
        if (column != CollectiveColumn::Bandwidth || m_fastest <= 0 || !row.figures().bandwidth) return {};
        return *row.figures().bandwidth / m_fastest;
    default:
        return {};
    }
}

QVariant CollectivesModel::title(int column, int role) const {
    static constexpr std::array<std::pair<const char*, const char*>, kCollectiveColumns> kTitles{
        {{QT_TR_NOOP("collective"), QT_TR_NOOP("What ranks do together, in the order of the step")},
         {QT_TR_NOOP("group"), QT_TR_NOOP("Which ranks take part: along which axis, and how many")},
         {QT_TR_NOOP("predicted"), QT_TR_NOOP("Bytes that a rank sends to others for it in one step")},
         {QT_TR_NOOP("counted"),
          QT_TR_NOOP(
              "The same, counted where they were posted; coloured where that is not what was predicted")},
         {QT_TR_NOOP("time"),
          QT_TR_NOOP("From when it is its turn until its last byte is there, beside other "
                     "operations too; measured where it ran, else predicted")},
         {QT_TR_NOOP("bus bandwidth"),
          QT_TR_NOOP(
              "Bytes per second that each link carries, whatever the number of ranks; the bar is a share "
              "of the highest here")},
         {QT_TR_NOOP("exposed"),
          QT_TR_NOOP("Part of the time that the step waited for it: nothing hid it")}}};
    const auto& [name, help] = kTitles.at(static_cast<std::size_t>(column));
    if (role == Qt::DisplayRole) return tr(name);
    if (role == Qt::ToolTipRole) return tr(help);
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((column < 2 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    return {};
}

QString CollectivesModel::csv(const std::vector<int>& rows) const {
    CsvWriter csv;
    for (const char* key :
         {"collective", "ranks", "bytes", "predicted_sent_bytes", "counted_sent_bytes", "predicted_seconds",
          "predicted_waited_seconds", "measured_seconds", "measured_waited_seconds"})
        csv.cell(key);
    csv.endRow();
    for (const int index : rows) {
        const CollectiveRow& each = row(index);
        csv.cell(each.name.toStdString());
        csv.cell(std::optional(static_cast<double>(each.groupSize)));
        csv.cell(std::optional(static_cast<double>(each.bytes)));
        csv.cell(number(each.planned));
        csv.cell(number(each.counted));
        for (const CollectiveFigures* figures : {&each.predicted, &each.measured})
            for (const std::optional<Seconds>& seconds : {figures->seconds, figures->waited})
                csv.cell(seconds);
        csv.endRow();
    }
    return toText(csv.take());
}

QSize BandwidthDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
    return QStyledItemDelegate::sizeHint(option, index) + QSize(kBarWidth + kBarGap, 0);
}

void BandwidthDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                              const QModelIndex& index) const {
    QStyledItemDelegate::paint(painter, option, index);
    const QVariant share = index.data(CollectivesModel::kShareRole);
    if (!share.isValid()) return;
    const int text = option.fontMetrics.horizontalAdvance(index.data().toString());
    const qreal right = option.rect.right() - text - kBarGap - 4;
    if (right - kBarWidth < option.rect.left()) return;
    const QRectF track(right - kBarWidth, option.rect.center().y() - kBarHeight / 2.0 + 1, kBarWidth,
                       kBarHeight);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(Qt::NoPen);
    painter->setBrush(m_theme.color(ColorRole::Track));
    painter->drawRoundedRect(track, kBarHeight / 2.0, kBarHeight / 2.0);
    QRectF filled = track;
    filled.setWidth(std::max<qreal>(kBarHeight, kBarWidth * share.toDouble()));
    painter->setBrush(m_theme.color(ColorRole::Good));
    painter->drawRoundedRect(filled, kBarHeight / 2.0, kBarHeight / 2.0);
    painter->restore();
}

}  // namespace plumb::ui
