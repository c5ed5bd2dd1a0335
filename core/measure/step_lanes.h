// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/lane_schedule.h"
#include "core/plan/step_plan.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace plumb {

/// An op of a step in its lane, once.
struct LaneStretch {
    std::int32_t op = -1;  ///< index into the ops; -1: all micro-batches between the first and the last one
    Lane lane = Lane::Compute;
    std::int64_t microBatch = 0;  ///< counted from 0; 0 of what all of them share
    Seconds begin = 0, end = 0;   ///< from the beginning of the step on
};

/// The works of the lanes of a step whose ops have times: the first micro-batch, those between it and the
/// last one as a single work, the last one with the traffic, the optimizer. Where all micro-batches have
/// traffic, they have joined it by their end, so that each takes what one by itself does.
class StepLanes {
public:
    /// What one execution of an op takes, with the time until the next one.
    using SecondsOnce = std::function<Seconds(const Op& op)>;
    /// How many times as long it takes while the other lane works; absent where nobody measured it.
    using BesideOther = std::function<std::optional<double>(const Op& op)>;

    /// `plan` outlives it.
    StepLanes(const StepPlan& plan, SecondsOnce once, const BesideOther& besideOther);

    [[nodiscard]] const std::vector<LaneWork>& works() const { return m_works; }
    /// By work: what it is, without times.
    [[nodiscard]] const std::vector<LaneStretch>& stretches() const { return m_stretches; }
    /// The same works with traffic that takes no time.
    [[nodiscard]] const std::vector<LaneWork>& free() const { return m_free; }
    /// What the step takes longer for an op, where works() are scheduled so.
    [[nodiscard]] Seconds exposed(std::int32_t op, const LaneSchedule& schedule) const;
    /// Whether it was measured how much slower each op is beside the other lane.
    [[nodiscard]] bool areKnown() const { return m_areKnown; }

private:
    /// A later micro-batch without its traffic.
    [[nodiscard]] Seconds plainPass() const;
    void addPass(std::int32_t begin, std::int32_t end, std::int64_t microBatch,
                 const BesideOther& besideOther);
    /// Each micro-batch between the first and the last by itself: the last one without what travels once.
    void scheduleBetween();
    /// From ops to works, of which the first is the one of this number.
    void resolveJoins(std::vector<LaneWork>& works, std::size_t first) const;

    const StepPlan& m_plan;
    const SecondsOnce m_once;
    std::vector<LaneWork> m_works, m_free;
    std::vector<LaneStretch> m_stretches;
    std::size_t m_between = 0;              ///< the work that stands for the micro-batches in between
    std::vector<Seconds> m_exposedBetween;  ///< by work, of all of those; empty: they have no traffic
    std::vector<std::size_t> m_workOf;      ///< by op: its last
    std::vector<bool> m_isOnce;             ///< by work: traffic of the last micro-batch alone
    std::vector<std::int32_t> m_open;       ///< ops before which traffic is joined that is on its way
    bool m_areKnown = true;
};

}  // namespace plumb
