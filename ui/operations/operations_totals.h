// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/operations_tree.h"

#include <QWidget>

namespace plumb::ui {

class OperationsModel;
class OperationsTable;
class Theme;

/// The last line of the table of operations: what its rows add up to, each figure below its column.
class OperationsTotals final : public QWidget {
    Q_OBJECT
public:
    /// `table` and `model` outlive it.
    OperationsTotals(const Theme& theme, OperationsTable& table, const OperationsModel& model,
                     QWidget* parent = nullptr);

    /// `isPart`: some operations of the step are not among them.
    void setTotal(const OperationsTree::Node& total, bool isPart);
    /// The figure below a column, as it is written there.
    [[nodiscard]] QString text(int column) const;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    const Theme& m_theme;
    OperationsTable& m_table;
    const OperationsModel& m_model;
    OperationsTree::Node m_total;
    bool m_isPart = false;
};

}  // namespace plumb::ui
