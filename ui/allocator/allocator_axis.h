// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/memory_snapshot/memory_history.h"
#include "ui/charts/chart_style.h"

#include <QString>

#include <cmath>
#include <string>

namespace plumb::ui {

/// The horizontal axis of a trace: seconds since the first entry, or entries where they have no times. The
/// start is left of 0 in time, and from 0 to 1 in entries. Pure.
class AllocatorAxis {
public:
    AllocatorAxis() = default;
    explicit AllocatorAxis(const MemoryHistory& history) : m_history(&history) {}

    [[nodiscard]] bool isTime() const { return m_history && m_history->hasTimes(); }
    /// Where the trace ends; above 0.
    [[nodiscard]] double whole() const {
        if (!m_history) return 1;
        return isTime() ? std::max(at(m_history->lastPosition()), 1e-6)
                        : static_cast<double>(m_history->lastPosition() + 2);
    }
    [[nodiscard]] double at(std::int64_t position) const {
        return isTime() ? static_cast<double>(m_history->timeAt(position)) * 1e-6
                        : static_cast<double>(position + 1);
    }
    /// The last position at or before it.
    [[nodiscard]] std::int64_t positionAt(double value) const {
        if (!m_history || value < 0) return -1;
        if (isTime()) return m_history->positionAt(static_cast<std::int64_t>(std::floor(value * 1e6 + 1e-3)));
        return std::min(static_cast<std::int64_t>(std::floor(value)) - 1, m_history->lastPosition());
    }

private:
    const MemoryHistory* m_history = nullptr;
};

/// The colour of a group: of its part of a training under the category, else by its place.
[[nodiscard]] ChartColor groupColor(MemoryKey key, const MemoryGroups& groups, std::size_t index);

/// What the group is called: a module or an op by its own name, all else in the language of the window.
[[nodiscard]] QString groupText(MemoryKey key, const std::string& name);

}  // namespace plumb::ui
