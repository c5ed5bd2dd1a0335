// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace plumb::ui {

class ChartPanel;
class LegendRow;

/// Keeps a chart as high as its plot needs and all lines of its legend at the width that there is, in layouts
/// that ask for no height by width: without it, a legend of many lines takes its room from the plot. Belongs
/// to the chart.
class LegendRoom final : public QObject {
    Q_OBJECT
public:
    /// `leastPlot`: height of the plot and its axis, logical pixels.
    LegendRoom(ChartPanel& chart, int leastPlot);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fit();

    ChartPanel& m_chart;
    LegendRow& m_legend;
    int m_leastPlot;
};

}  // namespace plumb::ui
