// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/operations/operations_text.h"

#include <QModelIndex>

#include <functional>

class QMenu;
class QWidget;

namespace plumb::ui {

class OperationsTable;

/// What can be done with a row of the table of operations.
struct OperationsMenuActs {
    std::function<void()> copyRows;                 ///< those that are selected
    std::function<void()> copyTable;                ///< all that are shown
    std::function<void(const QString& view)> show;  ///< goes to a view; empty: there are none
    std::function<void(OperationColumn)> why;       ///< says where the figure of the row comes from
};

/// The menu of a cell of the table; its columns that are shown are asked after.
[[nodiscard]] QMenu* makeOperationsMenu(const QModelIndex& cell, const OperationsTable& table,
                                        const OperationsMenuActs& acts, QWidget* parent);

}  // namespace plumb::ui
