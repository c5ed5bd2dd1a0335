// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/training/shown_runs.h"
#include "ui/workbench/view.h"

#include <QObject>

namespace plumb::ui {

class ChartPanel;
class TrainingCompanions;

/// Reads the runs at one place, which the pointer or the arrow keys choose: the card with all values there,
/// and a line through the other charts.
class TrainingCursor final : public QObject {
    Q_OBJECT
public:
    /// All outlive it; `companions` may be null.
    TrainingCursor(ChartPanel& loss, TrainingCompanions* companions, const ShownRuns& shown, ViewSize size);

    /// `axis` is that of the charts. A place on another axis is none on this one: the keyboard's is
    /// forgotten.
    void setAxis(TrainingOptions::Axis axis);
    /// Where the keyboard has it; below 0: nowhere.
    [[nodiscard]] double place() const { return m_x; }
    /// The charts are drawn anew: only the keyboard's line stays.
    void redrawn();

private:
    /// The card beside `pixel` of `chart`, and a line at `x` through the other charts.
    void hover(double x, ChartPanel* chart, const QPointF& pixel);
    void leave();
    void move(int key);
    void setLine(double x);

    ChartPanel& m_loss;
    TrainingCompanions* m_companions;
    const ShownRuns& m_shown;
    ViewSize m_size;
    TrainingOptions::Axis m_axis = TrainingOptions::Axis::Steps;
    double m_x = -1;  ///< place of the keyboard's cursor; below 0: none
};

}  // namespace plumb::ui
