// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/allocator/living_model.h"

#include <QWidget>

#include <optional>

class QLineEdit;
class QTableView;

namespace plumb::ui {

class ToneLabel;

/// The table of what is alive at the cursor, with a filter and the sum of its rows.
class LivingPanel final : public QWidget {
    Q_OBJECT
public:
    LivingPanel(Theme& theme, AllocatorState& state, QWidget* parent = nullptr);

    /// Selects the row of an allocation; one that the filter hides has none and is told as selected.
    void select(std::uint32_t allocation);

signals:
    /// Index into the replay's allocations; none: nothing is selected.
    void selected(std::optional<std::uint32_t> allocation);

private:
    void build();
    void showSum();
    void keepSelection();

    LivingModel* m_model;
    QLineEdit* m_filter;
    ToneLabel* m_sum;
    QTableView* m_table;
    std::optional<std::uint32_t> m_selected;
};

}  // namespace plumb::ui
