// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace plumb {

inline constexpr double kNotKnown = std::numeric_limits<double>::quiet_NaN();

/// One training step as its curves show it. What is not known is not a number.
struct LossPoint {
    std::int64_t step = 0;
    double loss = 0;
    double seconds = 0;  ///< training time since the start, pauses left out
    double stepSeconds = kNotKnown;
    double gradientNorm = kNotKnown;  ///< unscaled, before clipping
    double updateRatio = kNotKnown;   ///< norm of the update / norm of the weights
    double learningRate = kNotKnown;
    double lossScale = kNotKnown;  ///< fp16 only
    bool skipped = false;          ///< fp16: nothing was updated
};

/// Whether the numbers of a point say that its step was skipped, for messages and files, which hold nothing
/// else: where the loss is scaled, only a skipped step has no gradient norm.
[[nodiscard]] inline bool looksSkipped(const LossPoint& point) {
    return !std::isnan(point.lossScale) && std::isnan(point.gradientNorm);
}

/// The finite losses of a stretch of steps: their arithmetic mean and where its middle lies.
struct LossMean {
    double step = 0;     ///< mean of the steps
    double seconds = 0;  ///< mean of their LossPoint::seconds
    double loss = 0;
    std::int64_t count = 0;  ///< losses behind the mean, above 0; those that are not finite are left out
};

/// A loss curve of any length in bounded memory. When it is full, neighbouring buckets are merged in pairs;
/// each bucket keeps its lowest and its highest point at their true steps, so no spike is ever lost. The
/// first and the newest point are always there.
class LossHistory {
public:
    /// At most about 2 * `buckets` points are kept. Pre: buckets >= 2 and even.
    explicit LossHistory(std::size_t buckets = 4096);

    void add(const LossPoint& point);  ///< steps increase; amortised O(1)
    void clear();
    /// The kept points in order of step.
    [[nodiscard]] std::vector<LossPoint> points() const;
    /// Means over neighbouring stretches that hold every finite loss exactly once, so that their mean
    /// weighted by `count` is that of all losses, however much of the curve has been merged.
    [[nodiscard]] std::vector<LossMean> means() const;
    [[nodiscard]] std::int64_t count() const { return m_count; }  ///< points ever added
    [[nodiscard]] bool empty() const { return m_count == 0; }
    [[nodiscard]] const LossPoint& last() const { return m_last; }

private:
    struct Bucket {
        LossPoint low, high;
        double lossSum = 0, stepSum = 0, secondsSum = 0;  ///< over its finite losses
        std::int64_t finite = 0;
        void count(const LossPoint& point);
    };
    std::vector<Bucket> m_buckets;
    std::size_t m_capacity;
    std::int64_t m_perBucket = 1;  ///< points that a full bucket stands for
    std::int64_t m_inLast = 0;     ///< points in the newest bucket
    std::int64_t m_count = 0;
    LossPoint m_first, m_last;
};

}  // namespace plumb
