// SPDX-License-Identifier: Apache-2.0
#include "core/measure/loss_smoothing.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace plumb {

namespace {

bool isShown(double loss) { return std::isfinite(loss) && loss > 0; }

/// Means of `values`, weighted, over the entries at most `reach` steps away, as many on either side: near an
/// end the reach shrinks, so that the first and the last entry stay what they are. Sums run along,
/// O(entries).
std::vector<double> boxMeans(const std::vector<LossMean>& at, const std::vector<double>& values,
                             double reach) {
    std::vector<double> sums(values.size() + 1), weights(values.size() + 1);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto weight = static_cast<double>(at[i].count);
        sums[i + 1] = sums[i] + weight * values[i];
        weights[i + 1] = weights[i] + weight;
    }
    std::vector<double> means(values.size());
    std::size_t begin = 0, end = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double here = at[i].step;
        const double most = std::min({reach, here - at.front().step, at.back().step - here});
        while (at[begin].step < here - most) ++begin;
        end = std::max(end, i + 1);
        while (end < values.size() && at[end].step <= here + most) ++end;
        means[i] = end - begin < 2 ? values[i] : (sums[end] - sums[begin]) / (weights[end] - weights[begin]);
    }
    return means;
}

}  // namespace

SmoothLosses smoothLosses(const LossHistory& history, double smoothing) {
    SmoothLosses smooth;
    if (history.empty() || !(smoothing > 0)) return smooth;
    const StepMetrics &first = history.first(), &last = history.last();
    smooth.window = smoothing * smoothing * static_cast<double>(last.step - first.step);
    if (smooth.window < 1) {  // less than a step on either side is no mean
        smooth.window = 0;
        return smooth;
    }
    std::vector<LossMean> means = history.means();
    std::erase_if(means, [](const LossMean& mean) { return !isShown(mean.loss); });
    if (means.empty()) return smooth;
    // Four boxes, one after the other, reach as far as the window and look like a bell.
    const double reach = smooth.window / 4;
    std::vector<double> trend(means.size()), multiple(means.size());
    std::ranges::transform(means, trend.begin(), [](const LossMean& mean) { return std::log(mean.loss); });
    trend = boxMeans(means, boxMeans(means, trend, reach), reach);
    for (std::size_t i = 0; i < means.size(); ++i) multiple[i] = means[i].loss / std::exp(trend[i]);
    multiple = boxMeans(means, boxMeans(means, multiple, reach), reach);

    smooth.losses.reserve(means.size() + 2);
    // A mean of merged steps lies between them: the curve begins and ends where the data does.
    const auto addEnd = [&](const StepMetrics& end) {
        if (isShown(end.loss))
            smooth.losses.push_back({static_cast<double>(end.step), end.seconds, end.loss});
    };
    if (means.front().step > static_cast<double>(first.step)) addEnd(first);
    for (std::size_t i = 0; i < means.size(); ++i)
        smooth.losses.push_back({means[i].step, means[i].seconds, std::exp(trend[i]) * multiple[i]});
    if (means.back().step < static_cast<double>(last.step)) addEnd(last);
    return smooth;
}

}  // namespace plumb
