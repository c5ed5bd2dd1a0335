// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/enum_array.h"
#include "ui/charts/chart_style.h"
#include "ui/workbench/workbench.h"

#include <QString>
#include <QVector>

#include <vector>

namespace plumb::ui {

using CategoryMask = EnumArray<Category, bool>;  ///< categories that the user switched off

/// The common X axis of two steps: the what-if of the sliders and the run that was measured.
///
/// Both are cut into the same stretches (forward, backward, per pass, optimizer); a stretch is as wide as the
/// longer of the two, and never narrower than a fiftieth, so that the single op of the optimizer can be seen.
/// Op i of a plan reaches from edges[i] to edges[i + 1].
struct StepAxis {
    QVector<double> planEdges;  ///< ops + 1, increasing
    QVector<double> runEdges;   ///< empty when nothing was measured
    QVector<ChartBand> bands;
    double width = 1;  ///< ops, or seconds

    /// Index of the op of the plan (of the run) at x, clamped to the step; -1 for a step without ops.
    [[nodiscard]] int planOpAt(double x) const;
    [[nodiscard]] int runOpAt(double x) const;
};
/// `run` may be null.
[[nodiscard]] StepAxis alignSteps(const Step& step, const Step* run);
/// An op as wide as the time that it takes, in seconds; both steps begin at 0. `run` and its seconds may be
/// absent. Pre: one entry per op, at least 0.
[[nodiscard]] StepAxis timeAxis(const Step& step, const std::vector<Seconds>& seconds, const Step* run,
                                const std::vector<Seconds>& runSeconds);

/// What the memory view shows of a scene, as plain data.
struct MemoryState {
    /// What the filled areas are. Nothing measured: the areas are the prediction, and look like it.
    enum class Areas { Predicted, Measured, MeasuredOtherRun };

    ScenePtr scene;  ///< null before the first refresh
    Areas areas = Areas::Predicted;
    StepAxis axis;
    CategoryMask used{};         ///< categories with a byte anywhere, in the areas or in the prediction
    Bytes highest = 0;           ///< over both curves, for the Y axis
    std::optional<Bytes> limit;  ///< the machine's memory
    int peakOp = -1;             ///< op of the peak of the areas
    Bytes peakBytes = 0;
    QString peakName;
    QString subtitle;    ///< what is filled and what is dashed
    QString peak;        ///< "peak 9.24 GB at layer 4 · ...", of the areas
    QString emptyText;   ///< why there is nothing to draw; empty where there is
    QString summary;     ///< one sentence for screen readers
    QString plain;       ///< the plain sum of the parts, and what makes the predicted peak another number
    QString device;      ///< all that the device's memory is in use for; empty: not of a GPU, or not measured
    QString deviceHelp;  ///< the same in bytes
    bool isByTime = false;  ///< whether the X axis is time
    QString timeAbsent;     ///< why it cannot be; empty where it can
    QString axisTitle;      ///< what the X axis is

    /// The curve of the areas, and the plan whose ops it has.
    [[nodiscard]] const std::vector<CategoryBytes>& areaCurve() const;
    [[nodiscard]] const Step& areaStep() const;
    [[nodiscard]] const QVector<double>& areaEdges() const;
    /// Index of the op with this id in the sliders' plan, or -1.
    [[nodiscard]] int planOp(const QString& id) const;
};
/// `byTime`: an axis of time where the times of all ops are known, measured or predicted.
[[nodiscard]] MemoryState makeMemoryState(const ScenePtr& scene, bool byTime = false);

/// The card beside the pointer for op `planOp` of the sliders' plan and op `runOp` of what ran (-1: none).
[[nodiscard]] HoverCardContent memoryCard(const MemoryState& state, int planOp, int runOp);

}  // namespace plumb::ui
