// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/compare/difference.h"
#include "ui/widgets/rows_model.h"
#include "ui/widgets/search_words.h"

#include <QSortFilterProxyModel>

#include <cstdint>
#include <vector>

namespace plumb::ui {

/// Columns of a table of differences, in their order.
enum class DifferenceColumn : std::uint8_t { Name, Baseline, Other, Difference, Change, Bar, Noise, Verdict };
inline constexpr int kDifferenceColumns = 8;

/// Read-only rows of numbers of two steps.
class DifferenceModel final : public RowsModel<DifferenceRow> {
    Q_OBJECT
public:
    using RowsModel::RowsModel;

    void setRows(std::vector<DifferenceRow> rows);
    /// Largest distance from the baseline among the rows, which the bars are drawn against.
    [[nodiscard]] double largest() const { return m_largest; }

private:
    [[nodiscard]] int columns() const override { return kDifferenceColumns; }
    [[nodiscard]] QVariant cell(const DifferenceRow& at, int index, int role) const override;
    [[nodiscard]] QVariant title(int index, int role) const override;

    double m_largest = 0;
};

/// Sorting by what the cells mean (differences by their size, unknown ones last either way), and the rows
/// that really differ and have all words of the search.
class DifferenceFilter final : public QSortFilterProxyModel {
    Q_OBJECT
public:
    explicit DifferenceFilter(DifferenceModel& model, QObject* parent = nullptr);

    void setOnlyReal(bool only);
    void setQuery(const QString& text);
    /// Row of the model that stands at this index of the filter.
    [[nodiscard]] const DifferenceRow& row(const QModelIndex& index) const;
    /// All rows that are shown, in their order.
    [[nodiscard]] std::vector<DifferenceRow> shownRows() const;

protected:
    [[nodiscard]] bool filterAcceptsRow(int row, const QModelIndex& parent) const override;
    [[nodiscard]] bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;

private:
    DifferenceModel& m_model;
    SearchWords m_words{QString()};
    bool m_onlyReal = true;
};

/// percentText() with a real minus, and the difference likewise: "−12.4 ms", "+3 MB"; "–" where it is not
/// known.
[[nodiscard]] QString shareText(const Judgement& judged);
[[nodiscard]] QString signedText(const std::optional<double>& value, std::string_view unit);

}  // namespace plumb::ui
