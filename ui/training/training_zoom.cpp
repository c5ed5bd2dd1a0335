// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/training/training_zoom.h"

#include "ui/charts/chart_panel.h"
#include "ui/charts/chart_zoom.h"

#include <algorithm>
#include <cmath>

namespace plumb::ui {

void TrainingZoom::add(ChartPanel& chart) {
    auto* zoom = new ChartZoom(chart, ChartZoom::Axes::X, 1e-4);
    m_zooms.push_back(zoom);
    connect(zoom, &ChartZoom::changed, this, [this, zoom] { take(*zoom); });
    zoom->setDrawsRanges();
    connect(zoom, &ChartZoom::rangeDrawn, this, &TrainingZoom::draw);
    connect(zoom, &ChartZoom::rangeClicked, this, [this] { mark(std::nullopt); });
    connect(zoom, &ChartZoom::rangeStepped, this, &TrainingZoom::markStepped);
    connect(zoom, &QObject::destroyed, this, [this, zoom] { std::erase(m_zooms, zoom); });
    apply();
}

void TrainingZoom::take(const ChartZoom& zoom) {
    if (m_isApplying) return;
    m_window.reset();
    const double span = m_axis.max - m_axis.min;
    if (const auto part = zoom.xPart())
        m_window.emplace(m_axis.min + part->first * span, m_axis.min + part->second * span);
    apply();
    emit changed();
}

void TrainingZoom::showAll() {
    if (!m_window) return;
    m_window.reset();
    apply();
    emit changed();
}

void TrainingZoom::setAxis(const AxisOptions& axis) {
    // Steps are no seconds.
    if (axis.unit != m_axis.unit) {
        m_window.reset();
        m_marked.reset();
    }
    m_axis = axis;
    apply();
}

void TrainingZoom::mark(const TrainingWindow& stretch) {
    if (stretch == m_marked) return;
    m_marked = stretch;
    apply();
    emit markChanged();
}

void TrainingZoom::draw(double from, double to) {
    const auto place = [this](double x) {
        const double inside = std::clamp(x, m_axis.min, m_axis.max);
        return m_axis.whole ? std::round(inside) : inside;
    };
    m_fixed = place(from);
    m_moved = place(to);
    mark(std::pair(std::min(m_fixed, m_moved), std::max(m_fixed, m_moved)));
}

void TrainingZoom::stepMark(int by, double from) {
    const auto [first, last] = m_window.value_or(std::pair(m_axis.min, m_axis.max));
    if (by == 0) return draw(first, last);
    constexpr double kStrides = 100;  // across what is in sight
    const double stride = std::max((last - first) / kStrides, m_axis.whole ? 1.0 : 0.0);
    draw(m_marked ? m_fixed : from, (m_marked ? m_moved : from) + by * stride);
}

void TrainingZoom::apply() {
    const double span = m_axis.max - m_axis.min;
    std::optional<std::pair<double, double>> part;
    if (m_window && span > 0)
        part.emplace((m_window->first - m_axis.min) / span, (m_window->second - m_axis.min) / span);
    m_isApplying = true;
    QVector<std::pair<double, double>> marks;
    if (m_marked) marks.append(*m_marked);
    for (ChartZoom* zoom : m_zooms) {
        zoom->setXPart(part);
        zoom->setRanges(marks);
    }
    m_isApplying = false;
}

}  // namespace plumb::ui
