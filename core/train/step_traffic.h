// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/train/rank_link.h"
#include "core/train/residency.h"

#include <cstdint>
#include <span>
#include <vector>

namespace plumb {

class StepTiming;

/// The collectives of a step, on their way beside the ops: each is started where the plan has it and joined
/// before the op that cannot do without its result.
class StepTraffic {
public:
    /// All of them outlive it. `link`: null for a rank that is alone.
    StepTraffic(const StepPlan& plan, const Residency& residency, const RankLink* link);
    StepTraffic(const StepTraffic&) = delete;
    StepTraffic& operator=(const StepTraffic&) = delete;
    ~StepTraffic();

    /// Begins the collective that this op is. Pre: its tensors have memory, of the host.
    [[nodiscard]] Result<void> start(std::int32_t op);
    /// Wait for those that are joined before or after this op, and tell `timing` what they cost, if it is
    /// not null. Errors: those of Communicator::join().
    [[nodiscard]] Result<void> joinBefore(std::int32_t op, StepTiming* timing);
    [[nodiscard]] Result<void> joinAfter(std::int32_t op, StepTiming* timing);
    /// Those that the last joinBefore() has waited for.
    [[nodiscard]] std::span<const std::int32_t> joined() const { return m_joined; }
    /// Waits for all that are on their way.
    [[nodiscard]] Result<void> joinAll();
    /// After a failure: ends the step on all ranks, and waits for what is on its way, whose memory may go
    /// then.
    void giveUp(const Error& why);

private:
    struct Open {
        std::int32_t op = 0;
        Communicator::Ticket ticket = 0;
        Seconds starting = 0;  ///< what the step had to do for it
    };

    void clearPadding(const TensorRange& range) const;
    /// Waits for those of which `isDue` holds.
    template <class IsDue>
    [[nodiscard]] Result<void> join(const IsDue& isDue, StepTiming* timing);

    const StepPlan& m_plan;
    const Residency& m_residency;
    const RankLink* m_link;
    std::vector<Open> m_open;
    std::vector<std::int32_t> m_joined;
};

}  // namespace plumb
