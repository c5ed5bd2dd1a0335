// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/training/training_zoom.h"

#include "ui/charts/chart_panel.h"
#include "ui/charts/chart_zoom.h"

#include <algorithm>

namespace plumb::ui {

void TrainingZoom::add(ChartPanel& chart) {
    auto* zoom = new ChartZoom(chart, ChartZoom::Axes::X, 1e-4);
    m_zooms.push_back(zoom);
    connect(zoom, &ChartZoom::changed, this, [this, zoom] { take(*zoom); });
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
    if (axis.unit != m_axis.unit) m_window.reset();
    m_axis = axis;
    apply();
}

void TrainingZoom::apply() {
    const double span = m_axis.max - m_axis.min;
    std::optional<std::pair<double, double>> part;
    if (m_window && span > 0)
        part.emplace((m_window->first - m_axis.min) / span, (m_window->second - m_axis.min) / span);
    m_isApplying = true;
    for (ChartZoom* zoom : m_zooms) zoom->setXPart(part);
    m_isApplying = false;
}

}  // namespace plumb::ui
