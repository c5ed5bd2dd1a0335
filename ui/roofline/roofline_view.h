// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/opened/opened_kernels.h"
#include "ui/roofline/roofline_kernels.h"
#include "ui/roofline/roofline_series.h"
#include "ui/roofline/roofline_state.h"
#include "ui/roofline/roofline_trail.h"
#include "ui/widgets/scene_view.h"
#include "ui/workbench/op_range.h"

class QPushButton;
class QTimer;

namespace plumb::ui {

class CalibrateButton;
class ChartPanel;
class SegmentedControl;

/// Achieved and predicted rate of the ops over their arithmetic intensity, under the machine's ceilings.
///
/// Compact: one point per phase, kind and shape; Full: one per op. Hollow is predicted, filled is measured. A
/// click or the arrow keys select an op in all views. Full zooms (see ChartZoom), narrows all views to the
/// ops in a box that is drawn, hides series by its legend, sizes dots by time, and shows for a while where
/// they came from when a slider moves.
class RooflineView final : public SceneView {
    Q_OBJECT
public:
    RooflineView(ViewContext context, ViewSize size, QWidget* parent = nullptr);
    ~RooflineView() override;

    /// Shows the kernels of a report beside the step while one is open; `file` outlives the view.
    void setKernels(OpenedAs<OpenedKernels>& file);
    [[nodiscard]] const RooflineState& state() const { return m_state; }
    [[nodiscard]] const RooflineKernels& kernels() const { return m_kernels; }

private:
    void catchUp() override;
    void buildTools();
    void buildLevels();
    void sayMetrics();
    void showCeilings();
    void showPoints();
    void showLegend();
    void addPoints(QVector<ChartMark>& marks, QVector<ChartJoin>& joins) const;
    /// The Overview has room for the ceiling that counts, not for those of other types.
    [[nodiscard]] bool isShown(const RooflineCeiling& ceiling) const;
    /// Intensity at which a ceiling leaves its slope.
    [[nodiscard]] double ceilingStart(const RooflineCeiling& ceiling) const;
    /// Ends of the line that is drawn for it, the lower one first.
    [[nodiscard]] std::pair<QPointF, QPointF> slopeEnds(const RooflineSlope& slope) const;
    [[nodiscard]] QVector<ChartLabel> ceilingLabels() const;
    [[nodiscard]] QVector<ChartLabel> pointLabels() const;
    [[nodiscard]] int selectedPoint() const;
    [[nodiscard]] bool isInRange(const RooflinePoint& point, bool ofRun) const;
    /// The operations whose dots are in a box of the chart's pixels.
    [[nodiscard]] OpSet opsIn(const QRectF& box) const;
    void showKernels();
    void placeKernels();
    void hover(const QPointF& pixel);
    void select(const QPointF& pixel);
    void moveSelection(int key);
    /// The selected point is the range from now on, or with 1 and -1 the next and the last belong to it too.
    void stepRange(int by);

    ChartPanel* m_chart = nullptr;
    CalibrateButton* m_calibrate = nullptr;
    SegmentedControl* m_levels = nullptr;  ///< Full only, as the next three
    SegmentedControl* m_looks = nullptr;
    QTimer* m_trailTimer = nullptr;
    RooflineTrail m_trail;
    RooflineSeries m_series;
    Seconds m_longest = 0;  ///< time of the largest dot
    QVector<ChartMark> m_marks;
    MemoryLevel m_level = MemoryLevel::Dram;
    OpenedAs<OpenedKernels>* m_kernelFile = nullptr;  ///< null: this view shows none
    QPushButton* m_closeKernels = nullptr;
    RooflineState m_state;
    RooflineKernels m_kernels;
};

}  // namespace plumb::ui
