// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/ranks/category_model.h"

#include "core/io/csv_writer.h"
#include "ui/theme/text.h"

#include <algorithm>
#include <array>
#include <utility>

namespace plumb::ui {

void CategoryModel::setRank(const RanksState& state, int rank) {
    std::vector<CategoryRow> rows;
    if (!state.shown.empty()) {
        const ShownRank& shown = entryAt(state.shown, rank);
        const auto of = [](const std::optional<RankReading>& reading, Category category) {
            // Of older files the sum alone is known.
            const bool isTold = reading && total(reading->atPeak) > 0;
            return isTold ? std::optional(reading->atPeak[category]) : std::nullopt;
        };
        for (const Category category : kAllCategories) {
            const bool isThere = std::ranges::any_of(state.shown, [&](const ShownRank& each) {
                return of(each.predicted, category).value_or(0) > 0 ||
                       of(each.measured, category).value_or(0) > 0;
            });
            if (isThere)
                rows.push_back({category, of(shown.predicted, category), of(shown.measured, category)});
        }
        const auto peak = [](const std::optional<RankReading>& reading) {
            return reading ? std::optional(reading->peakBytes) : std::nullopt;
        };
        rows.push_back({std::nullopt, peak(shown.predicted), peak(shown.measured)});
    }
    if (rows.size() == m_rows.size()) {
        emit layoutAboutToBeChanged();
        m_rows = std::move(rows);
        emit layoutChanged();  // columns are as wide as their numbers need
        return;
    }
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
}

QVariant CategoryModel::cell(const CategoryRow& row, int column, int role) const {
    const auto which = static_cast<CategoryColumn>(column);
    const bool isName = which == CategoryColumn::Name;
    const std::optional<Bytes> bytes = which == CategoryColumn::Predicted ? row.predicted : row.measured;
    switch (role) {
    case Qt::DisplayRole:
        if (isName) return row.category ? coreText(categoryLabel(*row.category)) : tr("together");
        return bytes ? bytesText(*bytes) : QStringLiteral("–");
    case Qt::ToolTipRole:
        if (isName)
            return row.category ? coreText(categoryLabel(*row.category)) : tr("All categories at the peak");
        return bytes ? exactText(*bytes, "B") : tr("Not known");
    case Qt::DecorationRole:
        if (isName && row.category) return m_theme.categoryColor(*row.category);
        return {};
    case Qt::TextAlignmentRole:
        return static_cast<int>((isName ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case Qt::ForegroundRole: {
        if (isName) return row.category ? QVariant() : m_theme.color(ColorRole::TextStrong);
        if (which == CategoryColumn::Predicted || !bytes) return m_theme.color(ColorRole::TextMuted);
        // Only what deviates is coloured.
        const bool isOff = row.predicted && *row.predicted != *bytes;
        return m_theme.color(isOff ? ColorRole::Warning : ColorRole::TextStrong);
    }
    case kRawRole:
        return !isName && bytes ? QVariant(static_cast<qlonglong>(*bytes)) : QVariant();
    default:
        return {};
    }
}

QVariant CategoryModel::title(int column, int role) const {
    static constexpr std::array<std::pair<const char*, const char*>, kCategoryColumns> kTitles{
        {{QT_TR_NOOP("category"), QT_TR_NOOP("What the memory is for")},
         {QT_TR_NOOP("predicted"),
          QT_TR_NOOP("Bytes at the operation at which the plan of the rank has most memory")},
         {QT_TR_NOOP("measured"),
          QT_TR_NOOP("Bytes that the allocator of the rank counted when it had most; coloured where that is "
                     "not what was predicted")}}};
    const auto& [name, help] = kTitles.at(static_cast<std::size_t>(column));
    if (role == Qt::DisplayRole) return tr(name);
    if (role == Qt::ToolTipRole) return tr(help);
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((column == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    return {};
}

QString CategoryModel::csv() const {
    CsvWriter csv;
    for (const char* key : {"category", "predicted_bytes", "measured_bytes"}) csv.cell(key);
    csv.endRow();
    const auto number = [](const std::optional<Bytes>& bytes) {
        return bytes ? std::optional(static_cast<double>(*bytes)) : std::nullopt;
    };
    for (const CategoryRow& row : m_rows) {
        csv.cell(row.category ? categoryName(*row.category) : "all");
        csv.cell(number(row.predicted));
        csv.cell(number(row.measured));
        csv.endRow();
    }
    return toText(csv.take());
}

}  // namespace plumb::ui
