// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/training_series.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace plumb {

/// When the loss of what is held out is measured, and what it was: before every epoch, and after the last
/// step. In long runs every second, fourth, ... epoch, so that both the points and the time that they take
/// stay few. Depends on the steps alone, never on a clock.
class HoldOutHistory {
public:
    static constexpr std::size_t kMostPoints = 256;

    /// `epoch`: steps of one, at least 1.
    explicit HoldOutHistory(std::int64_t epoch) : m_interval(std::max<std::int64_t>(1, epoch)) {}

    [[nodiscard]] bool isDue(std::int64_t step) const { return step % m_interval == 0 && !has(step); }
    [[nodiscard]] bool has(std::int64_t step) const {
        return !m_points.empty() && m_points.back().step == step;
    }
    void add(const HoldOutLoss& point) {
        m_points.push_back(point);
        if (m_points.size() < kMostPoints) return;
        m_interval *= 2;
        std::erase_if(m_points, [this](const HoldOutLoss& p) { return p.step % m_interval != 0; });
    }
    [[nodiscard]] const std::vector<HoldOutLoss>& points() const { return m_points; }

private:
    std::int64_t m_interval;
    std::vector<HoldOutLoss> m_points;
};

}  // namespace plumb
