// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/quantity.h"
#include "ui/charts/axis.h"

namespace plumb::ui {

/// The stretch of time that a timeline shows, and where on screen. Pure: tests need no window.
///
/// Every change keeps to the whole: not more of it than there is with a small margin, not less than kLeast.
struct TimeWindow {
    static constexpr Seconds kLeast = 20e-9;  ///< clocks tell nanoseconds apart
    static constexpr double kMargin = 0.02;   ///< share of the whole, at both ends

    Seconds whole = 1;  ///< there is time from 0 to here; above 0
    Seconds from = 0;
    Seconds to = 1;
    double left = 0;  ///< pixel of `from`
    double width = 1;

    [[nodiscard]] Seconds span() const { return to - from; }
    [[nodiscard]] Seconds perPixel() const { return span() / width; }
    [[nodiscard]] double toX(Seconds time) const { return left + (time - from) / span() * width; }
    [[nodiscard]] Seconds toTime(double x) const { return from + (x - left) / width * span(); }
    [[nodiscard]] bool showsAll() const { return from <= 0 && to >= whole; }

    /// Everything, with the margins.
    void fitAll();
    /// first..last with a little room beside it.
    void fit(Seconds first, Seconds last);
    /// `factor` times as much on the same room when it is above 1; the time at pixel `x` stays where it is.
    void zoom(double factor, double x);
    void pan(double pixels);
    /// Moves, keeping the zoom, until first..last can be seen; nothing when it can already.
    void show(Seconds first, Seconds last);

private:
    void set(Seconds begin, Seconds span);
};

/// Round times in from..to, all in one unit and with as many decimals as tell them apart: "12.34 ms" beside
/// "12.35 ms", however deep the zoom. About `most` of them.
[[nodiscard]] QVector<AxisTick> timeTicks(Seconds from, Seconds to, int most);

/// A time to the nanosecond, in the unit that fits it: "12.345678 ms", "640 ns".
[[nodiscard]] QString exactTime(Seconds seconds);

}  // namespace plumb::ui
