// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/training/marked_stretch.h"

#include "core/base/quantile.h"
#include "ui/theme/text.h"
#include "ui/training/training_metrics.h"
#include "ui/training/training_text.h"

#include <QStringList>

#include <algorithm>
#include <cmath>

namespace plumb::ui {

std::optional<StretchFigures> figuresOf(const TrainingRun& run, const MarkedStretch& stretch) {
    std::vector<StepMetrics> points = run.history.points();
    std::erase_if(points, [&](const StepMetrics& point) {
        return !stretch.contains(static_cast<double>(point.step), point.seconds);
    });
    if (points.empty()) return std::nullopt;
    const StepMetrics &first = points.front(), &last = points.back();
    StretchFigures figures{first.step + 1, last.step + 1, first.loss, last.loss};
    double sum = 0;
    std::int64_t count = 0;
    for (const LossMean& mean : run.history.means()) {
        if (!stretch.contains(mean.step, mean.seconds)) continue;
        sum += mean.loss * static_cast<double>(mean.count);
        count += mean.count;
    }
    if (count > 0) figures.meanLoss = sum / static_cast<double>(count);
    std::vector<double> seconds;
    for (const StepMetrics& point : points) {
        if (std::isfinite(point.loss))
            figures.lowestLoss = std::min(figures.lowestLoss.value_or(point.loss), point.loss);
        if (std::isfinite(point.stepSeconds)) seconds.push_back(point.stepSeconds);
    }
    if (last.seconds > first.seconds)
        figures.stepsPerSecond = static_cast<double>(last.step - first.step) / (last.seconds - first.seconds);
    constexpr double kLow = 0.1, kMiddle = 0.5, kHigh = 0.9;
    if (!seconds.empty()) figures.stepSeconds = quantileOf(seconds, kMiddle);
    if (seconds.size() > 1) figures.spread = Spread{quantileOf(seconds, kLow), quantileOf(seconds, kHigh)};
    return figures;
}

QString stretchText(const TrainingRun* run, const MarkedStretch& stretch) {
    if (run == nullptr || !stretch.window) return {};
    const auto figures = figuresOf(*run, stretch);
    if (!figures) return tr("The newest run has no step in the marked stretch.");
    QStringList parts{tr("Steps %1 to %2").arg(countText(figures->firstStep), countText(figures->lastStep)),
                      tr("loss %1 to %2").arg(lossText(figures->firstLoss), lossText(figures->lastLoss))};
    if (figures->meanLoss) parts << tr("mean loss %1").arg(lossText(*figures->meanLoss));
    if (figures->stepSeconds) {
        const QString time = quantityText(*figures->stepSeconds, "s");
        parts << (figures->spread ? tr("%1 a step (%2 to %3)")
                                        .arg(time, quantityText(figures->spread->low, "s"),
                                             quantityText(figures->spread->high, "s"))
                                  : tr("%1 a step").arg(time));
    }
    if (figures->stepsPerSecond) {
        parts << tr("%1 steps/s").arg(quantityText(*figures->stepsPerSecond, ""));
        if (run->step && run->step->samples > 0)
            parts << metricText(*figures->stepsPerSecond * static_cast<double>(run->step->samples),
                                Metric::SamplesPerSecond);
    }
    return parts.join(QStringLiteral(" · "));
}

}  // namespace plumb::ui
