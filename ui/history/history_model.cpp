// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/history/history_model.h"

#include "core/base/enum_names.h"
#include "ui/history/history_names.h"
#include "ui/theme/text.h"
#include "ui/widgets/data_table.h"
#include "ui/widgets/size_field.h"

#include <QDateTime>
#include <QFont>
#include <QLocale>

#include <algorithm>
#include <array>
#include <utility>

namespace plumb::ui {
namespace {

struct HistoryColumnSpec {
    const char* title;
    const char* toolTip;
    const char* figure;  ///< that it shows; null: none
};

constexpr std::array<HistoryColumnSpec, kHistoryColumns> kHistoryColumnSpecs{{
    {"★", QT_TRANSLATE_NOOP("plumb::ui", "Favourites, which are never removed to make room"), nullptr},
    {QT_TRANSLATE_NOOP("plumb::ui", "When"), QT_TRANSLATE_NOOP("plumb::ui", "When it began"), nullptr},
    {QT_TRANSLATE_NOOP("plumb::ui", "Kind"), QT_TRANSLATE_NOOP("plumb::ui", "What was done"), nullptr},
    {QT_TRANSLATE_NOOP("plumb::ui", "Configuration"),
     QT_TRANSLATE_NOOP("plumb::ui", "Width, layers, batch, precision and optimizer"), nullptr},
    {QT_TRANSLATE_NOOP("plumb::ui", "Device"), QT_TRANSLATE_NOOP("plumb::ui", "What it ran on"), nullptr},
    {QT_TRANSLATE_NOOP("plumb::ui", "Step time"),
     QT_TRANSLATE_NOOP("plumb::ui", "Measured time of a step; in italics the predicted one, where it was "
                                    "not measured"),
     "step_time"},
    {QT_TRANSLATE_NOOP("plumb::ui", "Peak memory"),
     QT_TRANSLATE_NOOP("plumb::ui", "Measured peak of a step; in italics the predicted one, where it was "
                                    "not measured"),
     "peak_memory"},
    {QT_TRANSLATE_NOOP("plumb::ui", "Loss"), QT_TRANSLATE_NOOP("plumb::ui", "The last loss of a training"),
     "loss"},
    {QT_TRANSLATE_NOOP("plumb::ui", "Steps"),
     QT_TRANSLATE_NOOP("plumb::ui", "Steps of a training, or behind the medians of a profile"), nullptr},
    {QT_TRANSLATE_NOOP("plumb::ui", "Version"),
     QT_TRANSLATE_NOOP("plumb::ui", "Version of Plumbline that it ran with"), nullptr},
    {QT_TRANSLATE_NOOP("plumb::ui", "Tags and note"),
     QT_TRANSLATE_NOOP("plumb::ui", "What you called it, and what you noted"), nullptr},
}};

const HistoryFigure* shownFigure(const HistoryEntry& entry, const char* name) {
    const QString figure = QString::fromLatin1(name);
    const HistoryFigure* const measured = entry.figure(figure, true);
    return measured != nullptr ? measured : entry.figure(figure, false);
}

QString tagsText(const HistoryEntry& entry) {
    const QString tags = entry.tags.join(QStringLiteral(", "));
    const QString note = entry.note.simplified();
    if (tags.isEmpty() || note.isEmpty()) return tags + note;
    return tr("%1 · %2").arg(tags, note);
}

QString cellText(const HistoryEntry& entry, HistoryColumn column) {
    switch (column) {
    case HistoryColumn::Star:
        return entry.isFavourite ? QStringLiteral("★") : QString();
    case HistoryColumn::Kind:
        return historyKindTitle(entry.kind);
    case HistoryColumn::Device:
        return deviceText(entry.device.toStdString());
    case HistoryColumn::Steps:
        return entry.steps > 0 ? groupedDigits(entry.steps) : QString();
    case HistoryColumn::Program:
        return historyVersion(entry.program);
    case HistoryColumn::Tags:
        return tagsText(entry);
    default:
        break;
    }
    const char* const name = kHistoryColumnSpecs.at(static_cast<std::size_t>(column)).figure;
    const HistoryFigure* const figure = shownFigure(entry, name);
    if (figure == nullptr) return QStringLiteral("–");
    return historyFigureText(*historyFigure(QString::fromLatin1(name)), figure->value);
}

QString entryToolTip(const HistoryEntry& entry) {
    QStringList lines{
        tr("%1 of %2, began %3")
            .arg(historyKindTitle(entry.kind), historyTitle(entry), historyTime(entry.began, true)),
        entry.ended > 0 ? tr("Ended %1").arg(historyTime(entry.ended, true)) : tr("Its end was not seen"),
        tr("On %1 (%2)")
            .arg(deviceText(entry.device.toStdString()), coreText(entry.deviceSource.toStdString())),
        entry.program};
    if (!entry.engine.isEmpty()) lines << tr("Run by %1").arg(entry.engine);
    if (!entry.outcome.isEmpty()) lines << tr("Outcome: %1").arg(coreText(entry.outcome.toStdString()));
    if (!entry.path.isEmpty()) lines << tr("Saved in %1").arg(entry.path);
    lines << (entry.snapshotBytes > 0
                  ? tr("Its snapshot of %1 can be opened and compared").arg(bytesText(entry.snapshotBytes))
                  : tr("Its snapshot was removed to make room: the figures are left"));
    if (!entry.note.isEmpty()) lines << entry.note;
    return lines.join(QLatin1Char('\n'));
}

bool isNumeric(HistoryColumn column) {
    return kHistoryColumnSpecs.at(static_cast<std::size_t>(column)).figure != nullptr ||
           column == HistoryColumn::Steps;
}

Qt::Alignment alignmentOf(HistoryColumn column) {
    if (isNumeric(column)) return Qt::AlignRight | Qt::AlignVCenter;
    if (column == HistoryColumn::Star || column == HistoryColumn::Program) return Qt::AlignCenter;
    return Qt::AlignLeft | Qt::AlignVCenter;
}

std::optional<double> sortValue(const HistoryEntry& entry, HistoryColumn column) {
    if (column == HistoryColumn::When) return static_cast<double>(entry.began);
    if (column == HistoryColumn::Star) return entry.isFavourite ? 1 : 0;
    if (column == HistoryColumn::Steps) return static_cast<double>(entry.steps);
    const HistoryFigure* const figure =
        shownFigure(entry, kHistoryColumnSpecs.at(static_cast<std::size_t>(column)).figure);
    return figure == nullptr ? std::nullopt : std::optional(figure->value);
}

}  // namespace

QString historyTime(std::int64_t milliseconds, bool hasSeconds) {
    return QLocale().toString(QDateTime::fromMSecsSinceEpoch(milliseconds),
                              hasSeconds ? QStringLiteral("yyyy-MM-dd HH:mm:ss")
                                         : QStringLiteral("yyyy-MM-dd HH:mm"));
}

QString historyVersion(const QString& program) {
    return program.section(QLatin1Char(' '), 1, 1).isEmpty() ? program
                                                             : program.section(QLatin1Char(' '), 1, 1);
}

QString historyFigureFacts(const HistoryEntry& entry, const HistoryFigureSpec& spec) {
    QStringList lines;
    for (const bool isMeasured : {false, true}) {
        const HistoryFigure* const figure = entry.figure(QString::fromLatin1(spec.name), isMeasured);
        if (figure == nullptr) continue;
        const QString value = historyFigureText(spec, figure->value);
        QString line = isMeasured ? tr("Measured: %1").arg(value) : tr("Predicted: %1").arg(value);
        if (figure->low && figure->high)
            line =
                tr("%1, from %2 to %3")
                    .arg(line, historyFigureText(spec, *figure->low), historyFigureText(spec, *figure->high));
        if (!figure->tier.isEmpty()) line = tr("%1 (%2)").arg(line, figure->tier);
        lines << line;
    }
    return lines.join(QLatin1Char('\n'));
}

void HistoryModel::setEntries(std::vector<HistoryEntry> entries) {
    m_all = std::move(entries);
    m_labels.setEntries(m_all);
    refill();
}

void HistoryModel::setQuery(const HistoryQuery& query) {
    m_query = query;
    refill();
}

void HistoryModel::sort(int column, Qt::SortOrder order) {
    m_sorted = static_cast<HistoryColumn>(std::clamp(column, 0, kHistoryColumns - 1));
    m_isDescending = order == Qt::DescendingOrder;
    refill();
}

QString HistoryModel::text(const HistoryEntry& entry, HistoryColumn column) const {
    if (column == HistoryColumn::Title) return m_labels.title(entry);
    if (column == HistoryColumn::When) return m_labels.time(entry);
    return cellText(entry, column);
}

bool HistoryModel::standsBefore(const HistoryEntry& a, const HistoryEntry& b) const {
    const bool isNewer = std::pair(a.began, a.id) > std::pair(b.began, b.id);
    if (isNumeric(m_sorted) || m_sorted == HistoryColumn::When || m_sorted == HistoryColumn::Star) {
        const auto x = sortValue(a, m_sorted), y = sortValue(b, m_sorted);
        if (x == y) return isNewer;
        if (!x || !y) return x.has_value();
        return m_isDescending ? *x > *y : *x < *y;
    }
    const int order = QString::localeAwareCompare(text(a, m_sorted), text(b, m_sorted));
    if (order == 0) return isNewer;
    return m_isDescending ? order > 0 : order < 0;
}

void HistoryModel::refill() {
    beginResetModel();
    m_rows.clear();
    std::ranges::copy_if(m_all, std::back_inserter(m_rows),
                         [this](const HistoryEntry& entry) { return m_query.matches(entry); });
    std::ranges::stable_sort(
        m_rows, [this](const HistoryEntry& a, const HistoryEntry& b) { return standsBefore(a, b); });
    endResetModel();
}

int HistoryModel::rowOf(std::int64_t id) const {
    const auto found = std::ranges::find(m_rows, id, &HistoryEntry::id);
    return found == m_rows.end() ? -1 : static_cast<int>(found - m_rows.begin());
}

QVariant HistoryModel::cell(const HistoryEntry& row, int column, int role) const {
    const auto at = static_cast<HistoryColumn>(column);
    const char* const name = kHistoryColumnSpecs.at(static_cast<std::size_t>(column)).figure;
    switch (role) {
    case Qt::DisplayRole:
        return text(row, at);
    case Qt::AccessibleTextRole:
        if (at == HistoryColumn::Star) return row.isFavourite ? tr("favourite") : tr("no favourite");
        return text(row, at);
    case Qt::ToolTipRole:
        return name == nullptr ? entryToolTip(row)
                               : historyFigureFacts(row, *historyFigure(QString::fromLatin1(name)));
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(alignmentOf(at));
    case Qt::FontRole:
        if (name != nullptr && row.figure(QString::fromLatin1(name), true) == nullptr) {
            QFont font;
            font.setItalic(true);
            return font;
        }
        return {};
    default:
        return {};
    }
}

QVariant HistoryModel::title(int column, int role) const {
    const HistoryColumnSpec& spec = kHistoryColumnSpecs.at(static_cast<std::size_t>(column));
    if (role == Qt::DisplayRole)
        return isIndented(static_cast<HistoryColumn>(column)) ? indentedTitle(ui::tr(spec.title))
                                                              : ui::tr(spec.title);
    if (role == Qt::ToolTipRole) return ui::tr(spec.toolTip);
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(
            Qt::AlignVCenter |
            (isNumeric(static_cast<HistoryColumn>(column)) ? Qt::AlignRight : Qt::AlignLeft));
    return {};
}

}  // namespace plumb::ui
