// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/timeline.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

namespace plumb {

/// Keeps what an executor did in its newest steps: when each op ran, and what was alive before and after it.
///
/// Memory is bounded whatever runs: at most kSteps steps, and of those together at most as many records as a
/// timeline takes. Only while a step is recorded does it cost anything: some stores for each op.
class TimelineRecorder {
public:
    static constexpr std::size_t kSteps = 3;

    /// All times on one clock, in order.
    void beginStep(std::int64_t step, Seconds now);
    /// `live`: the most that was handed out while the op ran.
    void addOp(std::int32_t op, Seconds begin, Seconds end, Bytes live);
    /// A collective that went on beside them, and what it sent.
    void addTraffic(std::int32_t op, Seconds begin, Seconds end, Bytes sent);
    /// What is still alive after the op that was added last.
    void addReleased(Bytes live);
    void endStep(Seconds now);
    /// The step that began will not end.
    void dropStep();

    /// Timeline of the steps that ended, whose times are of `source`; null when there is none.
    [[nodiscard]] std::shared_ptr<const Timeline> timeline(Source source) const;
    void clear();

private:
    struct OpRun {
        Seconds begin = 0;
        Seconds end = 0;
        Bytes live = 0;
        Bytes after = 0;
        std::int32_t op = 0;
    };
    struct Transfer {
        Seconds begin = 0;
        Seconds end = 0;
        Bytes sent = 0;
        std::int32_t op = 0;
    };
    struct Step {
        std::int64_t step = 0;
        Seconds begin = 0;
        Seconds end = 0;
        std::int64_t dropped = 0;
        std::vector<OpRun> ops;
        std::vector<Transfer> traffic;
    };
    std::deque<Step> m_steps;
    Step m_open;
};

}  // namespace plumb
