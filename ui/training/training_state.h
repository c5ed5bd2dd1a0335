// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/training_series.h"
#include "ui/workbench/workbench.h"

#include <QPointF>
#include <QString>
#include <QVector>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace plumb::ui {

/// What the user asked the training view to show.
struct TrainingOptions {
    enum class Axis : std::uint8_t { Steps, Seconds };
    Axis axis = Axis::Steps;
    int smoothing = 20;  ///< 0 (none) .. 100, per cent of smoothLosses()
    bool operator==(const TrainingOptions&) const = default;
};

/// The stretch of steps or seconds that the charts show; empty: all.
using TrainingWindow = std::optional<std::pair<double, double>>;
/// The points inside, and one more at either side, so that a line reaches the edges of the plot.
[[nodiscard]] QVector<QPointF> pointsInside(const QVector<QPointF>& line, const TrainingWindow& window);
/// Least and greatest of the values inside that a log axis can show; empty where there is none.
[[nodiscard]] std::optional<std::pair<double, double>> positiveInside(const QVector<QPointF>& line,
                                                                      const TrainingWindow& window);

/// One run's loss, ready to draw on a log axis.
struct TrainingCurve {
    QVector<QPointF>
        line;  ///< x and loss; only what a log axis can show. A gap is a point that is not a number
    QVector<QPointF> smooth;      ///< the losses smoothed over the window; begins and ends as the data does
    QVector<double> notPositive;  ///< x of losses at or below zero: drawn at the lower edge
    QVector<double> notFinite;    ///< x of losses that are infinite or not a number: drawn at the upper edge
    std::vector<StepMetrics> points;  ///< as kept by the history, for look-up; increasing step
    double lowest = 0;                ///< least of the positive finite losses; 0 when there is none
    double highest = 0;
    double lastX = 0;
    double window = 0;  ///< steps that the mean reaches back and ahead at most; 0 without a mean
};

[[nodiscard]] double xOf(const StepMetrics& point, TrainingOptions::Axis axis);

/// Pure; O(kept points), which LossHistory bounds whatever the length of the run.
[[nodiscard]] TrainingCurve makeCurve(const LossHistory& history, const TrainingOptions& options);

/// The kept point nearest to `x`, or null when there is none.
/// The loss of what is held out, where a log axis can show it; the time of a step is that of the curve.
[[nodiscard]] QVector<QPointF> holdOutLine(const std::vector<HoldOutLoss>& points, const TrainingCurve& curve,
                                           TrainingOptions::Axis axis);
[[nodiscard]] const StepMetrics* nearestPoint(const TrainingCurve& curve, double x,
                                              TrainingOptions::Axis axis);

/// The lowest and the highest point of each `column` (in units of x), in their order, so that no
/// spike is lost. A point that is not a number stays where it breaks the line.
[[nodiscard]] QVector<QPointF> columnExtremes(const QVector<QPointF>& line, double column);
/// One point per `column`, with both ends: enough for a mean, which has no spikes.
[[nodiscard]] QVector<QPointF> onePerColumn(const QVector<QPointF>& line, double column);

/// What sets `run` apart from `current`, in option names: "batch 512, lr 0.01"; empty when nothing does.
[[nodiscard]] QString runDifference(const TrainingRun& run, const TrainingRun& current);

/// Some of `xs` (increasing), at least `distance` apart, so that marks can be told from each other.
[[nodiscard]] QVector<double> thinned(const QVector<double>& xs, double distance);

/// Seconds until the wanted steps are done; absent when the run has ended, has no end or no speed yet.
[[nodiscard]] std::optional<double> secondsLeft(const TrainingRun& run);
/// "02:14", "1:02:14", "3 d 04 h".
[[nodiscard]] QString clockText(double seconds);

}  // namespace plumb::ui
