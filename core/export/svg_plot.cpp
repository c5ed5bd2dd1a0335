// SPDX-License-Identifier: Apache-2.0
#include "core/export/svg_plot.h"

#include "core/base/number_style.h"
#include "core/base/quantity.h"
#include "core/export/html_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace plumb {

namespace {

/// A bare number as axes of the window write it: "0.001", not "0.00100".
std::string tickText(double tick, const std::string& unit) {
    return unit.empty() ? localNumber(fmt::format("{:g}", tick)) : formatQuantity(tick, unit);
}

}  // namespace

std::vector<double> ticksOf(const SvgAxis& axis, int most) {
    std::vector<double> ticks;
    if (axis.isLog) {
        const int first = static_cast<int>(std::ceil(std::log10(axis.from) - 1e-9));
        const int last = static_cast<int>(std::floor(std::log10(axis.to) + 1e-9));
        const int step = std::max(1, (last - first) / most + 1);
        for (int power = first; power <= last; power += step) ticks.push_back(std::pow(10.0, power));
        return ticks;
    }
    const double raw = (axis.to - axis.from) / most;
    const double decade = std::pow(10.0, std::floor(std::log10(raw)));
    const double ratio = raw / decade;
    const double step = decade * (ratio <= 1 ? 1 : ratio <= 2 ? 2 : ratio <= 5 ? 5 : 10);
    for (double tick = std::ceil(axis.from / step) * step; tick <= axis.to * (1 + 1e-12) + step * 1e-9;
         tick += step)
        ticks.push_back(tick);
    return ticks;
}

SvgPlot::SvgPlot(std::string_view title, SvgAxis x, SvgAxis y, double below)
    : m_x(std::move(x)), m_y(std::move(y)), m_below(below) {
    m_body = fmt::format(R"(<svg viewBox="0 0 {} {}" role="img" aria-label="{}">)", kWidth, kHeight + below,
                         htmlText(title));
    drawGrid();
}

double SvgPlot::position(const SvgAxis& axis, double value, double from, double to) {
    const double share = axis.isLog
                             ? std::log(std::max(value, 1e-300) / axis.from) / std::log(axis.to / axis.from)
                             : (value - axis.from) / (axis.to - axis.from);
    return from + std::clamp(share, -1.0, 2.0) * (to - from);
}

void SvgPlot::drawGrid() {
    constexpr int kMostX = 8, kMostY = 6;
    for (const double tick : ticksOf(m_y, kMostY)) {
        path("grid", fmt::format("M{:.1f} {:.1f}H{:.1f}", m_left, y(tick), m_right));
        text(m_left - 8, y(tick) + 4, "tick end", tickText(tick, m_y.unit));
    }
    for (const double tick : ticksOf(m_x, kMostX)) {
        path("grid", fmt::format("M{:.1f} {:.1f}V{:.1f}", x(tick), m_top, m_bottom));
        const std::string label =
            m_x.unit.empty() && !m_x.isLog ? fmt::format("{}", std::llround(tick)) : tickText(tick, m_x.unit);
        const char* classes = x(tick) > m_right - 24 ? "tick end" : "tick mid";
        text(std::min(x(tick), m_right), m_bottom + 17, classes, label);
    }
    path("axis", fmt::format("M{:.1f} {:.1f}H{:.1f}", m_left, m_bottom, m_right));
    text((m_left + m_right) / 2, m_bottom + 36 + m_below, "label mid", m_x.label);
}

void SvgPlot::path(std::string_view classes, std::string_view data) {
    m_body += fmt::format(R"(<path class="{}" d="{}"/>)", classes, data);
}

void SvgPlot::text(double x, double y, std::string_view classes, std::string_view text) {
    m_body +=
        fmt::format(R"(<text x="{:.1f}" y="{:.1f}" class="{}">{}</text>)", x, y, classes, htmlText(text));
}

void SvgPlot::dot(double x, double y, std::string_view classes, std::string_view title) {
    m_body += fmt::format(R"(<circle cx="{:.1f}" cy="{:.1f}" r="5" class="{}"><title>{}</title></circle>)", x,
                          y, classes, htmlText(title));
}

std::string SvgPlot::take() {
    m_body += "</svg>";
    return std::exchange(m_body, {});
}

}  // namespace plumb
