// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/chart_style.h"
#include "ui/engine/curve_measurer.h"
#include "ui/workbench/workbench.h"

#include <QString>
#include <QVector>

#include <cstdint>
#include <optional>
#include <vector>

namespace plumb::ui {

/// One policy, with everything else as the sliders say.
struct RecomputePoint {
    RecomputePolicy policy;
    std::int64_t interval = 0;  ///< k; 0 for none and fit
    QString label;              ///< "every 8", "all", "sqrt: every 4", "none", "fit 1.20 GB"
    QString mark;      ///< the short name beside the point: "all", "sqrt", "none", "fit"; empty for most
    double x = 0;      ///< place in the charts, 0..1 along k and beyond for those without one
    bool fits = true;  ///< the machine's memory, where that is known
    Bytes peak = 0;
    Bytes activationsAtPeak = 0;
    Flops recomputed = 0;                  ///< FLOPs of the matrix products, in one step
    std::optional<Seconds> seconds;        ///< time of a step; absent where the machine has no ceilings
    std::optional<Tier> tier;              ///< tier of `seconds`
    std::optional<Seconds> recomputation;  ///< the part of `seconds` that recomputing takes
    std::optional<Bytes> measuredPeak;
    std::optional<Seconds> measuredSeconds;
    std::optional<Spread> measuredSpread;  ///< 10 % to 90 % of the measured steps
    std::int64_t measuredSteps = 0;
};

/// Predictions of all policies for one configuration: what takes time to make.
struct RecomputeCurve {
    ScenePtr scene;
    QVector<RecomputePoint> points;  ///< k increasing, then none and fit, where there is one
    int onCurve = 0;                 ///< how many have a k
    QString withoutFit;              ///< why there is no fit, as a sentence; else empty
};

/// What the view of recomputation shows, as plain data.
struct RecomputeState {
    RecomputeCurve curve;        ///< with what was measured filled in
    int current = -1;            ///< point of the sliders' policy
    std::optional<Bytes> limit;  ///< the machine's memory
    bool limitInSight = false;   ///< it is within the range that is shown
    double highestBytes = 1;
    double highestSeconds = 0;  ///< 0: no times at all; `none` may lie above it
    QVector<ChartBand> bands;   ///< below the charts: some k, none and fit
    double maxX = 1;
    QString subtitle;
    QString noTimes;  ///< why the chart of times is empty; else empty
    QString summary;  ///< one sentence for screen readers
    QVector<RecomputePolicy> toMeasure;
    QString measures;  ///< which policies those are, as a sentence
};

/// Plans and predicts every k up to 64 layers, beyond that at most 64 of them and fewer of a network of more
/// than 8192, evenly on a log scale, always with 1, sqrt, L and the sliders' own. Any thread.
[[nodiscard]] RecomputeCurve makeRecomputeCurve(const ScenePtr& scene);

[[nodiscard]] RecomputeState makeRecomputeState(RecomputeCurve curve, const CurveMeasurer& measurer);

/// The card beside the pointer: predicted and measured, and how the numbers come about.
[[nodiscard]] HoverCardContent recomputeCard(const RecomputeState& state, const RecomputePoint& point);

}  // namespace plumb::ui
