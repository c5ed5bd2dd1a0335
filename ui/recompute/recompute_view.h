// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/engine/job_runner.h"
#include "ui/recompute/recompute_state.h"
#include "ui/widgets/scene_view.h"

#include <array>

class QLabel;
class QPushButton;

namespace plumb::ui {

class CalibrateButton;
class ChartPanel;
class ConfigHistory;

/// Peak memory and step time of every recompute policy: over k, and of none and fit beside it.
///
/// Hollow is predicted, filled is measured. A click on a point or the arrow keys put its policy into force,
/// as an edit that can be undone. "Measure this curve" profiles a choice of them. The curve of a deep network
/// is worked out off the GUI thread, so that sliders stay smooth.
class RecomputeView final : public SceneView {
    Q_OBJECT
public:
    RecomputeView(ViewContext context, ConfigHistory& history, CurveMeasurer& measurer,
                  QWidget* parent = nullptr);
    ~RecomputeView() override;

    [[nodiscard]] const RecomputeState& state() const { return m_state; }
    void measureOrCancel();

private:
    void catchUp() override;
    void buildHeader();
    void buildCharts();
    void showCurve(RecomputeCurve curve);
    void saySubtitle();
    void showCharts();
    void showPoints();
    void showMeasuring();
    [[nodiscard]] const RecomputePoint* pointAt(const ChartPanel& chart, const QPointF& pixel) const;
    void hover(ChartPanel& chart, const QPointF& pixel);
    void choose(const RecomputePoint& point, int gesture = 0);
    void moveChoice(ChartPanel& chart, int key);

    ConfigHistory& m_history;
    CurveMeasurer& m_measurer;
    JobRunner m_worker;
    RecomputeState m_state;
    ChartPanel* m_memory = nullptr;
    ChartPanel* m_time = nullptr;
    QPushButton* m_measure = nullptr;
    CalibrateButton* m_calibrate = nullptr;
    QLabel* m_progress = nullptr;
    QLabel* m_note = nullptr;
};

}  // namespace plumb::ui
