// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/enum_array.h"
#include "ui/training/training_state.h"

#include <QPointF>
#include <QString>
#include <QVector>

#include <cstddef>
#include <cstdint>

namespace plumb::ui {

/// What a training step tells besides its loss; each has a curve of its own below that of the loss.
enum class Metric : std::uint8_t {
    GradientNorm,
    UpdateRatio,
    LearningRate,
    LossScale,
    SamplesPerSecond,
    Mfu
};
constexpr Metric lastOf(Metric /*type*/) { return Metric::Mfu; }
inline constexpr auto kAllMetrics = kEnumerators<Metric>;

struct MetricInfo {
    const char* id;   ///< in object names: "gradientNorm"
    QString label;    ///< "gradient norm"
    QString title;    ///< title of its axis, with the unit
    QString toolTip;  ///< what it is, as a formula
    bool log = false;
};
[[nodiscard]] MetricInfo metricInfo(Metric metric);

/// Value in the unit of the axis (MFU in per cent); NaN where it is unknown. Rates follow from the
/// seconds of the step by core's makeTotals().
[[nodiscard]] double metricValue(const StepMetrics& point, Metric metric, const TrainingRun& run);
/// The value with its unit, or why there is none.
[[nodiscard]] QString metricText(double value, Metric metric);

/// One metric of one run, ready to draw.
struct MetricCurve {
    QVector<QPointF> line;  ///< gaps are points that are not a number
    double lowest = 0;      ///< lowest value that the axis can show; 0 when nothing
    double highest = 0;
    bool isCut = false;  ///< some values are impossible (MFU above 100 %) and lie at the highest that is not
};
[[nodiscard]] MetricCurve makeMetricCurve(const TrainingCurve& curve, Metric metric, const TrainingRun& run,
                                          TrainingOptions::Axis axis);
/// Why there is no curve and what to do, as a sentence; empty when there is one or none is to be expected
/// yet.
[[nodiscard]] QString whyNoMetric(Metric metric, const TrainingRun& run);

}  // namespace plumb::ui
