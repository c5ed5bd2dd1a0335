// SPDX-License-Identifier: GPL-3.0-or-later
// How the runs of a TrainingView come to its chart: which ones, their range, lines, marks and legend.
#include "core/measure/training_series.h"
#include "ui/charts/axis.h"
#include "ui/charts/chart_panel.h"
#include "ui/training/training_companions.h"
#include "ui/training/training_text.h"
#include "ui/training/training_view.h"

#include <algorithm>
#include <cmath>

namespace plumb::ui {

namespace {

constexpr std::size_t kGhosts = 4;         // earlier runs that are shown unless the user says otherwise
constexpr int kGhostSmoothing = 20;        // least smoothing of an earlier run
constexpr std::size_t kLegendEntries = 8;  // the newest ones

}  // namespace

bool TrainingView::isVisibleRun(std::size_t index) const {
    const std::size_t count = m_context.workbench.runs().size();
    return m_toggled.value(QStringLiteral("run%1").arg(index), index + 1 + kGhosts >= count);
}

ChartColor TrainingView::colorOf(const Shown& shown) const {
    return shown.newest ? ColorRole::Accent : ColorRole::Ghost;
}

void TrainingView::collectCurves() {
    const auto& runs = m_context.workbench.runs();
    std::vector<Shown> next;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        if (!isVisibleRun(i)) continue;
        Shown shown;
        if (const auto old =
                std::ranges::find(m_shown, std::shared_ptr<const RunRecord>(runs[i]), &Shown::run);
            old != m_shown.end())
            shown = std::move(*old);
        shown.run = runs[i];
        shown.id = QStringLiteral("run%1").arg(i);
        shown.newest = i + 1 == runs.size();
        // A curve that has ended is made once, not at every frame of the run that goes on.
        TrainingOptions options = m_options;
        if (!shown.newest) options.smoothing = std::max(options.smoothing, kGhostSmoothing);
        if (shown.count != runs[i]->history.count() || shown.options != options) {
            shown.curve = makeCurve(runs[i]->history, options);
            shown.count = runs[i]->history.count();
            shown.options = options;
        }
        next.push_back(std::move(shown));
    }
    m_shown = std::move(next);
}

void TrainingView::showRange() {
    const auto active = m_context.workbench.activeRun();
    double lowest = 0;
    double highest = 0;
    double lastX = 0;
    const auto include = [&](double low, double high) {
        if (low <= 0) return;
        lowest = lowest > 0 ? std::min(lowest, low) : low;
        highest = std::max(highest, high);
    };
    for (const Shown& shown : m_shown) {
        include(shown.curve.lowest, shown.curve.highest);
        if (shown.newest)
            for (const HoldOutLoss& point : shown.run->holdOut)
                if (std::isfinite(point.loss)) include(point.loss, point.loss);
        // An earlier, longer run is cut off: across its length the one that goes on would be a dot.
        if (!active || shown.run == active) lastX = std::max(lastX, shown.curve.lastX);
    }
    const auto& runs = m_context.workbench.runs();
    const double floor = runs.empty() ? 0 : noiseFloor(runs.back()->config).value_or(0);
    include(floor, floor);
    if (lowest <= 0) {  // nothing that a log axis could show
        lowest = 0.1;
        highest = 10;
    }
    const bool bySteps = m_options.axis == TrainingOptions::Axis::Steps;
    double right = niceRange(0, std::max(lastX, 1.0), false).second;
    // Once a good part of the run is done, the axis shows all of it: the gap at the right is what is left.
    if (bySteps && active && active->stepsWanted > 0 && active->stepsDone * 4 >= active->stepsWanted)
        right = std::max(lastX, static_cast<double>(active->stepsWanted));
    AxisOptions x;
    x.title = bySteps ? tr("step") : tr("training time");
    x.unit = bySteps ? QString() : QStringLiteral("s");
    x.max = right;
    QString unitOfAll;  // none when the runs in sight have several
    for (const Shown& shown : m_shown) {
        const QString unit = lossUnit(shown.run->config);
        unitOfAll = &shown == &m_shown.front() || unit == unitOfAll ? unit : QString();
        if (unit.isEmpty()) break;
    }
    AxisOptions y;
    y.title = m_size == ViewSize::Full ? tr("loss") + unitOfAll : QString();
    y.log = true;
    std::tie(y.min, y.max) = niceRange(lowest, highest, true);
    if (!(y.max > y.min)) y.max = y.min * 10;
    m_horizontal = x;
    if (m_companions && m_companions->anyOn()) {
        x.title.clear();
        x.ticks = false;
    }
    if (m_size == ViewSize::Full) y.room = trainingTickRoom();
    m_chart->setAxis(ChartAxis::X, x);
    m_chart->setAxis(ChartAxis::Y, y);
    if (floor > 0) {
        ChartMarker marker;
        marker.y = floor;
        marker.color = ColorRole::TextMuted;
        marker.pen = Qt::DotLine;
        m_chart->setMarker(QStringLiteral("floor"), marker);
    } else {
        m_chart->removeMarker(QStringLiteral("floor"));
    }
}

void TrainingView::showCurves() {
    QStringList wanted;
    QVector<ChartMark> marks;
    QVector<ChartLabel> labels;
    const AxisOptions x = m_chart->axis(ChartAxis::X);
    const AxisOptions y = m_chart->axis(ChartAxis::Y);
    // What is drawn follows the pixels and not the history: strokes are what a frame costs.
    const double pixel = (x.max - x.min) / std::max(100, m_chart->width());
    for (const Shown& shown : m_shown) {
        const QVector<QPointF> mean = onePerColumn(shown.curve.smooth, 2 * pixel);
        const QVector<QPointF> raw =
            shown.newest || mean.isEmpty() ? columnExtremes(shown.curve.line, pixel) : QVector<QPointF>();
        LineStyle style;
        style.color = colorOf(shown);
        if (!shown.newest) {
            style.pen = Qt::DashLine;
            m_chart->addLine(shown.id, style);
            m_chart->setLine(shown.id, mean.isEmpty() ? raw : mean);
            wanted << shown.id;
        } else {
            style.opacity = mean.isEmpty() ? 1 : 0.35;
            // The dot is the newest loss, as the figure above it is, and not that of a mean.
            style.endDot = !shown.curve.line.isEmpty() && std::isfinite(shown.curve.line.last().y());
            style.width = mean.isEmpty() ? style.width : 1;
            m_chart->addLine(shown.id, style);
            m_chart->setLine(shown.id, raw);
            wanted << shown.id;
            if (!mean.isEmpty()) {
                style.opacity = 1;
                style.width = 2;
                style.endDot = false;
                m_chart->addLine(shown.id + u'~', style);
                m_chart->setLine(shown.id + u'~', mean);
                wanted << shown.id + u'~';
            }
        }
        if (shown.newest && !shown.run->holdOut.empty()) {
            const QVector<QPointF> heldOut = holdOutLine(shown.run->holdOut, shown.curve, m_options.axis);
            LineStyle apart;
            apart.color = ColorRole::Measured;
            apart.width = 2;
            apart.pen = Qt::DashLine;
            const QString id = shown.id + u'^';
            m_chart->addLine(id, apart);
            m_chart->setLine(id, heldOut);
            wanted << id;
            if (!heldOut.isEmpty()) {
                marks.append({heldOut.last(), ColorRole::Measured, true, 3.5});
                ChartLabel label;
                label.anchor = heldOut.last();
                label.text = tr("held out: %1").arg(lossText(heldOut.last().y()));
                label.color = ColorRole::Measured;
                label.priority = 20;
                label.prefer = Qt::AlignLeft | Qt::AlignTop;
                labels.append(label);
            }
        }
        // A line of one point is none.
        const auto seen = [](const QPointF& point) { return std::isfinite(point.y()); };
        if (shown.newest && std::ranges::count_if(raw, seen) == 1)
            marks.append({*std::ranges::find_if(raw, seen), style.color, true, 3});
        // What a log axis cannot show stands at its edge, marked, instead of being left out in silence.
        const double apart = (x.max - x.min) / 200;
        for (const double at : thinned(shown.curve.notPositive, apart))
            marks.append({{at, y.min}, ColorRole::Warning, false, 3.5});
        for (const double at : thinned(shown.curve.notFinite, apart))
            marks.append({{at, y.max}, ColorRole::Bad, true, 3.5});
        if (shown.newest || shown.curve.line.isEmpty()) continue;
        const QString difference =
            runDifference(shown.run->config, m_context.workbench.runs().back()->config);
        ChartLabel label;
        // Above the falling curve and away from its end there is room beside the line.
        const QVector<QPointF>& line = mean.isEmpty() ? raw : mean;
        const auto inside = std::ranges::upper_bound(line, x.max, {}, &QPointF::x) - line.begin();
        if (inside == 0) continue;
        label.anchor = line[inside * 2 / 3];
        label.text = tr("earlier: %1").arg(difference.isEmpty() ? shown.run->title : difference);
        label.color = ColorRole::TextMuted;
        label.prefer = Qt::AlignRight | Qt::AlignTop;
        if (std::isfinite(label.anchor.y())) labels.append(label);
    }
    for (const QString& id : m_chart->lineIds())
        if (!wanted.contains(id)) m_chart->removeLine(id);
    const auto& runs = m_context.workbench.runs();
    if (const double floor = runs.empty() ? 0 : noiseFloor(runs.back()->config).value_or(0); floor > 0) {
        // At the left end: a curve falls, and reaches its floor at the right.
        ChartLabel label;
        label.anchor = {x.min, floor};
        label.text = tr("noise floor %1").arg(lossText(floor));
        label.color = ColorRole::TextMuted;
        label.priority = 10;
        label.prefer = Qt::AlignRight | Qt::AlignBottom;
        labels.append(label);
    }
    m_chart->setMarks(marks);
    m_chart->setLabels(labels);
    if (m_cursor < 0) m_chart->removeMarker(QStringLiteral("cursor"));
}

void TrainingView::showLegend() {
    const auto& runs = m_context.workbench.runs();
    QVector<LegendEntry> entries;
    const std::size_t first = runs.size() > kLegendEntries ? runs.size() - kLegendEntries : 0;
    for (std::size_t i = runs.size(); i-- > first;) {
        const bool newest = i + 1 == runs.size();
        LegendEntry entry;
        entry.id = QStringLiteral("run%1").arg(i);
        entry.label = tr("%1. %2").arg(i + 1).arg(runs[i]->title);
        if (!newest && runs[i]->title == runs.back()->title)
            if (const QString difference = runDifference(runs[i]->config, runs.back()->config);
                !difference.isEmpty())
                entry.label += QStringLiteral(" · ") + difference;
        entry.value = runs[i]->history.empty() ? QString() : lossText(runs[i]->history.last().loss);
        entry.color = newest ? ColorRole::Accent : ColorRole::Ghost;
        entry.swatch = newest ? LegendEntry::Swatch::Line : LegendEntry::Swatch::DashedLine;
        entry.checkable = true;
        entry.checked = isVisibleRun(i);
        entries.append(entry);
    }
    m_chart->setLegend(entries);
}

}  // namespace plumb::ui
