// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/training/loss_chart.h"

#include "core/measure/noise_floor.h"
#include "core/measure/training_series.h"
#include "ui/charts/axis.h"
#include "ui/charts/chart_panel.h"
#include "ui/theme/text.h"
#include "ui/training/runs_model.h"
#include "ui/training/training_companions.h"
#include "ui/training/training_text.h"
#include "ui/widgets/action_link.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace plumb::ui {
namespace {

constexpr std::size_t kLegendEntries = 8;  // the newest ones

/// What stands at the curve of an earlier run: its own name, or what was set differently, or its number in
/// the legend.
QString nameBeside(const ShownRun& shown, const TrainingRun& newest) {
    if (!shown.run->look.name.empty()) return shown.run->name();
    const QString difference = runDifference(*shown.run, newest);
    return difference.isEmpty() ? LossChart::tr("earlier: no. %1").arg(shown.id.mid(3).toInt() + 1)
                                : LossChart::tr("earlier: %1").arg(difference);
}

/// What the legend calls it behind its number: where the newest has the same name, no more than what was set
/// differently, so that many runs of one model have room.
QString nameInLegend(const TrainingRun& run, const TrainingRun& newest, std::size_t numberOfNewest) {
    if (&run == &newest || run.name() != newest.name()) return run.name();
    const QString difference = runDifference(run, newest);
    return difference.isEmpty() ? LossChart::tr("as %1").arg(numberOfNewest) : difference;
}

/// The least loss that its data allows, where that is known; else 0.
double floorOf(const TrainingRun& run) { return run.recorded ? 0 : noiseFloor(run.config).value_or(0); }

}  // namespace

LossChart::LossChart(ChartPanel& chart, ViewSize size)
    : m_chart(chart), m_size(size), m_run(new ActionLink(tr("Run"), "run.run", &chart)) {
    m_run->setObjectName(QStringLiteral("trainingRun"));
    m_run->standBelowMiddle(chart);
}

void LossChart::show(const Workbench& workbench, const ShownRuns& shown, const TrainingOptions& options,
                     const TrainingWindow& window, bool isLowest) {
    m_window = window;
    const auto runs = shownTrainings(workbench);
    m_chart.setEmptyText(workbench.recording() != nullptr ? coreText(runs.back()->recorded->whyNone())
                         : runs.empty() && !m_run->whyNot().isEmpty() ? m_run->whyNot()
                         : runs.empty() ? tr("No run yet. Press Run (F5) to train this configuration.")
                         : runs.back()->history.empty() && shown.all().size() <= 1
                             ? tr("Waiting for the first step.")
                             : QString());
    m_run->setVisible(runs.empty() && workbench.recording() == nullptr && m_run->whyNot().isEmpty());
    showRange(workbench, shown, options, isLowest);
    showCurves(shown, runs.empty() ? nullptr : runs.back().get(), options);
    if (m_size == ViewSize::Full) showLegend(workbench);
}

void LossChart::showRange(const Workbench& workbench, const ShownRuns& drawn, const TrainingOptions& options,
                          bool isLowest) {
    const auto active = workbench.recording() == nullptr ? workbench.runs().active() : nullptr;
    double lowest = 0;
    double highest = 0;
    double lastX = 0, longest = 0;
    const auto isPresent = [&](const ShownRun& shown) {
        return active ? shown.run == active : shown.newest && shown.curve.lastX > 0;
    };
    const bool hasPresent = active || std::ranges::any_of(drawn.all(), isPresent);
    const auto include = [&](double low, double high) {
        if (low <= 0) return;
        lowest = lowest > 0 ? std::min(lowest, low) : low;
        highest = std::max(highest, high);
    };
    for (const ShownRun& shown : drawn.all()) {
        if (const auto inside = m_window ? positiveInside(shown.curve.line, m_window) : std::nullopt)
            include(inside->first, inside->second);
        else if (!m_window)
            include(shown.curve.lowest, shown.curve.highest);
        if (shown.newest)
            if (const auto heldOut =
                    positiveInside(holdOutLine(shown.run->holdOut, shown.curve, options.axis), m_window))
                include(heldOut->first, heldOut->second);
        longest = std::max(longest, shown.curve.lastX);
        if (!hasPresent || isPresent(shown)) lastX = std::max(lastX, shown.curve.lastX);
    }
    const auto runs = shownTrainings(workbench);
    const double floor = runs.empty() ? 0 : floorOf(*runs.back());
    if (!m_window) include(floor / 2, floor);  // with room below it for its name, which a curve would cross
    if (lowest <= 0) {                         // nothing that a log axis could show
        lowest = 0.1;
        highest = 10;
    }
    const bool bySteps = options.axis == TrainingOptions::Axis::Steps;
    double right = niceRange(0, std::max(lastX, 1.0), false).second;
    // Once a good part of the run is done, the axis shows all of it: the gap at the right is what is left.
    if (bySteps && active && active->stepsWanted > 0 && active->stepsDone * 4 >= active->stepsWanted)
        right = std::max(lastX, static_cast<double>(active->stepsWanted));
    m_hasLonger = longest > right;
    if (m_hasLonger && m_reachesAll) right = niceRange(0, longest, false).second;
    AxisOptions x{.title = bySteps ? tr("step") : tr("training time"),
                  .unit = bySteps ? QString() : QStringLiteral("s"),
                  .max = right};
    x.whole = bySteps;
    QString unitOfAll;  // none when the runs in sight have several
    for (const ShownRun& shown : drawn.all()) {
        const QString unit = lossUnit(*shown.run);
        unitOfAll = &shown == &drawn.all().front() || unit == unitOfAll ? unit : QString();
        if (unit.isEmpty()) break;
    }
    AxisOptions y;
    y.title = m_size == ViewSize::Full ? tr("loss") + unitOfAll : QString();
    y.log = true;
    // A loss that hardly moves is read within its decade: 1.3 to 1.4 on an axis from 1 to 2.
    std::tie(y.min, y.max) =
        highest < lowest * 10 ? withinDecade(lowest, highest) : niceRange(lowest, highest, true);
    m_horizontal = x;
    if (!isLowest) {
        x.title.clear();
        x.ticks = false;
    }
    if (m_size == ViewSize::Full) y.room = trainingTickRoom();
    m_chart.setAxis(ChartAxis::X, x);
    m_chart.setAxis(ChartAxis::Y, y);
    showFloor(floor);
}

void LossChart::showFloor(double floor) {
    if (floor <= 0) return m_chart.removeMarker(QStringLiteral("floor"));
    ChartMarker marker{.y = floor, .color = ColorRole::TextMuted, .pen = Qt::DotLine};
    m_chart.setMarker(QStringLiteral("floor"), marker);
}

void LossChart::showCurves(const ShownRuns& shown, const TrainingRun* newest,
                           const TrainingOptions& options) {
    Drawn drawn;
    for (const ShownRun& run : shown.all()) {
        const Strokes strokes = strokesOf(run);
        drawRun(run, strokes, drawn);
        if (run.newest && !run.run->holdOut.empty()) drawHeldOut(run, options, drawn);
        drawEdges(run, strokes, drawn);
        if (!run.newest && !run.curve.line.isEmpty()) drawName(run, strokes, *newest, drawn);
    }
    for (const QString& id : m_chart.lineIds())
        if (!drawn.lines.contains(id)) m_chart.removeLine(id);
    const double floor = newest ? floorOf(*newest) : 0;
    if (floor > 0 && floor >= m_chart.axis(ChartAxis::Y).min) {
        // At the left end: a curve falls, and reaches its floor at the right.
        ChartLabel label{.anchor = {m_window ? m_window->first : m_horizontal.min, floor},
                         .text = tr("noise floor %1").arg(lossText(floor)),
                         .color = ColorRole::TextMuted,
                         .priority = 10,
                         .prefer = Qt::AlignRight | Qt::AlignBottom};
        drawn.labels.append(label);
    }
    m_chart.setMarks(drawn.marks);
    m_chart.setLabels(drawn.labels);
}

LossChart::Strokes LossChart::strokesOf(const ShownRun& shown) const {
    // What is drawn follows the pixels and not the history: strokes are what a frame costs.
    Strokes strokes;
    strokes.mean = onePerColumn(pointsInside(shown.curve.smooth, m_window), 2 * pixel());
    if (shown.newest || strokes.mean.isEmpty())
        strokes.raw = columnExtremes(pointsInside(shown.curve.line, m_window), pixel());
    return strokes;
}

double LossChart::pixel() const {
    const double span = m_window ? m_window->second - m_window->first : m_horizontal.max - m_horizontal.min;
    return span / std::max(100, m_chart.width());
}

void LossChart::drawLine(const QString& id, const LineStyle& style, const QVector<QPointF>& points,
                         Drawn& drawn) {
    m_chart.addLine(id, style);
    m_chart.setLine(id, points);
    drawn.lines << id;
}

void LossChart::drawRun(const ShownRun& shown, const Strokes& strokes, Drawn& drawn) {
    const auto& [mean, raw] = strokes;
    LineStyle style;
    style.color = shown.color();
    if (!shown.newest) {
        style.pen = Qt::DashLine;
        return drawLine(shown.id, style, mean.isEmpty() ? raw : mean, drawn);
    }
    style.opacity = mean.isEmpty() ? 1 : 0.35;
    // The dot is the newest loss, as the figure above it is, and not that of a mean.
    style.endDot = !shown.curve.line.isEmpty() && std::isfinite(shown.curve.line.last().y());
    style.width = mean.isEmpty() ? style.width : 1;
    drawLine(shown.id, style, raw, drawn);
    if (!mean.isEmpty()) {
        style.opacity = 1;
        style.width = 2;
        style.endDot = false;
        drawLine(shown.id + u'~', style, mean, drawn);
    }
}

void LossChart::drawHeldOut(const ShownRun& shown, const TrainingOptions& options, Drawn& drawn) {
    const QVector<QPointF> heldOut = holdOutLine(shown.run->holdOut, shown.curve, options.axis);
    LineStyle apart{.color = ColorRole::Measured, .width = 2, .pen = Qt::DashLine};
    drawLine(shown.id + u'^', apart, heldOut, drawn);
    if (heldOut.isEmpty()) return;
    drawn.marks.append({heldOut.last(), ColorRole::Measured, true, 3.5});
    ChartLabel label{.anchor = heldOut.last(),
                     .text = tr("held out: %1").arg(lossText(heldOut.last().y())),
                     .color = ColorRole::Measured,
                     .priority = 20,
                     .prefer = Qt::AlignLeft | Qt::AlignTop};
    drawn.labels.append(label);
}

void LossChart::drawEdges(const ShownRun& shown, const Strokes& strokes, Drawn& drawn) {
    // A line of one point is none.
    const auto seen = [](const QPointF& point) { return std::isfinite(point.y()); };
    if (shown.newest && std::ranges::count_if(strokes.raw, seen) == 1)
        drawn.marks.append({*std::ranges::find_if(strokes.raw, seen), shown.color(), true, 3});
    // What a log axis cannot show stands at its edge, marked, instead of being left out in silence.
    const AxisOptions y = m_chart.axis(ChartAxis::Y);
    const double apart = pixel() * m_chart.width() / 200;
    for (const double at : thinned(shown.curve.notPositive, apart))
        drawn.marks.append({{at, y.min}, ColorRole::Warning, false, 3.5});
    for (const double at : thinned(shown.curve.notFinite, apart))
        drawn.marks.append({{at, y.max}, ColorRole::Bad, true, 3.5});
}

void LossChart::drawName(const ShownRun& shown, const Strokes& strokes, const TrainingRun& newest,
                         Drawn& drawn) {
    // Above the falling curve and away from its end there is room beside the line.
    const QVector<QPointF>& line = strokes.mean.isEmpty() ? strokes.raw : strokes.mean;
    const double right = m_window ? m_window->second : m_horizontal.max;
    const auto inside = std::ranges::upper_bound(line, right, {}, &QPointF::x) - line.begin();
    if (inside == 0) return;
    ChartLabel label{.anchor = line[inside * 2 / 3],
                     .text = nameBeside(shown, newest),
                     .color = shown.run->look.color > 0 ? shown.color() : ColorRole::TextMuted,
                     .prefer = Qt::AlignRight | Qt::AlignTop,
                     .clear = true};  // across a curve it reads as struck out
    if (std::isfinite(label.anchor.y())) drawn.labels.append(label);
}

void LossChart::showLegend(const Workbench& workbench) {
    const auto runs = shownTrainings(workbench);
    const TrainingRun* baseline = baselineOf(runs);
    QVector<LegendEntry> entries;
    const std::size_t first = runs.size() > kLegendEntries ? runs.size() - kLegendEntries : 0;
    for (std::size_t i = runs.size(); i-- > first;) {
        const bool newest = i + 1 == runs.size();
        LegendEntry entry;
        entry.id = QStringLiteral("run%1").arg(i);
        entry.label = tr("%1. %2").arg(i + 1).arg(nameInLegend(*runs[i], *runs.back(), runs.size()));
        if (runs[i].get() == baseline) entry.label = tr("%1 (baseline)").arg(entry.label);
        entry.value = runs[i]->history.empty() ? QString() : lossText(runs[i]->history.last().loss);
        if (const auto apart = baseline ? lossToBaseline(*runs[i], *baseline) : std::nullopt)
            entry.value = tr("%1 (%2)").arg(entry.value, relativeText(*apart));
        entry.color = colorOfRun(*runs[i], newest);
        entry.swatch = newest ? LegendEntry::Swatch::Line : LegendEntry::Swatch::DashedLine;
        entry.checkable = true;
        entry.checked = isRunShown(runs, i);
        entries.append(entry);
    }
    m_chart.setLegend(entries);
}

}  // namespace plumb::ui
