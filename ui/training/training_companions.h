// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/chart_style.h"
#include "ui/training/training_metrics.h"
#include "ui/workbench/view.h"

#include <QWidget>

#include <array>
#include <optional>

class QVBoxLayout;

namespace plumb::ui {

class ChartPanel;
class SegmentedControl;

/// The curves below that of the loss, on the same horizontal axis: those of the metrics that are switched on,
/// of the newest run. The switches are a widget of their own, to be placed by the owner.
class TrainingCompanions final : public QWidget {
    Q_OBJECT
public:
    explicit TrainingCompanions(ViewContext context, QWidget* parent = nullptr);

    [[nodiscard]] SegmentedControl* switches() const { return m_switches; }
    void setOn(Metric metric, bool on);
    [[nodiscard]] bool isOn(Metric metric) const;
    [[nodiscard]] bool anyOn() const;  ///< then the lowest of these charts has the horizontal axis

    /// Draws `run` (null: none) from its `curve`, as far as it is switched on. `x` is the loss chart's axis,
    /// `window` the part of it that is looked at.
    void showRun(const TrainingRun* run, const TrainingCurve* curve, const TrainingOptions& options,
                 const AxisOptions& x, const TrainingWindow& window);
    /// A line through all charts but `except`; empty: none.
    void setCursor(std::optional<double> x, const ChartPanel* except = nullptr);

signals:
    void switched();
    void hovered(double x, plumb::ui::ChartPanel* chart, const QPointF& pixel);
    void left();
    void keyPressed(int key);
    void chartMade(plumb::ui::ChartPanel* chart);

private:
    ChartPanel* chartOf(Metric metric);
    void showMetric(Metric metric, const TrainingRun* run, const TrainingCurve* curve,
                    const TrainingOptions& options, const AxisOptions& x, bool isLowest);

    ViewContext m_context;
    SegmentedControl* m_switches;
    QVBoxLayout* m_layout;
    EnumArray<Metric, ChartPanel*> m_charts{};  ///< made when first switched on
    TrainingWindow m_window;
};

/// The widest tick label that the loss chart and these make room for, so that their plots line up.
[[nodiscard]] QString trainingTickRoom();

}  // namespace plumb::ui
