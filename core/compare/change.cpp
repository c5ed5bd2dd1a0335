// SPDX-License-Identifier: Apache-2.0
#include "core/compare/change.h"

#include "core/base/quantile.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace plumb {
namespace {

/// Distances in a normal distribution, in standard deviations: from 10 % to 90 %, and between the quartiles.
constexpr double kDeciles = 2.5631;
constexpr double kQuartiles = 1.3490;
/// The standard error of a median of normal numbers, in those of their mean: sqrt(pi / 2).
constexpr double kMedianError = 1.2533;
/// Fewer say nothing of how far they lie apart.
constexpr std::size_t kLeastRepeats = 4;
constexpr std::size_t kBlocks = 6;
/// Of fewer steps a block's median is no better than the steps themselves.
constexpr std::size_t kLeastBlock = 8;

double errorOfMedian(double deviation, std::size_t repeats) {
    return kMedianError * deviation / std::sqrt(static_cast<double>(repeats));
}

void takeSpread(RepeatedTime& time, const Spread& spread) {
    if (!(time.median > 0)) return;
    time.below = (time.median - spread.low) / time.median;
    time.spread = (spread.high - spread.low) / time.median;
}

/// The standard error of the mean of the medians of consecutive blocks; 0 for too few steps.
double errorOfBlocks(std::span<const Seconds> seconds) {
    const std::size_t length = seconds.size() / kBlocks;
    if (length < kLeastBlock) return 0;
    std::array<double, kBlocks> medians{};
    double mean = 0;
    for (std::size_t i = 0; i < kBlocks; ++i) {
        const auto block = seconds.subspan(i * length, length);
        medians[i] = medianOf({block.begin(), block.end()});
        mean += medians[i] / kBlocks;
    }
    double squares = 0;
    for (const double median : medians) squares += (median - mean) * (median - mean);
    return std::sqrt(squares / (kBlocks - 1) / kBlocks);
}

/// The point that a standard normal number exceeds with probability `tail` < 0.5, by bisection: it is asked
/// for a few times per comparison.
double normalQuantile(double tail) {
    double low = 0, high = 40;
    for (int i = 0; i < 60; ++i) {
        const double middle = (low + high) / 2;
        (std::erfc(middle / std::sqrt(2.0)) / 2 > tail ? low : high) = middle;
    }
    return (low + high) / 2;
}

/// The same of Student's t, by its expansion in 1 / degrees of freedom (Abramowitz and Stegun 26.7.5).
double studentQuantile(double tail, double freedom) {
    const double z = normalQuantile(tail), z2 = z * z;
    const double first = z * (z2 + 1) / 4;
    const double second = z * ((5 * z2 + 16) * z2 + 3) / 96;
    const double third = z * (((3 * z2 + 19) * z2 + 17) * z2 - 15) / 384;
    return z + first / freedom + second / (freedom * freedom) + third / (freedom * freedom * freedom);
}

}  // namespace

std::optional<RepeatedTime> repeatedTime(std::span<const Seconds> seconds) {
    if (seconds.empty()) return std::nullopt;
    const std::vector<double> values(seconds.begin(), seconds.end());
    RepeatedTime time{medianOf(values), std::nullopt, static_cast<std::int64_t>(values.size())};
    if (values.size() < kLeastRepeats) return time;
    const double quartiles = quantileOf(values, 0.75) - quantileOf(values, 0.25);
    time.error = errorOfMedian(quartiles / kQuartiles, values.size());
    time.freedom = time.repeats - 1;
    takeSpread(time, {quantileOf(values, 0.1), quantileOf(values, 0.9)});
    if (const double ofBlocks = errorOfBlocks(seconds); ofBlocks > *time.error) {
        time.error = ofBlocks;
        time.freedom = kBlocks - 1;
    }
    return time;
}

RepeatedTime repeatedTime(Seconds median, const std::optional<Spread>& spread, std::int64_t repeats) {
    RepeatedTime time{median, std::nullopt, repeats};
    if (!spread || repeats < static_cast<std::int64_t>(kLeastRepeats)) return time;
    time.error = errorOfMedian((spread->high - spread->low) / kDeciles, static_cast<std::size_t>(repeats));
    time.freedom = repeats - 1;
    takeSpread(time, *spread);
    return time;
}

Judgement judgeCounts(const std::optional<std::int64_t>& baseline, const std::optional<std::int64_t>& other) {
    Judgement judged;
    if (!baseline || !other) return judged;
    if (*baseline != 0) judged.ratio = static_cast<double>(*other) / static_cast<double>(*baseline);
    judged.change = *other == *baseline ? Change::None : *other < *baseline ? Change::Less : Change::More;
    return judged;
}

Judgement judgeTimes(const std::optional<RepeatedTime>& baseline, const std::optional<RepeatedTime>& other,
                     std::int64_t judged, double drift, bool isDisturbed) {
    Judgement judgement;
    if (!baseline || !other || !(baseline->median > 0)) return judgement;
    judgement.ratio = other->median / baseline->median;
    if (!baseline->error || !other->error) return judgement;
    const double error =
        std::sqrt(*baseline->error * *baseline->error + *other->error * *other->error) / baseline->median;
    const auto freedom = static_cast<double>(baseline->freedom + other->freedom);
    const double tail = kFalseAlarms / 2 / static_cast<double>(std::max<std::int64_t>(judged, 1));
    judgement.band = std::max(error * studentQuantile(tail, freedom), drift);
    const double difference = *judgement.ratio - 1;
    if (std::abs(difference) <= *judgement.band)
        judgement.change = difference == 0 ? Change::None : Change::WithinNoise;
    else if (isDisturbed || baseline->isDisturbed() || other->isDisturbed())
        judgement.change = Change::Disturbed;
    else
        judgement.change = difference < 0 ? Change::Less : Change::More;
    return judgement;
}

}  // namespace plumb
