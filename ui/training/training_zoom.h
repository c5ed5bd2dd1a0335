// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/chart_style.h"
#include "ui/training/training_state.h"

#include <QObject>

#include <optional>
#include <utility>
#include <vector>

namespace plumb::ui {

class ChartPanel;
class ChartZoom;

/// One zoom of the horizontal axis for all charts of a training, and one marked stretch: what is done with
/// one is done with all. The stretch that is shown is one of steps or of seconds, which stays where it is
/// while a run goes on and the axis grows.
class TrainingZoom final : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    /// Pre: not added before.
    void add(ChartPanel& chart);
    [[nodiscard]] bool isZoomed() const { return m_window.has_value(); }
    /// From..to of the axis; empty: all of it.
    [[nodiscard]] const TrainingWindow& window() const { return m_window; }
    void showAll();
    /// The charts have this axis from now on.
    void setAxis(const AxisOptions& axis);

    /// What is marked in all charts, from..to of the axis; empty: nothing.
    [[nodiscard]] const TrainingWindow& marked() const { return m_marked; }
    void mark(const TrainingWindow& stretch);
    /// As by Shift and an arrow, from this place where nothing is marked yet; 0: what is in sight.
    void stepMark(int by, double from);

signals:
    void changed();            ///< by the user: the charts are to be drawn anew
    void markChanged();        ///< by the user
    void markStepped(int by);  ///< by a key, see stepMark()

private:
    void take(const ChartZoom& zoom);
    void draw(double from, double to);
    void apply();

    std::vector<ChartZoom*> m_zooms;  ///< belong to the charts
    AxisOptions m_axis;
    TrainingWindow m_window;
    TrainingWindow m_marked;
    double m_fixed = 0, m_moved = 0;  ///< ends of the mark, as it was drawn
    bool m_isApplying = false;
};

}  // namespace plumb::ui
