// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/stop_slider.h"

#include "ui/theme/theme.h"

#include <QPainter>
#include <QScopedValueRollback>
#include <QStyle>
#include <QStyleOptionSlider>

#include <algorithm>
#include <cmath>

namespace plumb::ui {

std::vector<std::int64_t> niceStops(std::int64_t low, std::int64_t high) {
    std::vector<std::int64_t> stops;
    for (std::int64_t power = 1; power <= high; power *= 2) {
        for (const std::int64_t value : {power, power + power / 2})
            if (value >= low && value <= high && (stops.empty() || value > stops.back()))
                stops.push_back(value);
    }
    if (stops.empty() || stops.front() != low) stops.insert(stops.begin(), low);
    if (stops.back() != high) stops.push_back(high);
    return stops;
}

std::vector<std::int64_t> divisors(std::int64_t value) {
    std::vector<std::int64_t> low, high;
    for (std::int64_t d = 1; d <= value / d; ++d) {
        if (value % d != 0) continue;
        low.push_back(d);
        if (d != value / d) high.push_back(value / d);
    }
    low.insert(low.end(), high.rbegin(), high.rend());
    return low;
}

int nearestStop(const std::vector<std::int64_t>& stops, std::int64_t value) {
    const auto above = std::ranges::lower_bound(stops, value);
    if (above == stops.begin()) return 0;
    if (above == stops.end()) return static_cast<int>(stops.size()) - 1;
    const double up = std::log(static_cast<double>(*above) / static_cast<double>(value));
    const double down = std::log(static_cast<double>(value) / static_cast<double>(*std::prev(above)));
    return static_cast<int>((up <= down ? above : std::prev(above)) - stops.begin());
}

StopSlider::StopSlider(Theme& theme, QWidget* parent) : QSlider(Qt::Horizontal, parent), m_theme(theme) {
    setPageStep(2);
    setFixedHeight(18);
    connect(this, &QSlider::valueChanged, this, [this](int index) {
        if (!m_showing) emit stopChosen(m_stops.at(static_cast<std::size_t>(index)));
    });
}

void StopSlider::setStops(const std::vector<std::int64_t>& stops) {
    if (stops.empty() || stops == m_stops) return;
    const QScopedValueRollback<bool> guard(m_showing, true);
    m_stops = stops;
    setRange(0, static_cast<int>(stops.size()) - 1);
    setEnabled(stops.size() > 1);
    update();
}

void StopSlider::showValue(std::int64_t value) {
    // A knob under the mouse stays where the mouse holds it: the value between stops is only shown.
    if (isSliderDown()) return;
    const QScopedValueRollback<bool> guard(m_showing, true);
    setValue(nearestStop(m_stops, value));
}

void StopSlider::setGhost(std::optional<std::int64_t> value) {
    if (m_ghost == value) return;
    m_ghost = value;
    update();
}

void StopSlider::paintEvent(QPaintEvent* event) {
    QSlider::paintEvent(event);
    if (!m_ghost) return;
    QStyleOptionSlider option;
    initStyleOption(&option);
    option.sliderPosition = nearestStop(m_stops, *m_ghost);
    if (option.sliderPosition == value()) return;
    const QRectF mark = style()->subControlRect(QStyle::CC_Slider, &option, QStyle::SC_SliderHandle, this);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(m_theme.color(ColorRole::TextMuted), 1.5, Qt::DotLine));
    painter.drawEllipse(mark.adjusted(1.5, 1.5, -1.5, -1.5));
}

}  // namespace plumb::ui
