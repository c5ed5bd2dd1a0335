// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/operations/operations_filter.h"

#include <algorithm>

namespace plumb::ui {

OperationsFilter::OperationsFilter(OperationsModel& model, QObject* parent)
    : QSortFilterProxyModel(parent), m_model(model) {
    setDynamicSortFilter(false);
    setSourceModel(&model);
}

void OperationsFilter::setQuery(const OperationsQuery& query) {
    m_query = query;
    invalidate();
}

void OperationsFilter::setRange(const OpSet& ops) {
    if (ops == m_range) return;
    m_range = ops;
    invalidate();
}

void OperationsFilter::resort() { invalidate(); }

bool OperationsFilter::accepts(const OperationsTree::Node& node) const {
    // The kernels of an op that is shown are shown with it.
    if (node.kind == OperationsTree::Kind::Kernel) return accepts(m_model.tree().node(node.parent));
    if (node.op >= 0) return acceptsOp(node);
    return std::ranges::any_of(node.children,
                               [&](std::int32_t child) { return accepts(m_model.tree().node(child)); });
}

bool OperationsFilter::acceptsOp(const OperationsTree::Node& node) const {
    return (m_range.empty() || m_range.contains(node.op)) &&
           (m_query.empty() || m_query.matches(m_model.tree(), node));
}

int OperationsFilter::matchCount() const {
    const auto& nodes = m_model.tree().nodes();
    return static_cast<int>(std::ranges::count_if(
        nodes, [&](const OperationsTree::Node& node) { return node.op >= 0 && acceptsOp(node); }));
}

bool OperationsFilter::hasChildren(const QModelIndex& parent) const {
    return filtering() ? QSortFilterProxyModel::hasChildren(parent)
                       : m_model.hasChildren(mapToSource(parent));
}

OperationsTree::Node OperationsFilter::total() const {
    const auto& nodes = m_model.tree().nodes();
    OperationsTree::Node total;
    if (nodes.empty()) return total;
    // The step's own sums have what ran and is no longer asked for as well.
    total.figures = nodes.front().figures;
    if (!filtering()) return total;
    total.figures = {};
    for (const OperationsTree::Node& node : nodes) {
        if (node.op < 0 || !acceptsOp(node)) continue;
        total.figures.addPlan(node.figures);
        total.figures.addRun(node.figures);
    }
    total.figures.isWhatIf = nodes.front().figures.isWhatIf;
    return total;
}

bool OperationsFilter::filterAcceptsRow(int row, const QModelIndex& parent) const {
    if (!filtering()) return true;
    return accepts(m_model.node(m_model.index(row, 0, parent)));
}

bool OperationsFilter::lessThan(const QModelIndex& left, const QModelIndex& right) const {
    const OperationsTree::Node& a = m_model.node(left);
    const OperationsTree::Node& b = m_model.node(right);
    switch (const auto column = static_cast<OperationColumn>(left.column())) {
    case OperationColumn::Name: {
        // Text order would put layer 10 before layer 2: the plan's own order is the order of names.
        return left.row() < right.row();
    }
    case OperationColumn::Bound: {
        const auto rank = [](const OperationsTree::Node& node) {
            return node.figures.bound ? static_cast<int>(*node.figures.bound) : 99;
        };
        return rank(a) < rank(b);
    }
    default: {
        const auto x = cellValue(a, column);
        const auto y = cellValue(b, column);
        if (x && y) return *x < *y;
        return sortOrder() == Qt::AscendingOrder ? x.has_value() && !y : !x && y.has_value();
    }
    }
}

}  // namespace plumb::ui
