// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <optional>
#include <utility>

namespace plumb::ui {

/// Consecutive ops of a step, both ends included.
struct OpSpan {
    int first = 0;
    int last = 0;

    [[nodiscard]] int count() const { return last - first + 1; }
    [[nodiscard]] bool contains(int op) const { return op >= first && op <= last; }
    bool operator==(const OpSpan&) const = default;
};

/// The stretch of ops that all views are narrowed to, by their indices in the step that is shown
/// (Workbench::scene()->whatIf.step). None is chosen: all of them. The workbench takes it away when a step of
/// other ops comes.
class OpRange final : public QObject {
    Q_OBJECT
public:
    [[nodiscard]] const std::optional<OpSpan>& span() const { return m_span; }
    /// Whether an op is to be shown.
    [[nodiscard]] bool contains(int op) const { return !m_span || m_span->contains(op); }
    /// The ends may come in either order.
    void select(std::optional<OpSpan> span) {
        if (span && span->first > span->last) std::swap(span->first, span->last);
        if (m_span == span) return;
        m_span = span;
        emit changed();
    }
    void clear() { select(std::nullopt); }

signals:
    void changed();

private:
    std::optional<OpSpan> m_span;
};

}  // namespace plumb::ui
