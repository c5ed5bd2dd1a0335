// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/trace_time.h"

#include <QString>

namespace plumb::ui {

/// A part of a trace's time.
struct TraceWindow {
    trace::Nanoseconds from = 0;
    trace::Nanoseconds to = 1;
    [[nodiscard]] trace::Nanoseconds length() const { return to - from; }
    bool operator==(const TraceWindow&) const = default;
};

/// Where the times of a window lie among pixels.
struct TimeAxis {
    TraceWindow window;
    double left = 0;
    double width = 1;
    [[nodiscard]] double xOf(trace::Nanoseconds time) const {
        return left + static_cast<double>(time - window.from) / static_cast<double>(window.length()) * width;
    }
    [[nodiscard]] trace::Nanoseconds timeAt(double x) const {
        return window.from +
               static_cast<trace::Nanoseconds>((x - left) / width * static_cast<double>(window.length()));
    }
};

/// `factor` times as much of the time, with `around` where it is; all of it where that is more, 10 ns at
/// least.
[[nodiscard]] TraceWindow zoomed(TraceWindow window, TraceWindow whole, double factor,
                                 trace::Nanoseconds around);
/// The nearest window within `whole`, at least 10 ns long where the trace is.
[[nodiscard]] TraceWindow windowWithin(TraceWindow window, TraceWindow whole);
/// A time on an axis with a mark each `step` up to `most`, whose unit it has: as many digits as tell the
/// marks apart.
[[nodiscard]] QString axisTimeText(trace::Nanoseconds time, trace::Nanoseconds step, trace::Nanoseconds most);
/// "1.5 ms to 2.5 ms of 10.0 ms": what of the time is in sight.
[[nodiscard]] QString windowText(TraceWindow window, TraceWindow whole);
/// 1, 2 or 5 times a power of ten, at least `least`.
[[nodiscard]] trace::Nanoseconds roundTimeStep(trace::Nanoseconds least);

}  // namespace plumb::ui
