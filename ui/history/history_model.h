// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/history/history_entry.h"
#include "ui/history/history_names.h"
#include "ui/history/history_query.h"
#include "ui/widgets/rows_model.h"

#include <cstdint>
#include <vector>

namespace plumb::ui {

enum class HistoryColumn : std::uint8_t {
    Star,
    When,
    Kind,
    Title,
    Device,
    StepTime,
    Peak,
    Loss,
    Steps,
    Program,
    Tags
};
inline constexpr int kHistoryColumns = static_cast<int>(HistoryColumn::Tags) + 1;
/// Texts behind the numbers.
[[nodiscard]] constexpr bool isIndented(HistoryColumn column) { return column > HistoryColumn::Steps; }

/// The entries that a search leaves, as a table; sorted by raw values, entries without one last.
class HistoryModel final : public RowsModel<HistoryEntry> {
    Q_OBJECT
public:
    explicit HistoryModel(QObject* parent = nullptr) : RowsModel(parent) {}

    void setEntries(std::vector<HistoryEntry> entries);
    void setQuery(const HistoryQuery& query);
    void sort(int column, Qt::SortOrder order) override;

    [[nodiscard]] const std::vector<HistoryEntry>& shown() const { return m_rows; }
    [[nodiscard]] const std::vector<HistoryEntry>& all() const { return m_all; }
    /// -1 where it is not shown.
    [[nodiscard]] int rowOf(std::int64_t id) const;

protected:
    [[nodiscard]] int columns() const override { return kHistoryColumns; }
    [[nodiscard]] QVariant cell(const HistoryEntry& row, int column, int role) const override;
    [[nodiscard]] QVariant title(int column, int role) const override;

private:
    void refill();
    [[nodiscard]] QString text(const HistoryEntry& entry, HistoryColumn column) const;
    /// Whether `a` stands before `b`; the newer one where both are alike.
    [[nodiscard]] bool standsBefore(const HistoryEntry& a, const HistoryEntry& b) const;

    std::vector<HistoryEntry> m_all;
    HistoryLabels m_labels;  ///< of all
    HistoryQuery m_query;
    HistoryColumn m_sorted = HistoryColumn::When;
    bool m_isDescending = true;
};

/// "2026-11-26 14:05", or "2026-11-26 14:05:07", as the locale writes it.
[[nodiscard]] QString historyTime(std::int64_t milliseconds, bool hasSeconds = false);
/// The version of a program without its name and commit: "0.3.0".
[[nodiscard]] QString historyVersion(const QString& program);
/// Predicted and measured value of a figure with spread and tier, lines for a tool tip.
[[nodiscard]] QString historyFigureFacts(const HistoryEntry& entry, const HistoryFigureSpec& spec);

}  // namespace plumb::ui
