// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/training/shown_runs.h"
#include "ui/workbench/view.h"

#include <QCoreApplication>
#include <QStringList>

namespace plumb::ui {

class ActionLink;
class ChartPanel;

/// Draws runs into a chart of losses: the newest with its mean and what is held out, earlier ones as their
/// mean alone, since dashes through a noisy curve cannot be read.
class LossChart {
    Q_DECLARE_TR_FUNCTIONS(plumb::ui::LossChart)
public:
    /// `chart` outlives it.
    LossChart(ChartPanel& chart, ViewSize size);

    /// `window`: the stretch that is looked at; the vertical axis shows what lies in it. `isLowest`: no other
    /// chart stands below, so that this one has the horizontal axis.
    void show(const Workbench& workbench, const ShownRuns& shown, const TrainingOptions& options,
              const TrainingWindow& window, bool isLowest);
    /// Whether the horizontal axis goes as far as the longest of the runs that are drawn; else it is that of
    /// the newest one, across which an earlier and longer run would leave a dot of it, and that is cut off.
    void setReachesAll(bool all) { m_reachesAll = all; }
    /// Whether a run is longer than the newest one, and would be cut off.
    [[nodiscard]] bool hasLonger() const { return m_hasLonger; }
    /// The button that begins what there is nothing of yet.
    [[nodiscard]] const ActionLink* run() const { return m_run; }
    /// The horizontal axis of all charts.
    [[nodiscard]] const AxisOptions& horizontal() const { return m_horizontal; }

private:
    /// A curve as far as it can be told apart at this width; an earlier run with a mean has no other.
    struct Strokes {
        QVector<QPointF> mean;
        QVector<QPointF> raw;
    };
    /// Of the horizontal axis, what a pixel stands for.
    [[nodiscard]] double pixel() const;
    [[nodiscard]] Strokes strokesOf(const ShownRun& shown) const;
    /// Lines that are drawn, marks and labels, until they are handed to the chart.
    struct Drawn {
        QStringList lines;
        QVector<ChartMark> marks;
        QVector<ChartLabel> labels;
    };
    void showRange(const Workbench& workbench, const ShownRuns& shown, const TrainingOptions& options,
                   bool isLowest);
    void showFloor(double floor);
    void showCurves(const ShownRuns& shown, const TrainingRun* newest, const TrainingOptions& options);
    void drawRun(const ShownRun& shown, const Strokes& strokes, Drawn& drawn);
    void drawHeldOut(const ShownRun& shown, const TrainingOptions& options, Drawn& drawn);
    void drawEdges(const ShownRun& shown, const Strokes& strokes, Drawn& drawn);
    void drawName(const ShownRun& shown, const Strokes& strokes, const TrainingRun& newest, Drawn& drawn);
    void drawLine(const QString& id, const LineStyle& style, const QVector<QPointF>& points, Drawn& drawn);
    void showLegend(const Workbench& workbench);
    ChartPanel& m_chart;
    ViewSize m_size;
    ActionLink* m_run;
    AxisOptions m_horizontal;
    TrainingWindow m_window;
    bool m_reachesAll = false, m_hasLonger = false;
};

}  // namespace plumb::ui
