// SPDX-License-Identifier: Apache-2.0
#include "core/measure/training_series.h"

namespace plumb {

TrainingSeries seriesOf(const std::vector<LossPoint>& points) {
    TrainingSeries series;
    bool scaled = false;
    for (const LossPoint& point : points) {
        series.step.push_back(point.step);
        series.loss.push_back(point.loss);
        series.seconds.push_back(point.seconds);
        series.stepSeconds.push_back(point.stepSeconds);
        series.gradientNorm.push_back(point.gradientNorm);
        series.updateRatio.push_back(point.updateRatio);
        series.learningRate.push_back(point.learningRate);
        series.lossScale.push_back(point.lossScale);
        scaled = scaled || point.lossScale == point.lossScale;
    }
    if (!scaled) series.lossScale.clear();
    return series;
}

std::vector<LossPoint> pointsOf(const TrainingSeries& series) {
    std::vector<LossPoint> points(series.step.size());
    const auto at = [](const std::vector<double>& column, std::size_t i, double otherwise) {
        return i < column.size() ? column[i] : otherwise;
    };
    for (std::size_t i = 0; i < points.size(); ++i) {
        LossPoint& point = points[i];
        point.step = series.step[i];
        point.loss = at(series.loss, i, kNotKnown);
        point.seconds = at(series.seconds, i, 0);
        point.stepSeconds = at(series.stepSeconds, i, kNotKnown);
        point.gradientNorm = at(series.gradientNorm, i, kNotKnown);
        point.updateRatio = at(series.updateRatio, i, kNotKnown);
        point.learningRate = at(series.learningRate, i, kNotKnown);
        point.lossScale = at(series.lossScale, i, kNotKnown);
        point.skipped = looksSkipped(point);
    }
    return points;
}

}  // namespace plumb
