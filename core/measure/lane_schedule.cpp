// SPDX-License-Identifier: Apache-2.0
#include "core/measure/lane_schedule.h"

#include "core/base/entry_at.h"

#include <algorithm>
#include <deque>

namespace plumb {
namespace {

/// The clock of a step, and the traffic that is on its way.
class Lanes {
public:
    explicit Lanes(std::span<const LaneWork> works) : m_works(works) {}

    [[nodiscard]] Seconds now() const { return m_now; }

    void begin(std::size_t traffic) { m_open.push_back({traffic, m_works[traffic].seconds}); }

    /// Returns how much traffic slows it down.
    Seconds compute(const LaneWork& work) {
        const Seconds before = m_now;
        pass(work);
        return std::max(0.0, m_now - before - work.seconds);
    }

    /// Returns what compute waits for this traffic, and for what was begun before it.
    Seconds join(std::size_t traffic) {
        const Seconds before = m_now;
        const auto isIt = [traffic](const Open& open) { return open.traffic == traffic; };
        while (std::ranges::any_of(m_open, isIt)) {
            m_now += m_open.front().left;
            m_open.pop_front();
        }
        return m_now - before;
    }

private:
    void pass(const LaneWork& work) {
        Seconds left = work.seconds;
        while (!m_open.empty()) {
            Open& first = m_open.front();
            const double slowed = m_works[first.traffic].besideOther;
            const Seconds untilDone = left * work.besideOther, untilFree = first.left * slowed;
            if (untilDone < untilFree) {
                m_now += untilDone;
                first.left -= untilDone / slowed;
                return;
            }
            m_now += untilFree;
            left -= untilFree / work.besideOther;
            m_open.pop_front();
        }
        m_now += std::max(left, 0.0);
    }

    struct Open {
        std::size_t traffic = 0;
        Seconds left = 0;
    };

    std::span<const LaneWork> m_works;
    Seconds m_now = 0;
    std::deque<Open> m_open;  ///< as begun
};

}  // namespace

LaneSchedule scheduleLanes(std::span<const LaneWork> works) {
    LaneSchedule schedule;
    schedule.exposed.resize(works.size());
    Lanes lanes(works);
    std::vector<std::vector<std::size_t>> joins(works.size() + 1);
    for (std::size_t i = 0; i <= works.size(); ++i) {
        for (const std::size_t traffic : joins[i]) schedule.exposed[traffic] = lanes.join(traffic);
        if (i == works.size()) break;
        const LaneWork& work = works[i];
        if (work.lane == Lane::Compute) {
            schedule.exposed[i] = lanes.compute(work);
            continue;
        }
        lanes.begin(i);
        entryAt(joins, work.joinedBy).push_back(i);
    }
    schedule.seconds = lanes.now();
    return schedule;
}

std::vector<LaneWork> withFreeTraffic(std::span<const LaneWork> works) {
    std::vector<LaneWork> free(works.begin(), works.end());
    for (LaneWork& work : free)
        if (work.lane == Lane::Traffic) work.seconds = 0;
    return free;
}

}  // namespace plumb
