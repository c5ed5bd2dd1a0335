// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/compare/compare_detail.h"
#include "ui/widgets/search_words.h"

#include <QAbstractTableModel>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace plumb::ui {

/// Columns of a table of differences, in their order.
enum class DifferenceColumn : std::uint8_t { Name, Baseline, Other, Difference, Change, Bar, Noise, Verdict };
inline constexpr int kDifferenceColumns = 8;

/// Numbers of two steps: those rows that really differ and have all words of the search, sorted by what the
/// cells mean (differences by their size, unknown ones last either way). Texts are made of the rows that are
/// looked at alone: there may be a hundred thousand.
class DifferenceModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    using QAbstractTableModel::QAbstractTableModel;

    /// Null: none.
    void setRows(std::shared_ptr<const DifferenceRows> rows);
    void setOnlyReal(bool only);
    void setQuery(const QString& text);
    void sort(int column, Qt::SortOrder order) override;

    /// All of them, shown or not.
    [[nodiscard]] const DifferenceRows& all() const { return *m_rows; }
    /// That one of those that are shown.
    [[nodiscard]] const DifferenceRow& row(int shown) const;
    /// Those that are shown, in their order.
    [[nodiscard]] std::vector<DifferenceRow> shownRows() const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override;

private:
    [[nodiscard]] bool isShown(const DifferenceRow& row) const;
    /// All rows as they are sorted.
    [[nodiscard]] std::vector<std::uint32_t> sorted() const;
    void chooseShown();
    [[nodiscard]] static QVariant cell(const DifferenceRow& at, DifferenceColumn column, int role);
    [[nodiscard]] static QVariant title(int index, int role);

    std::shared_ptr<const DifferenceRows> m_rows = std::make_shared<const DifferenceRows>();
    std::vector<std::uint32_t> m_order;  ///< of all rows
    std::vector<std::uint32_t> m_shown;  ///< of these, in that order
    DifferenceColumn m_column = DifferenceColumn::Difference;
    Qt::SortOrder m_direction = Qt::DescendingOrder;
    SearchWords m_words{QString()};
    bool m_onlyReal = true;
};

/// percentText() with a real minus, and the difference likewise: "−12.4 ms", "+3 MB"; "–" where it is not
/// known.
[[nodiscard]] QString shareText(const Judgement& judged);
[[nodiscard]] QString signedText(const std::optional<double>& value, std::string_view unit);

}  // namespace plumb::ui
