// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/operations/operations_filter.h"

#include "core/base/entry_at.h"
#include "ui/theme/text.h"

#include <QRegularExpression>

#include <algorithm>

namespace plumb::ui {

OperationsQuery::OperationsQuery(const QString& text) {
    static const QRegularExpression layers(
        QStringLiteral("\\blayers?\\s+(\\d{1,9})(?:\\s*[-–]\\s*(\\d{1,9}))?(?!\\S)"),
        QRegularExpression::CaseInsensitiveOption);
    QString rest = text.simplified();
    if (const auto match = layers.match(rest); match.hasMatch()) {
        const std::int32_t first = match.captured(1).toInt();
        const std::int32_t last = match.captured(2).isEmpty() ? first : match.captured(2).toInt();
        m_layers = std::minmax(first, last);
        rest.remove(match.capturedStart(), match.capturedLength());
    }
    m_words = SearchWords(rest);
}

bool OperationsQuery::matches(const OperationsTree& tree, const OperationsTree::Node& node) const {
    if (m_layers) {
        // A recomputation makes several layers in a row; the head and the optimizer are no layer.
        const auto layers = tree.step().opLayers(node.op);
        if (!layers || layers->second < m_layers->first || layers->first > m_layers->second) return false;
    }
    if (m_words.isEmpty()) return true;
    QString text = operationFullName(tree, node) + u' ' + operationLabel(tree, node) + u' ' +
                   operationLabel(tree, tree.node(node.parent));
    const std::string_view phase = phaseName(node.phase);
    text += u' ' + toText(phase);
    if (node.figures.bound) text += u' ' + boundLabel(*node.figures.bound);
    for (const std::int32_t child : node.children) {
        const OperationsTree::Node& below = tree.node(child);
        if (below.kind == OperationsTree::Kind::Kernel)
            text += u' ' + toText(entryAt(tree.kernels(), below.kernel).name);
    }
    return m_words.areAll(m_words.in(text));
}

OperationsFilter::OperationsFilter(OperationsModel& model, QObject* parent)
    : QSortFilterProxyModel(parent), m_model(model) {
    setDynamicSortFilter(false);
    setSourceModel(&model);
}

void OperationsFilter::setQuery(const QString& text) {
    m_query = OperationsQuery(text);
    invalidate();
}

void OperationsFilter::resort() { invalidate(); }

bool OperationsFilter::accepts(const OperationsTree::Node& node) const {
    // The kernels of an op that is shown are shown with it.
    if (node.kind == OperationsTree::Kind::Kernel) return accepts(m_model.tree().node(node.parent));
    if (node.op >= 0) return m_query.matches(m_model.tree(), node);
    return std::ranges::any_of(node.children,
                               [&](std::int32_t child) { return accepts(m_model.tree().node(child)); });
}

int OperationsFilter::matchCount() const {
    const auto& nodes = m_model.tree().nodes();
    return static_cast<int>(std::ranges::count_if(nodes, [&](const OperationsTree::Node& node) {
        return node.op >= 0 && (m_query.empty() || m_query.matches(m_model.tree(), node));
    }));
}

bool OperationsFilter::filterAcceptsRow(int row, const QModelIndex& parent) const {
    if (m_query.empty()) return true;
    return accepts(m_model.node(m_model.index(row, 0, parent)));
}

bool OperationsFilter::lessThan(const QModelIndex& left, const QModelIndex& right) const {
    const OperationsTree::Node& a = m_model.node(left);
    const OperationsTree::Node& b = m_model.node(right);
    switch (const auto column = static_cast<OperationColumn>(left.column())) {
    case OperationColumn::Name: {
        // Text order would put layer 10 before layer 2: the plan's own order is the order of names.
        return a.row < b.row;
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
