// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/timeline_sums.h"
#include "ui/timeline/timeline_state.h"

#include <QString>

#include <functional>
#include <optional>
#include <vector>

namespace plumb::ui {

/// All bars of one kind in a stretch of time: a kind of op, the kernels of a stream, the copies.
struct TimelineSum : RecordSum {
    QString label;  ///< "weight gradient", "kernels on stream 7"
    std::uint8_t group = 0;
    bool isOp = false;
};

struct TimelineSums {
    Seconds from = 0;
    Seconds to = 0;
    Seconds busy = 0;               ///< time in which an operation ran
    std::vector<TimelineSum> rows;  ///< ops by falling time, then the lanes
    std::optional<TimelineSum> allOps;
    QString predictedFor;  ///< see TimelineState

    [[nodiscard]] Seconds span() const { return to - from; }
};

/// `isIn`: whether a bar counts; all do where nothing is said.
[[nodiscard]] TimelineSums sumTimeline(const TimelineState& state, Seconds from, Seconds to,
                                       const std::function<bool(const TimelineBar&)>& isIn = {});

}  // namespace plumb::ui
