// SPDX-License-Identifier: Apache-2.0
#include "core/measure/divergence.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace plumb {

namespace {

/// A stretch of the run, as the mean of its losses.
struct Stretch {
    double sum = 0;
    double stepSum = 0;
    double count = 0;

    [[nodiscard]] double mean() const { return count > 0 ? sum / count : 0; }
};
using Stretches = std::array<Stretch, DivergenceRule::kStretches>;

/// The finite losses cut into equally many; none where there are too few, or too few parts that are kept.
std::optional<Stretches> stretchesOf(const LossHistory& history) {
    const std::vector<LossMean> means = history.means();
    std::int64_t all = 0;
    for (const LossMean& mean : means) all += mean.count;
    if (all < DivergenceRule::kLeastLosses) return std::nullopt;
    Stretches stretches;
    std::int64_t before = 0;
    for (const LossMean& mean : means) {
        // By the middle of the part, which may lie across a cut.
        const double place =
            (static_cast<double>(before) + static_cast<double>(mean.count) / 2) / static_cast<double>(all);
        const auto at = std::min(static_cast<std::size_t>(place * DivergenceRule::kStretches),
                                 DivergenceRule::kStretches - 1);
        const auto count = static_cast<double>(mean.count);
        stretches.at(at).sum += mean.loss * count;
        stretches.at(at).stepSum += mean.step * count;
        stretches.at(at).count += count;
        before += mean.count;
    }
    const bool isWhole = std::ranges::all_of(stretches, [](const Stretch& one) { return one.count > 0; });
    return isWhole ? std::optional(stretches) : std::nullopt;
}

/// The lowest loss from `step` on; infinite where there is none.
double lowestSince(const LossHistory& history, double step) {
    double lowest = std::numeric_limits<double>::infinity();
    for (const StepMetrics& point : history.points())
        if (static_cast<double>(point.step) >= step && std::isfinite(point.loss))
            lowest = std::min(lowest, point.loss);
    return lowest;
}

}  // namespace

std::optional<Divergence> findDivergence(const LossHistory& history) {
    for (const StepMetrics& point : history.points())
        if (!std::isfinite(point.loss) && !point.skipped)
            return Divergence{.kind = Divergence::Kind::NotFinite, .step = point.step};
    const auto stretches = stretchesOf(history);
    if (!stretches) return std::nullopt;
    const auto newest = stretches->end() - DivergenceRule::kRisen;
    const auto byMean = [](const Stretch& a, const Stretch& b) { return a.mean() < b.mean(); };
    const Stretch& lowest = *std::min_element(stretches->begin(), newest, byMean);
    const double risen = std::min_element(newest, stretches->end(), byMean)->mean();
    const double first = stretches->front().mean();
    const bool isAboveStart = first > 0 && risen > DivergenceRule::kAboveFirst * first;
    const bool isAboveLowest = lowest.mean() > 0 && risen > DivergenceRule::kAboveLowest * lowest.mean();
    if (isAboveStart || isAboveLowest)
        return Divergence{.kind = Divergence::Kind::Rising,
                          .step = std::llround(lowest.stepSum / lowest.count),
                          .newest = stretches->back().mean(),
                          .lowest = lowest.mean(),
                          .isAboveStart = risen > first};
    // The first stretch says nothing of a run that blew up within it.
    const StepMetrics& begun = history.first();
    const double newestFrom = newest->stepSum / newest->count;
    if (begun.loss <= 0 || !(lowestSince(history, newestFrom) > DivergenceRule::kAboveBegun * begun.loss))
        return std::nullopt;
    return Divergence{.kind = Divergence::Kind::Rising,
                      .step = begun.step,
                      .newest = stretches->back().mean(),
                      .lowest = begun.loss,
                      .isAboveStart = true};
}

}  // namespace plumb
