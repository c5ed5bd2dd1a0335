// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/time_window.h"

#include "ui/charts/within.h"
#include "ui/theme/text.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace plumb::ui {
namespace {

struct TimeUnit {
    double seconds;
    const char* name;
};
constexpr std::array kUnits{TimeUnit{1, "s"}, TimeUnit{1e-3, "ms"}, TimeUnit{1e-6, "µs"},
                            TimeUnit{1e-9, "ns"}};

const TimeUnit& unitFor(Seconds seconds) {
    const auto found = std::find_if(kUnits.begin(), kUnits.end(),
                                    [&](const TimeUnit& unit) { return seconds >= unit.seconds; });
    return found == kUnits.end() ? kUnits.back() : *found;
}

}  // namespace

void TimeWindow::set(Seconds begin, Seconds span) {
    const Seconds margin = whole * kMargin;
    span = within(span, std::min(kLeast, whole), whole + 2 * margin);
    from = within(begin, -margin, whole + margin - span);
    to = from + span;
}

void TimeWindow::fitAll() { set(-whole * kMargin, whole * (1 + 2 * kMargin)); }

void TimeWindow::fit(Seconds first, Seconds last) {
    const Seconds room = std::max(last - first, kLeast) * 0.08;
    set(first - room, last - first + 2 * room);
}

void TimeWindow::zoom(double factor, double x) {
    const Seconds fixed = toTime(x);
    const Seconds margin = whole * kMargin;
    // Limited before the place is computed, so that a zoom at its limit stays in place.
    const Seconds wanted = within(span() / factor, std::min(kLeast, whole), whole + 2 * margin);
    set(fixed - (x - left) / width * wanted, wanted);
}

void TimeWindow::pan(double pixels) { set(from + pixels * perPixel(), span()); }

void TimeWindow::show(Seconds first, Seconds last) {
    if (first >= from && last <= to) return;
    if (last - first > span()) return fit(first, last);
    set((first + last) / 2 - span() / 2, span());
}

QVector<AxisTick> timeTicks(Seconds from, Seconds to, int most) {
    QVector<AxisTick> ticks;
    if (!(to > from) || most < 1) return ticks;
    const double step = roundStep((to - from) / most);
    const TimeUnit& unit = unitFor(std::max(std::abs(from), std::abs(to)));
    const int decimals =
        std::clamp(static_cast<int>(std::ceil(std::log10(unit.seconds / step) - 1e-9)), 0, 12);
    for (auto i = static_cast<std::int64_t>(std::ceil(from / step)); static_cast<double>(i) * step <= to;
         ++i) {
        const double value = static_cast<double>(i) * step;
        ticks.push_back({value, QStringLiteral("%1 %2")
                                    .arg(numberText(value / unit.seconds, 'f', decimals))
                                    .arg(QString::fromUtf8(unit.name))});
    }
    return ticks;
}

QString exactTime(Seconds seconds) {
    const TimeUnit& unit = unitFor(std::abs(seconds));
    const int decimals = static_cast<int>(std::lround(std::log10(unit.seconds / 1e-9)));
    QString number = numberText(seconds / unit.seconds, 'f', decimals);
    if (decimals > 0) {
        while (number.endsWith(u'0')) number.chop(1);
        if (number.endsWith(u'.')) number.chop(1);
    }
    return number + u' ' + QString::fromUtf8(unit.name);
}

}  // namespace plumb::ui
