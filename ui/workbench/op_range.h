// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace plumb::ui {

/// Consecutive ops of a step, both ends included.
struct OpSpan {
    int first = 0;
    int last = 0;

    [[nodiscard]] int count() const { return last - first + 1; }
    [[nodiscard]] bool contains(int op) const { return op >= first && op <= last; }
    bool operator==(const OpSpan&) const = default;
};

/// Ops of a step by their indices, as the stretches that they make: in order, and none touches the next.
class OpSet {
public:
    OpSet() = default;
    /// The ends may come in either order.
    OpSet(OpSpan span) : m_spans{OpSpan{std::min(span.first, span.last), std::max(span.first, span.last)}} {}
    OpSet(std::optional<OpSpan> span) : OpSet(span ? OpSet(*span) : OpSet()) {}
    /// In any order, and several times each.
    explicit OpSet(std::vector<int> ops) {
        std::ranges::sort(ops);
        for (const int op : ops) {
            if (m_spans.empty() || op > m_spans.back().last + 1)
                m_spans.push_back({op, op});
            else
                m_spans.back().last = op;
        }
    }

    [[nodiscard]] bool empty() const { return m_spans.empty(); }
    [[nodiscard]] int count() const {
        int sum = 0;
        for (const OpSpan& span : m_spans) sum += span.count();
        return sum;
    }
    /// Whether one of these ops is in it.
    [[nodiscard]] bool meets(OpSpan ops) const {
        const auto at = std::ranges::lower_bound(m_spans, ops.first, {}, &OpSpan::last);
        return at != m_spans.end() && at->first <= ops.last;
    }
    [[nodiscard]] bool contains(int op) const { return meets({op, op}); }
    [[nodiscard]] const std::vector<OpSpan>& spans() const { return m_spans; }
    /// The ops where they are one stretch.
    [[nodiscard]] std::optional<OpSpan> span() const {
        return m_spans.size() == 1 ? std::optional(m_spans.front()) : std::nullopt;
    }
    /// They and these.
    [[nodiscard]] OpSet with(std::vector<int> ops) const {
        for (const OpSpan& span : m_spans)
            for (int op = span.first; op <= span.last; ++op) ops.push_back(op);
        return OpSet(std::move(ops));
    }
    bool operator==(const OpSet&) const = default;

private:
    std::vector<OpSpan> m_spans;
};

/// The ops that all views are narrowed to, by their indices in the step that is shown
/// (Workbench::scene()->whatIf.step). None is chosen: all of them. The workbench takes it away when a step of
/// other ops comes.
class OpRange final : public QObject {
    Q_OBJECT
public:
    [[nodiscard]] const OpSet& ops() const { return m_ops; }
    [[nodiscard]] bool isChosen() const { return !m_ops.empty(); }
    /// They, where they are one stretch.
    [[nodiscard]] std::optional<OpSpan> span() const { return m_ops.span(); }
    /// Whether an op is to be shown.
    [[nodiscard]] bool contains(int op) const { return !isChosen() || m_ops.contains(op); }
    void select(OpSet ops) {
        if (m_ops == ops) return;
        m_ops = std::move(ops);
        emit changed();
    }
    void clear() { select(OpSet()); }

signals:
    void changed();

private:
    OpSet m_ops;
};

}  // namespace plumb::ui
