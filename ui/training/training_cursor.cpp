// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/training/training_cursor.h"

#include "ui/charts/chart_panel.h"
#include "ui/training/training_companions.h"
#include "ui/training/training_metrics.h"
#include "ui/training/training_text.h"

#include <algorithm>
#include <cmath>

namespace plumb::ui {

TrainingCursor::TrainingCursor(ChartPanel& loss, TrainingCompanions* companions, const ShownRuns& shown,
                               ViewSize size)
    : m_loss(loss), m_companions(companions), m_shown(shown), m_size(size) {
    connect(&loss, &ChartPanel::hovered, this,
            [this](const QPointF& at, const QPointF& pixel) { hover(at.x(), &m_loss, pixel); });
    connect(&loss, &ChartPanel::left, &loss, &ChartPanel::hideCard);
    connect(&loss, &ChartPanel::left, this, &TrainingCursor::leave);
    connect(&loss, &ChartPanel::keyPressed, this, &TrainingCursor::move);
    if (!companions) return;
    connect(companions, &TrainingCompanions::hovered, this, &TrainingCursor::hover);
    connect(companions, &TrainingCompanions::left, this, &TrainingCursor::leave);
    connect(companions, &TrainingCompanions::keyPressed, this, &TrainingCursor::move);
}

void TrainingCursor::setAxis(TrainingOptions::Axis axis) {
    if (axis != m_axis) m_x = -1;
    m_axis = axis;
}

void TrainingCursor::redrawn() {
    if (m_x < 0) m_loss.removeMarker(QStringLiteral("cursor"));
}

void TrainingCursor::setLine(double x) {
    ChartMarker marker;
    marker.x = x;
    marker.color = ColorRole::TextMuted;
    m_loss.setMarker(QStringLiteral("cursor"), marker);
}

void TrainingCursor::hover(double x, ChartPanel* chart, const QPointF& pixel) {
    HoverCardContent card;
    std::optional<double> at;
    for (auto shown = m_shown.all().rbegin(); shown != m_shown.all().rend(); ++shown) {
        const StepMetrics* point = nearestPoint(shown->curve, x, m_axis);
        // An earlier, shorter run says nothing about a place that it never reached.
        if (!point || (x > shown->curve.lastX && !shown->newest)) continue;
        if (card.title.isEmpty())
            card.title =
                tr("step %1 · %2").arg(countText(point->step + 1), quantityText(point->seconds, "s"));
        const bool full = m_size == ViewSize::Full && shown->newest;
        card.rows.append({full ? tr("loss") : shown->run->name(),
                          {lossText(point->loss, 6)},
                          shown->color(),
                          shown->newest});
        if (!full) continue;
        at = xOf(*point, m_axis);
        for (const Metric metric : kAllMetrics)
            if (const double value = metricValue(*point, metric, *shown->run); !std::isnan(value))
                card.rows.append({metricInfo(metric).label, {metricText(value, metric)}, {}, false});
        if (std::isfinite(point->stepSeconds))
            card.rows.append({tr("step time"), {quantityText(point->stepSeconds, "s")}, {}, false});
        if (const QString pass = passText(*shown->run, point->step); !pass.isEmpty())
            card.rows.append({tr("pass"), {pass}, {}, false});
        if (point->skipped) card.footer = tr("Skipped: a value was not finite in fp16, nothing was updated");
    }
    if (card.rows.isEmpty()) return chart->hideCard();
    if (m_companions) {
        m_companions->setCursor(at, chart);
        if (at && chart != &m_loss)
            setLine(*at);
        else
            redrawn();
    }
    chart->showCard(card, pixel);
}

void TrainingCursor::leave() {
    if (m_x >= 0) return;  // the keyboard's stays
    redrawn();
    if (m_companions) m_companions->setCursor(std::nullopt);
}

void TrainingCursor::move(int key) {
    if (m_shown.all().empty()) return;
    const AxisOptions x = m_loss.axis(ChartAxis::X);
    const double last = m_shown.all().back().curve.lastX;
    const double stride = (x.max - x.min) / 100;
    if (m_x < 0 || key == Qt::Key_End)
        m_x = last;
    else if (key == Qt::Key_Left)
        m_x -= stride;
    else if (key == Qt::Key_Right)
        m_x += stride;
    else if (key == Qt::Key_PageUp)
        m_x -= 10 * stride;
    else if (key == Qt::Key_PageDown)
        m_x += 10 * stride;
    else if (key == Qt::Key_Home)
        m_x = 0;
    if (key == Qt::Key_Escape) {
        m_x = -1;
        leave();
        return m_loss.hideCard();
    }
    m_x = std::clamp(m_x, x.min, x.max);
    const StepMetrics* point = nearestPoint(m_shown.all().back().curve, m_x, m_axis);
    if (!point) return;
    const double at = xOf(*point, m_axis);
    setLine(at);
    const AxisOptions y = m_loss.axis(ChartAxis::Y);
    const double height = std::isfinite(point->loss) && point->loss > 0 ? point->loss : y.min;
    hover(at, &m_loss, m_loss.toPixel({at, height}));
}

}  // namespace plumb::ui
