// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/training/training_companions.h"

#include "core/base/entry_at.h"
#include "ui/charts/axis.h"
#include "ui/charts/chart_panel.h"
#include "ui/widgets/segmented_control.h"
#include "ui/workbench/tab_order.h"

#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace plumb::ui {
namespace {

constexpr int kLeastHeight = 80;  // what a chart needs
constexpr int kAxisHeight = 36;   // what tick labels and title of the horizontal axis take

QStringList labels() {
    QStringList all;
    for (const Metric metric : kAllMetrics) all << metricInfo(metric).label;
    return all;
}

/// A range that also holds a constant curve, which has no height of its own.
std::pair<double, double> rangeOf(const MetricCurve& curve, bool log) {
    if (!(curve.highest > 0) && curve.lowest == 0) return log ? std::pair(0.1, 1.0) : std::pair(0.0, 1.0);
    if (!log) return niceRange(0, std::max(curve.highest, 1e-300), false, 3);
    auto range = niceRange(curve.lowest, curve.highest, true);
    if (!(range.second > range.first)) range = {range.first / 10, range.second * 10};
    return range;
}

}  // namespace

QString trainingTickRoom() { return QStringLiteral("0.00008"); }

TrainingCompanions::TrainingCompanions(ViewContext context, QWidget* parent)
    : QWidget(parent),
      m_context(context),
      m_switches(new SegmentedControl(context.theme, labels(), QStringLiteral("companions"), parent)),
      m_layout(new QVBoxLayout(this)) {
    setObjectName(QStringLiteral("trainingCompanions"));
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(2);
    m_switches->setSeveral();
    m_switches->setAccessibleName(tr("Curves below the loss"));
    for (const Metric metric : kAllMetrics)
        m_switches->setSegmentToolTip(static_cast<int>(metric), metricInfo(metric).toolTip);
    connect(m_switches, &SegmentedControl::toggled, this, [this](int index, bool on) {
        setOn(entryAt(kAllMetrics, index), on);
        emit switched();
    });
    hide();
}

bool TrainingCompanions::isOn(Metric metric) const { return m_switches->isOn(static_cast<int>(metric)); }

bool TrainingCompanions::anyOn() const {
    return std::ranges::any_of(kAllMetrics, [this](Metric metric) { return isOn(metric); });
}

void TrainingCompanions::setOn(Metric metric, bool on) {
    m_switches->setOn(static_cast<int>(metric), on);
    if (on || m_charts[metric]) chartOf(metric)->setVisible(on);
    setVisible(anyOn());
}

ChartPanel* TrainingCompanions::chartOf(Metric metric) {
    ChartPanel*& chart = m_charts[metric];
    if (chart) return chart;
    const MetricInfo info = metricInfo(metric);
    chart = new ChartPanel(m_context.theme, this);
    chart->setObjectName(QString::fromLatin1(info.id) + QStringLiteral("Chart"));
    chart->setAccessibleName(tr("%1 over training").arg(info.label));
    chart->setCrosshair(ChartPanel::Crosshair::Vertical);
    chart->setLegendVisible(false);
    // In the order of the switches, whatever the order in which they were switched on.
    int place = 0;
    ChartPanel* above = nullptr;
    for (const Metric before : kAllMetrics) {
        if (before >= metric || !m_charts[before]) continue;
        ++place;
        above = m_charts[before];
    }
    m_layout->insertWidget(place, chart, 1);
    if (above != nullptr) setTabOrderOfAll(above, *chart);
    connect(chart, &ChartPanel::hovered, this, [this, over = chart](const QPointF& at, const QPointF& pixel) {
        emit hovered(at.x(), over, pixel);
    });
    connect(chart, &ChartPanel::left, chart, &ChartPanel::hideCard);
    connect(chart, &ChartPanel::left, this, &TrainingCompanions::left);
    connect(chart, &ChartPanel::keyPressed, this, &TrainingCompanions::keyPressed);
    emit chartMade(chart);
    return chart;
}

void TrainingCompanions::showRun(const TrainingRun* run, const TrainingCurve* curve,
                                 const TrainingOptions& options, const AxisOptions& x,
                                 const TrainingWindow& window) {
    m_window = window;
    // A recorder notes losses and seconds: what no step of it has takes no room.
    const auto isOffered = [&](Metric metric) {
        if (run && run->recorded) return metric == Metric::SamplesPerSecond;
        // Only fp16 has a loss scale: other runs hide its switch, unless it is on.
        return metric != Metric::LossScale || isOn(metric) || (run && run->config.scalesLoss());
    };
    const auto isShown = [&](Metric metric) { return isOn(metric) && isOffered(metric); };
    setVisible(run && std::ranges::any_of(kAllMetrics, isShown));
    const auto lowest = std::find_if(kAllMetrics.rbegin(), kAllMetrics.rend(), isShown);
    for (const Metric metric : kAllMetrics) {
        m_switches->setSegmentVisible(static_cast<int>(metric), isOffered(metric));
        if (m_charts[metric]) m_charts[metric]->setVisible(isShown(metric));
        if (isShown(metric)) showMetric(metric, run, curve, options, x, metric == *lowest);
    }
}

void TrainingCompanions::showMetric(Metric metric, const TrainingRun* run, const TrainingCurve* curve,
                                    const TrainingOptions& options, const AxisOptions& x, bool isLowest) {
    ChartPanel& chart = *chartOf(metric);
    chart.setMinimumHeight(kLeastHeight + (isLowest ? kAxisHeight : 0));
    m_layout->setStretchFactor(&chart, 1);
    const MetricInfo info = metricInfo(metric);
    const MetricCurve shown =
        run && curve ? makeMetricCurve(*curve, metric, *run, options.axis) : MetricCurve{};
    AxisOptions across = x;
    across.ticks = isLowest;
    across.title = isLowest ? x.title : QString();
    AxisOptions up{.title = info.title, .log = info.log, .room = trainingTickRoom()};
    MetricCurve inSight = shown;
    if (m_window)
        std::tie(inSight.lowest, inSight.highest) =
            positiveInside(shown.line, m_window).value_or(std::pair(shown.lowest, shown.highest));
    std::tie(up.min, up.max) = rangeOf(inSight, info.log);
    chart.setAxis(ChartAxis::X, across);
    chart.setAxis(ChartAxis::Y, up);
    const double span = m_window ? m_window->second - m_window->first : x.max - x.min;
    const double pixel = span / std::max(100, chart.width());
    LineStyle style;
    style.color = ColorRole::Accent;
    style.width = 1.2;
    chart.addLine(QStringLiteral("newest"), style);
    chart.setLine(QStringLiteral("newest"), columnExtremes(pointsInside(shown.line, m_window), pixel));

    QVector<ChartMark> marks;
    if (metric == Metric::LossScale && curve) {
        QVector<double> skipped;
        for (const StepMetrics& point : curve->points)
            if (point.skipped) skipped.append(xOf(point, options.axis));
        for (const double at : thinned(skipped, 6 * pixel))
            if (const StepMetrics* point = nearestPoint(*curve, at, options.axis))
                marks.append({{at, std::clamp(point->lossScale, up.min, up.max)}, ColorRole::Bad, true, 3});
    }
    const auto seen = [](const QPointF& point) { return std::isfinite(point.y()); };
    const bool any = std::ranges::any_of(shown.line, seen);
    if (std::ranges::count_if(shown.line, seen) == 1)  // a line of one point is none
        marks.append({*std::ranges::find_if(shown.line, seen), ColorRole::Accent, true, 3});
    chart.setMarks(marks);
    const QString ceiling = QStringLiteral("ceiling");
    if (shown.isCut)
        chart.setMarker(ceiling, {std::nullopt, shown.highest,
                                  tr("above the peak of this machine, which is too low: calibrate again"),
                                  ColorRole::Bad, Qt::DashLine, 1, 30});
    else
        chart.removeMarker(ceiling);
    const QString why = run && !any ? whyNoMetric(metric, *run) : QString();
    chart.setEmptyText(any ? QString() : why.isEmpty() ? tr("%1: nothing yet").arg(info.label) : why);
}

void TrainingCompanions::setCursor(std::optional<double> x, const ChartPanel* except) {
    for (ChartPanel* chart : m_charts) {
        if (!chart) continue;
        if (!x || chart == except) {
            chart->removeMarker(QStringLiteral("cursor"));
            continue;
        }
        ChartMarker marker;
        marker.x = *x;
        marker.color = ColorRole::TextMuted;
        chart->setMarker(QStringLiteral("cursor"), marker);
    }
}

}  // namespace plumb::ui
