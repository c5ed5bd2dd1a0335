// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/enum_array.h"
#include "core/measure/layer_statistics.h"
#include "ui/workbench/workbench.h"

#include <QPointF>
#include <QString>
#include <QVector>

#include <optional>
#include <vector>

namespace plumb::ui {

/// The tensors whose scale is shown, one line each over the layers.
enum class ScaleKind : std::uint8_t { Activations, Weights, ActivationGradients, Gradients };
constexpr ScaleKind lastOf(ScaleKind /*type*/) { return ScaleKind::Gradients; }
inline constexpr auto kAllScaleKinds = kEnumerators<ScaleKind>;

[[nodiscard]] QString scaleLabel(ScaleKind kind);    ///< "activations"
[[nodiscard]] QString scaleToolTip(ScaleKind kind);  ///< what it is, and at which layer

/// Root mean squares over the layers, ready for a log axis.
struct ScaleCurves {
    QVector<QPointF> first, newest;  ///< x: layer; a gap is a point that is not a number
    QVector<QPointF> expected;       ///< what the initial weights give, through the first step's own start
    QVector<double> notFinite;       ///< layers whose newest (else first) scale is infinite or not a number
    double lowest = 0, highest = 0;  ///< range of all of them; 0 when there is nothing
};
[[nodiscard]] ScaleCurves makeScaleCurves(const TrainingRun& run, ScaleKind kind);

/// "x 16 per layer", for the legend of the expected line; empty where nothing is expected.
[[nodiscard]] QString growthText(const RunConfig& config, ScaleKind kind);
/// What the run's first step with statistics showed of it; empty where there is nothing to compare.
[[nodiscard]] QString measuredGrowthText(const TrainingRun& run, ScaleKind kind);

/// "x", "1" ... "L", "head", "y": what stands at this layer of the axis.
[[nodiscard]] QString layerName(const RunConfig& config, ScaleKind kind, std::int32_t layer);

/// Over- and underflow of one tensor in the observed steps.
struct RangeShare {
    double overflowed = 0, underflowed = 0;            ///< values
    double overflowedShare = 0, underflowedShare = 0;  ///< share of all values that were rounded, 0..1
};
/// One row per layer; a cell is empty where the tensor is not there or its format has the range of fp32.
struct RangeRow {
    QString layer;
    EnumArray<ScaleKind, std::optional<RangeShare>> cells;
};
[[nodiscard]] std::vector<RangeRow> makeRangeRows(const TrainingRun& run);
/// Why there are no counters, as a sentence; empty when there are.
[[nodiscard]] QString whyNoRanges(const TrainingRun& run);

/// "0", "0.012 %", "3e-6 %".
[[nodiscard]] QString shareText(double share);

}  // namespace plumb::ui
