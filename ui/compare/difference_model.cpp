// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/difference_model.h"

#include "core/base/entry_at.h"
#include "ui/theme/text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <string_view>
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

void DifferenceModel::setRows(std::shared_ptr<const DifferenceRows> rows) {
    beginResetModel();
    m_rows = rows ? std::move(rows) : std::make_shared<const DifferenceRows>();
    m_order = sorted();
    chooseShown();
    endResetModel();
}

void DifferenceModel::setOnlyReal(bool only) {
    if (only == m_onlyReal) return;
    beginResetModel();
    m_onlyReal = only;
    chooseShown();
    endResetModel();
}

void DifferenceModel::setQuery(const QString& text) {
    beginResetModel();
    m_words = SearchWords(text);
    chooseShown();
    endResetModel();
}

void DifferenceModel::sort(int column, Qt::SortOrder order) {
    if (column < 0 || column >= kDifferenceColumns) return;
    emit layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
    m_column = static_cast<DifferenceColumn>(column);
    m_direction = order;
    m_order = sorted();
    const std::vector<std::uint32_t> before = std::exchange(m_shown, {});
    chooseShown();
    // What was chosen stays so.
    const QModelIndexList chosen = persistentIndexList();
    QModelIndexList moved;
    for (const QModelIndex& index : chosen) {
        const std::uint32_t row = before[static_cast<std::size_t>(index.row())];
        const auto now = std::ranges::find(m_shown, row) - m_shown.begin();
        moved.append(this->index(static_cast<int>(now), index.column()));
    }
    changePersistentIndexList(chosen, moved);
    emit layoutChanged({}, QAbstractItemModel::VerticalSortHint);
}

bool DifferenceModel::isShown(const DifferenceRow& row) const {
    if (m_onlyReal && !row.isReal()) return false;
    return m_words.isEmpty() ||
           m_words.areAll(m_words.in(coreText(row.name) + u' ' + coreText(verdictOf(row))));
}

std::vector<std::uint32_t> DifferenceModel::sorted() const {
    const bool isDown = m_direction == Qt::DescendingOrder;
    const bool isBySize = m_column == DifferenceColumn::Difference || m_column == DifferenceColumn::Bar;
    if (isBySize && isDown) return m_rows->bySize;
    std::vector<std::uint32_t> order(m_rows->rows.size());
    std::iota(order.begin(), order.end(), 0U);
    const auto textOf = [&](std::uint32_t row) {
        const DifferenceRow& at = m_rows->rows[row];
        return m_column == DifferenceColumn::Name ? std::string_view(at.name) : verdictOf(at);
    };
    if (m_column == DifferenceColumn::Name || m_column == DifferenceColumn::Verdict) {
        if (isDown)
            std::ranges::stable_sort(order, std::greater{}, textOf);
        else
            std::ranges::stable_sort(order, std::less{}, textOf);
        return order;
    }
    std::vector<double> keys;  // unknown ones last either way
    keys.reserve(order.size());
    for (const DifferenceRow& row : m_rows->rows) {
        const std::optional<double> key = sortKey(row, m_column);
        constexpr double kLast = std::numeric_limits<double>::infinity();
        keys.push_back(!key ? (isDown ? -kLast : kLast) : *key);
    }
    const auto keyOf = [&](std::uint32_t row) { return keys[row]; };
    if (isDown)
        std::ranges::stable_sort(order, std::greater{}, keyOf);
    else
        std::ranges::stable_sort(order, std::less{}, keyOf);
    return order;
}

void DifferenceModel::chooseShown() {
    m_shown.clear();
    for (const std::uint32_t row : m_order)
        if (isShown(m_rows->rows[row])) m_shown.push_back(row);
}

const DifferenceRow& DifferenceModel::row(int shown) const { return m_rows->rows[entryAt(m_shown, shown)]; }

std::vector<DifferenceRow> DifferenceModel::shownRows() const {
    std::vector<DifferenceRow> rows;
    rows.reserve(m_shown.size());
    for (const std::uint32_t row : m_shown) rows.push_back(m_rows->rows[row]);
    return rows;
}

int DifferenceModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_shown.size());
}

int DifferenceModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : kDifferenceColumns;
}

QVariant DifferenceModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    return cell(row(index.row()), static_cast<DifferenceColumn>(index.column()), role);
}

QVariant DifferenceModel::headerData(int section, Qt::Orientation orientation, int role) const {
    const bool isThere = orientation == Qt::Horizontal && section >= 0 && section < kDifferenceColumns;
    return isThere ? title(section, role) : QVariant();
}

QVariant DifferenceModel::cell(const DifferenceRow& at, DifferenceColumn column, int role) {
    if (role == Qt::TextAlignmentRole) {
        return static_cast<int>((column == DifferenceColumn::Name ? Qt::AlignLeft : Qt::AlignRight) |
                                Qt::AlignVCenter);
    }
    if (role == Qt::ToolTipRole)
        return QStringLiteral("%1\n%2: %3")
            .arg(coreText(at.name), coreText(verdictOf(at)), toText(differenceText(at.judgement)));
    if (role == Qt::AccessibleTextRole && column == DifferenceColumn::Bar)
        return signedText(at.difference(), at.unit);
    if (role != Qt::DisplayRole) return {};
    switch (column) {
    case DifferenceColumn::Name:
        return coreText(at.name);
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
        return coreText(verdictOf(at));
    case DifferenceColumn::Bar:
        break;
    }
    return {};
}

QVariant DifferenceModel::title(int index, int role) {
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

}  // namespace plumb::ui
