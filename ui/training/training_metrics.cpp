// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/training/training_metrics.h"

#include "core/measure/memory_roofs.h"
#include "ui/theme/text.h"
#include "ui/training/training_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace plumb::ui {
namespace {

constexpr double kWhole = 100;  // per cent: no machine does more than its peak

bool canShow(double value, bool log) { return std::isfinite(value) && (!log || value > 0); }

}  // namespace

MetricInfo metricInfo(Metric metric) {
    switch (metric) {
    case Metric::GradientNorm:
        return {
            "gradientNorm", tr("gradient norm"), tr("gradient norm"),
            tr("Square root of the sum of squares of all parameters' gradients, without the loss scale and "
               "before clipping"),
            true};
    case Metric::UpdateRatio:
        return {"updateRatio", tr("update / weights"), tr("update / weights"),
                tr("Norm of what the optimizer changed / norm of the weights before; about %1 is usual")
                    .arg(numberText(0.001)),
                true};
    case Metric::LearningRate:
        return {"learningRate", tr("learning rate"), tr("learning rate"),
                tr("Of the step, with warm-up and schedule"), false};
    case Metric::LossScale:
        return {
            "lossScale", tr("loss scale"), tr("loss scale"),
            tr("Factor on the loss of fp16, so that small gradients do not become 0. A step in which a value "
               "overflows is skipped and marked, and the scale backs off"),
            true};
    case Metric::SamplesPerSecond:
        return {"samplesPerSecond", tr("samples/s"), tr("samples/s"), tr("Batch / seconds of the step"),
                false};
    case Metric::Mfu:
        return {"mfu", tr("MFU"), tr("MFU, %"),
                tr("FLOP of the matrix products without recomputation / (seconds of the step × peak)"),
                false};
    }
    return {};
}

double metricValue(const StepMetrics& point, Metric metric, const TrainingRun& run) {
    switch (metric) {
    case Metric::GradientNorm:
        return point.gradientNorm;
    case Metric::UpdateRatio:
        return point.skipped ? kNotKnown : point.updateRatio;
    case Metric::LearningRate:
        return point.learningRate;
    case Metric::LossScale:
        return point.lossScale;
    case Metric::SamplesPerSecond:
    case Metric::Mfu:
        break;
    }
    if (!run.step || !std::isfinite(point.stepSeconds)) return kNotKnown;
    const Totals totals =
        makeTotals(*run.step, run.target ? run.target->machine : Machine{}, point.stepSeconds);
    if (metric == Metric::SamplesPerSecond) return totals.samplesPerSecond.value_or(kNotKnown);
    return totals.mfu ? *totals.mfu * kWhole : kNotKnown;
}

QString metricText(double value, Metric metric) {
    if (std::isnan(value)) return QStringLiteral("–");
    switch (metric) {
    case Metric::SamplesPerSecond:
        return QObject::tr("%1 samples/s").arg(quantityText(value, "").trimmed());
    case Metric::Mfu:
        // No machine does more: a number would look as if it were possible.
        if (!impossibleUtilisation(value / kWhole, {}).empty()) return QObject::tr("> 100 %");
        return lossText(std::min(value, kWhole), 3) + QStringLiteral(" %");
    case Metric::LossScale:
        return value == std::floor(value) && std::abs(value) < 1e15
                   ? countText(static_cast<std::int64_t>(value))
                   : lossText(value, 4);
    case Metric::LearningRate:
        return numberText(value, 'g', 4);
    case Metric::GradientNorm:
    case Metric::UpdateRatio:
        break;
    }
    return lossText(value, 4);
}

MetricCurve makeMetricCurve(const TrainingCurve& curve, Metric metric, const TrainingRun& run,
                            TrainingOptions::Axis axis) {
    const bool log = metricInfo(metric).log;
    MetricCurve result;
    result.line.reserve(static_cast<qsizetype>(curve.points.size()));
    bool any = false;
    for (const StepMetrics& point : curve.points) {
        double value = metricValue(point, metric, run);
        if (metric == Metric::Mfu && value > kWhole) {
            result.isCut = result.isCut || !impossibleUtilisation(value / kWhole, {}).empty();
            value = kWhole;
        }
        if (!canShow(value, log)) {
            value = kNotKnown;
        } else {
            result.lowest = any ? std::min(result.lowest, value) : value;
            result.highest = any ? std::max(result.highest, value) : value;
            any = true;
        }
        result.line.append({xOf(point, axis), value});
    }
    return result;
}

QString whyNoMetric(Metric metric, const TrainingRun& run) {
    if (run.recorded && metric == Metric::SamplesPerSecond && run.step && run.step->samples <= 0)
        return tr("%1: the file does not say how many samples a step trains on.")
            .arg(metricInfo(metric).label);
    if (run.recorded)
        return tr("%1: the file does not say which of its steps had which loss and time.")
            .arg(metricInfo(metric).label);
    if (run.history.empty()) return {};
    const StepMetrics& last = run.history.last();
    if (metric == Metric::LossScale && !run.config.scalesLoss())
        return tr("Only fp16 scales the loss: choose it as the precision.");
    if (metric == Metric::Mfu && run.step && std::isfinite(last.stepSeconds) &&
        std::isnan(metricValue(last, metric, run)))
        return tr("The peak of this machine is not known: calibrate it (menu Run) and run again.");
    if (std::isnan(last.learningRate) && std::isnan(last.stepSeconds))
        return tr("%1: this run was recorded without it.").arg(metricInfo(metric).label);
    return tr("%1: no step has given a value that can be shown.").arg(metricInfo(metric).label);
}

}  // namespace plumb::ui
