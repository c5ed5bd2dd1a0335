// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trace/trace_window.h"

#include "ui/theme/text.h"

#include <algorithm>
#include <cmath>

namespace plumb::ui {

TraceWindow zoomed(TraceWindow window, TraceWindow whole, double factor, trace::Nanoseconds around) {
    const double share = static_cast<double>(around - window.from) / static_cast<double>(window.length());
    const double length = std::max(10.0, static_cast<double>(window.length()) * factor);
    if (length >= static_cast<double>(whole.length())) return whole;
    const trace::Nanoseconds from = around - static_cast<trace::Nanoseconds>(share * length);
    return {from, from + static_cast<trace::Nanoseconds>(length)};
}

TraceWindow windowWithin(TraceWindow window, TraceWindow whole) {
    const trace::Nanoseconds length = std::clamp<trace::Nanoseconds>(
        window.length(), std::min<trace::Nanoseconds>(10, whole.length()), whole.length());
    const trace::Nanoseconds from = std::clamp(window.from, whole.from, whole.to - length);
    return {from, from + length};
}

QString axisTimeText(trace::Nanoseconds time, trace::Nanoseconds step, trace::Nanoseconds most) {
    double unit = 1;
    QString name = QStringLiteral("ns");
    const trace::Nanoseconds size = std::max(most, step);
    if (size >= 1'000'000'000) {
        unit = 1e9;
        name = QStringLiteral("s");
    } else if (size >= 1'000'000) {
        unit = 1e6;
        name = QStringLiteral("ms");
    } else if (size >= 1'000) {
        unit = 1e3;
        name = QStringLiteral("µs");
    }
    const int digits =
        std::max(0, static_cast<int>(std::ceil(-std::log10(static_cast<double>(step) / unit) - 1e-9)));
    return numberText(static_cast<double>(time) / unit, 'f', digits) + QLatin1Char(' ') + name;
}

QString windowText(TraceWindow window, TraceWindow whole) {
    const trace::Nanoseconds step = std::max<trace::Nanoseconds>(1, window.length() / 100);
    const auto text = [&](trace::Nanoseconds time) { return axisTimeText(time, step, whole.length()); };
    return tr("%1 to %2 of %3")
        .arg(text(window.from - whole.from), text(window.to - whole.from), text(whole.length()));
}

trace::Nanoseconds roundTimeStep(trace::Nanoseconds least) {
    trace::Nanoseconds power = 1;
    while (power * 10 <= least) power *= 10;
    for (const int factor : {1, 2, 5})
        if (power * factor >= least) return power * factor;
    return power * 10;
}

}  // namespace plumb::ui
