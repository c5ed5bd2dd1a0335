// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/timeline_state.h"

#include <QString>

#include <optional>
#include <vector>

namespace plumb::ui {

/// All bars of one kind in a stretch of time: a kind of op, the kernels of a stream, the copies.
///
/// A bar that reaches out of the stretch counts with the part inside it: its time is cut there, and its
/// FLOPs, bytes and prediction count in proportion.
struct TimelineSum {
    QString label;  ///< "weight gradient", "kernels on stream 7"
    std::uint8_t group = 0;
    bool isOp = false;
    std::int64_t count = 0;
    Seconds seconds = 0;
    std::optional<Seconds> predicted;  ///< absent when one of them has no prediction, or none can have one
    std::optional<double> flops;       ///< FLOPs of the plan that ran
    std::optional<double> bytes;       ///< bytes of ops: compulsory; of copies and fills: moved
};

struct TimelineSums {
    Seconds from = 0;
    Seconds to = 0;
    Seconds busy = 0;               ///< time in which an operation ran
    std::vector<TimelineSum> rows;  ///< ops by falling time, then the lanes
    std::optional<TimelineSum> allOps;

    [[nodiscard]] Seconds span() const { return to - from; }
};

[[nodiscard]] TimelineSums sumTimeline(const TimelineState& state, Seconds from, Seconds to);

}  // namespace plumb::ui
