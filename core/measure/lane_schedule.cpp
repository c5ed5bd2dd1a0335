// SPDX-License-Identifier: Apache-2.0
#include "core/measure/lane_schedule.h"

#include "core/base/entry_at.h"

#include <algorithm>
#include <deque>
#include <utility>

namespace plumb {
namespace {

/// The clock of a step, and the traffic that is on its way.
class Lanes {
public:
    explicit Lanes(std::span<const LaneWork> works) : m_works(works), m_spans(works.size()) {}

    [[nodiscard]] Seconds now() const { return m_now; }
    [[nodiscard]] std::vector<LaneSpan> takeSpans() { return std::move(m_spans); }

    void begin(std::size_t traffic) {
        if (m_open.empty()) m_spans[traffic].begin = m_now;
        m_open.push_back({traffic, m_works[traffic].seconds});
    }

    /// Returns how much traffic slows it down.
    Seconds compute(std::size_t index) {
        LaneSpan& span = m_spans[index];
        span.begin = m_now;
        pass(m_works[index]);
        span.end = m_now;
        return std::max(0.0, span.end - span.begin - m_works[index].seconds);
    }

    /// Returns what compute waits for this traffic, and for what was begun before it.
    Seconds join(std::size_t traffic) {
        const Seconds before = m_now;
        const auto isIt = [traffic](const Open& open) { return open.traffic == traffic; };
        while (std::ranges::any_of(m_open, isIt)) endFirst(m_open.front().left);
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
            left -= untilFree / work.besideOther;
            endFirst(untilFree);
        }
        m_now += std::max(left, 0.0);
    }

    /// The traffic that goes ends after so long, and the next one begins.
    void endFirst(Seconds after) {
        m_now += after;
        m_spans[m_open.front().traffic].end = m_now;
        m_open.pop_front();
        if (!m_open.empty()) m_spans[m_open.front().traffic].begin = m_now;
    }

    struct Open {
        std::size_t traffic = 0;
        Seconds left = 0;
    };

    std::span<const LaneWork> m_works;
    std::vector<LaneSpan> m_spans;
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
            schedule.exposed[i] = lanes.compute(i);
            continue;
        }
        lanes.begin(i);
        entryAt(joins, work.joinedBy).push_back(i);
    }
    schedule.seconds = lanes.now();
    schedule.spans = lanes.takeSpans();
    return schedule;
}

std::vector<LaneWork> withFreeTraffic(std::span<const LaneWork> works) {
    std::vector<LaneWork> free(works.begin(), works.end());
    for (LaneWork& work : free)
        if (work.lane == Lane::Traffic) work.seconds = 0;
    return free;
}

}  // namespace plumb
