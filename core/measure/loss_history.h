// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/step_metrics.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace plumb {

/// The finite losses of a stretch of steps: their arithmetic mean and where its middle lies.
struct LossMean {
    double step = 0;     ///< mean of the steps
    double seconds = 0;  ///< mean of their StepMetrics::seconds
    double loss = 0;
    std::int64_t count = 0;  ///< losses behind the mean, above 0; those that are not finite are left out
};

/// A loss curve of any length in bounded memory. When it is full, neighbouring buckets are merged in pairs;
/// each bucket keeps its lowest and its highest point at their true steps, so no spike is ever lost. The
/// first and the newest point are always there.
class LossHistory {
public:
    /// Keeps about 2 * `buckets` points at most. Pre: buckets >= 2 and even.
    explicit LossHistory(std::size_t buckets = 4096);

    void add(const StepMetrics& point);  ///< steps increase; amortised O(1)
    void clear();
    /// The kept points in order of step.
    [[nodiscard]] std::vector<StepMetrics> points() const;
    /// Means over neighbouring stretches that hold every finite loss exactly once, so that their mean
    /// weighted by `count` is that of all losses, however much of the curve has been merged.
    [[nodiscard]] std::vector<LossMean> means() const;
    [[nodiscard]] std::int64_t count() const { return m_count; }  ///< points ever added
    [[nodiscard]] bool empty() const { return m_count == 0; }
    // The ends of what was added. Pre: not empty.
    [[nodiscard]] const StepMetrics& first() const { return m_first; }
    [[nodiscard]] const StepMetrics& last() const { return m_last; }

private:
    struct Bucket {
        StepMetrics low, high;
        double lossSum = 0, stepSum = 0, secondsSum = 0;  ///< over its finite losses
        std::int64_t finite = 0;
        void count(const StepMetrics& point);
    };
    std::vector<Bucket> m_buckets;
    std::size_t m_capacity;
    std::int64_t m_perBucket = 1;  ///< points that a full bucket stands for
    std::int64_t m_inLast = 0;     ///< points in the newest bucket
    std::int64_t m_count = 0;
    StepMetrics m_first, m_last;
};

}  // namespace plumb
