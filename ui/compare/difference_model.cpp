// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/difference_model.h"

#include "ui/theme/text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace plumb::ui {
namespace {

struct DifferenceColumnText {
    const char* title;
    const char* help;
};
// In the order of DifferenceColumn.
constexpr std::array<DifferenceColumnText, kDifferenceColumns> kDifferenceColumnTexts{
    {{QT_TRANSLATE_NOOP("plumb::ui", "Name"),
      QT_TRANSLATE_NOOP("plumb::ui", "Phase, module and kind of operations; name of a tensor or figure")},
     {QT_TRANSLATE_NOOP("plumb::ui", "Baseline"), QT_TRANSLATE_NOOP("plumb::ui", "In the baseline")},
     {QT_TRANSLATE_NOOP("plumb::ui", "Other"),
      QT_TRANSLATE_NOOP("plumb::ui", "In the step that is compared with it")},
     {QT_TRANSLATE_NOOP("plumb::ui", "Difference"),
      QT_TRANSLATE_NOOP("plumb::ui", "Other less baseline; sorted by its size")},
     {QT_TRANSLATE_NOOP("plumb::ui", "Change"),
      QT_TRANSLATE_NOOP("plumb::ui", "Difference as a share of the baseline; sorted by its size")},
     {QT_TRANSLATE_NOOP("plumb::ui", "less | more"),
      QT_TRANSLATE_NOOP("plumb::ui", "Difference beside the largest of the table, with its noise")},
     {QT_TRANSLATE_NOOP("plumb::ui", "Noise"),
      QT_TRANSLATE_NOOP(
          "plumb::ui", "What repeats of the same step differ by; empty where it is not known, and of counts, "
                       "which repeat exactly")},
     {QT_TRANSLATE_NOOP("plumb::ui", "Verdict"),
      QT_TRANSLATE_NOOP("plumb::ui", "Whether it is a real change: larger than the noise of both steps")}}};

QString valueText(bool isThere, const std::optional<double>& value, std::string_view unit) {
    if (!isThere) return tr("none");
    return value ? quantityText(*value, unit) : toText(kNoNumber);
}

/// What a column is sorted by; absent: last.
std::optional<double> sortKey(const DifferenceRow& row, DifferenceColumn column) {
    const auto sizeOf = [](const std::optional<double>& value) {
        return value ? std::optional(std::abs(*value)) : std::nullopt;
    };
    switch (column) {
    case DifferenceColumn::Baseline:
        return row.baseline;
    case DifferenceColumn::Other:
        return row.other;
    case DifferenceColumn::Difference:
    case DifferenceColumn::Bar:
        return sizeOf(row.difference());
    case DifferenceColumn::Change:
        if (row.isInBaseline != row.isInOther) return std::numeric_limits<double>::infinity();
        return row.judgement.ratio ? sizeOf(*row.judgement.ratio - 1) : std::nullopt;
    case DifferenceColumn::Noise:
        return row.noise();
    case DifferenceColumn::Name:
    case DifferenceColumn::Verdict:
        break;
    }
    return std::nullopt;
}

QString changeText(const DifferenceRow& row) {
    if (!row.isInOther) return tr("gone");
    if (!row.isInBaseline) return tr("new");
    return shareText(row.judgement);
}

}  // namespace

QString shareText(const Judgement& judged) {
    return toText(percentText(judged)).replace(u'-', QStringLiteral("−"));
}

QString signedText(const std::optional<double>& value, std::string_view unit) {
    return value ? signedQuantity(*value, unit) : toText(kNoNumber);
}

void DifferenceModel::setRows(std::vector<DifferenceRow> rows) {
    beginResetModel();
    m_rows = std::move(rows);
    m_largest = 0;
    for (const DifferenceRow& row : m_rows)
        m_largest = std::max(m_largest, std::abs(row.difference().value_or(0)));
    endResetModel();
}

QVariant DifferenceModel::cell(const DifferenceRow& at, int index, int role) const {
    const auto column = static_cast<DifferenceColumn>(index);
    if (role == Qt::TextAlignmentRole) {
        return static_cast<int>((column == DifferenceColumn::Name ? Qt::AlignLeft : Qt::AlignRight) |
                                Qt::AlignVCenter);
    }
    if (role == Qt::ToolTipRole)
        return QStringLiteral("%1\n%2: %3")
            .arg(toText(at.name), toText(verdictOf(at)), toText(differenceText(at.judgement)));
    if (role == Qt::AccessibleTextRole && column == DifferenceColumn::Bar)
        return signedText(at.difference(), at.unit);
    if (role != Qt::DisplayRole) return {};
    switch (column) {
    case DifferenceColumn::Name:
        return toText(at.name);
    case DifferenceColumn::Baseline:
        return valueText(at.isInBaseline, at.baseline, at.unit);
    case DifferenceColumn::Other:
        return valueText(at.isInOther, at.other, at.unit);
    case DifferenceColumn::Difference:
        return signedText(at.difference(), at.unit);
    case DifferenceColumn::Change:
        return changeText(at);
    case DifferenceColumn::Noise:
        return at.noise() ? QStringLiteral("± ") + quantityText(*at.noise(), at.unit) : QString();
    case DifferenceColumn::Verdict:
        return toText(verdictOf(at));
    case DifferenceColumn::Bar:
        break;
    }
    return {};
}

QVariant DifferenceModel::title(int index, int role) const {
    const DifferenceColumnText& text = entryAt(kDifferenceColumnTexts, index);
    const auto column = static_cast<DifferenceColumn>(index);
    if (role == Qt::DisplayRole) return tr(text.title);
    if (role == Qt::ToolTipRole) return tr(text.help);
    if (role == Qt::TextAlignmentRole) {
        if (column == DifferenceColumn::Bar) return static_cast<int>(Qt::AlignCenter);
        return static_cast<int>((column == DifferenceColumn::Name ? Qt::AlignLeft : Qt::AlignRight) |
                                Qt::AlignVCenter);
    }
    return {};
}

DifferenceFilter::DifferenceFilter(DifferenceModel& model, QObject* parent)
    : QSortFilterProxyModel(parent), m_model(model) {
    setSourceModel(&model);
}

void DifferenceFilter::setOnlyReal(bool only) {
    m_onlyReal = only;
    invalidateFilter();
}

void DifferenceFilter::setQuery(const QString& text) {
    m_words = SearchWords(text);
    invalidateFilter();
}

const DifferenceRow& DifferenceFilter::row(const QModelIndex& index) const {
    return m_model.row(mapToSource(index).row());
}

std::vector<DifferenceRow> DifferenceFilter::shownRows() const {
    std::vector<DifferenceRow> rows;
    for (int i = 0; i < rowCount(); ++i) rows.push_back(row(index(i, 0)));
    return rows;
}

bool DifferenceFilter::filterAcceptsRow(int row, const QModelIndex& /*parent*/) const {
    const DifferenceRow& at = m_model.row(row);
    if (m_onlyReal && !at.isReal()) return false;
    return m_words.isEmpty() || m_words.areAll(m_words.in(toText(at.name) + u' ' + toText(verdictOf(at))));
}

bool DifferenceFilter::lessThan(const QModelIndex& left, const QModelIndex& right) const {
    const DifferenceRow &a = m_model.row(left.row()), &b = m_model.row(right.row());
    const auto column = static_cast<DifferenceColumn>(left.column());
    if (column == DifferenceColumn::Name) return a.name < b.name;
    if (column == DifferenceColumn::Verdict) return verdictOf(a) < verdictOf(b);
    const auto keyA = sortKey(a, column), keyB = sortKey(b, column);
    if (keyA && keyB) return *keyA < *keyB;
    // Qt turns the order around, and the unknown ones stay last.
    return sortOrder() == Qt::AscendingOrder ? keyA.has_value() && !keyB : !keyA && keyB.has_value();
}

}  // namespace plumb::ui
