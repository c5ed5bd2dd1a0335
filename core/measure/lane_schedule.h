// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/quantity.h"
#include "core/plan/step.h"

#include <cstddef>
#include <span>
#include <vector>

namespace plumb {

/// One thing that a step does, in a lane.
struct LaneWork {
    Lane lane = Lane::Compute;
    Seconds seconds = 0;     ///< while the other lane rests
    double besideOther = 1;  ///< how many times as long it takes while the other lane works; at least 1
    /// Of traffic: the index of the compute work that waits for its end; the number of works: the step does.
    std::size_t joinedBy = 0;
};

/// When something is done, from the beginning of the step on.
struct LaneSpan {
    Seconds begin = 0, end = 0;
};

struct LaneSchedule {
    Seconds seconds = 0;  ///< of the step
    /// By work. Traffic begins when what was begun before it has ended.
    std::vector<LaneSpan> spans;
    /// By work, what the step takes longer: of traffic, what compute waited for it; of compute, how much it
    /// was slowed down. Together they are what free traffic would save.
    std::vector<Seconds> exposed;
};

/// List scheduling of a step's works in their order. Compute does one after the other, begins traffic where
/// it stands, and waits before a work for the traffic that this joins; traffic goes one after the other in
/// the order in which it was begun. While both lanes work each is slowed down by its own factor, and as soon
/// as one rests the other goes on at its full speed.
[[nodiscard]] LaneSchedule scheduleLanes(std::span<const LaneWork> works);

/// The same works with traffic that takes no time.
[[nodiscard]] std::vector<LaneWork> withFreeTraffic(std::span<const LaneWork> works);

}  // namespace plumb
