// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/operations/operations_model.h"
#include "ui/widgets/search_words.h"

#include <QSortFilterProxyModel>

namespace plumb::ui {

/// What the filter field asks for: every word must match.
///
/// "layer 3", "layer 3-5" and "layers 3-5" match operations of these layers exactly; any other word matches
/// in the name, the phase, the bound ("memory") or a kernel, upper and lower case alike; a number as a whole.
class OperationsQuery {
public:
    OperationsQuery() = default;
    explicit OperationsQuery(const QString& text);
    [[nodiscard]] bool empty() const { return m_words.isEmpty() && !m_layers; }
    /// `node` is an operation.
    [[nodiscard]] bool matches(const OperationsTree& tree, const OperationsTree::Node& node) const;

private:
    SearchWords m_words{QString()};
    std::optional<std::pair<std::int32_t, std::int32_t>> m_layers;  ///< first and last, both included
};

/// Sorting by raw values (unknown ones last in either direction) and filtering of an OperationsModel; a phase
/// or group stays while one of its operations matches. Rows do not move by themselves when figures change:
/// resort() moves them, when nobody reads there.
class OperationsFilter final : public QSortFilterProxyModel {
    Q_OBJECT
public:
    OperationsFilter(OperationsModel& model, QObject* parent = nullptr);
    void setQuery(const QString& text);
    [[nodiscard]] bool filtering() const { return !m_query.empty(); }
    /// Sorts again by the figures of now.
    void resort();
    /// Operations that pass the filter.
    [[nodiscard]] int matchCount() const;

protected:
    [[nodiscard]] bool filterAcceptsRow(int row, const QModelIndex& parent) const override;
    [[nodiscard]] bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;

private:
    [[nodiscard]] bool accepts(const OperationsTree::Node& node) const;

    OperationsModel& m_model;
    OperationsQuery m_query;
};

}  // namespace plumb::ui
