// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/operations/operations_model.h"
#include "ui/operations/operations_query.h"
#include "ui/workbench/op_range.h"

#include <QSortFilterProxyModel>

namespace plumb::ui {

/// Sorting by raw values (unknown ones last in either direction) and filtering of an OperationsModel; a phase
/// or group stays while one of its operations matches. Rows do not move by themselves when figures change:
/// resort() moves them, when nobody reads there.
class OperationsFilter final : public QSortFilterProxyModel {
    Q_OBJECT
public:
    OperationsFilter(OperationsModel& model, QObject* parent = nullptr);
    void setQuery(const OperationsQuery& query);
    /// Leaves out the operations that are not among these, whatever the query says; empty: none.
    void setRange(const OpSet& ops);
    [[nodiscard]] bool filtering() const { return !m_query.empty() || !m_range.empty(); }
    /// Sorts again by the figures of now.
    void resort();
    /// Operations that pass the filter.
    [[nodiscard]] int matchCount() const;
    /// Qt's own sorts the rows below for it, of which a group of the deepest network has 65 536.
    [[nodiscard]] bool hasChildren(const QModelIndex& parent = {}) const override;
    /// A row of all operations that pass the filter, with their sums; without a filter, of the whole step.
    [[nodiscard]] OperationsTree::Node total() const;

protected:
    [[nodiscard]] bool filterAcceptsRow(int row, const QModelIndex& parent) const override;
    [[nodiscard]] bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;

private:
    [[nodiscard]] bool accepts(const OperationsTree::Node& node) const;
    /// `node` is an operation.
    [[nodiscard]] bool acceptsOp(const OperationsTree::Node& node) const;

    OperationsModel& m_model;
    OperationsQuery m_query;
    OpSet m_range;
};

}  // namespace plumb::ui
