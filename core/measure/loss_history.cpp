// SPDX-License-Identifier: Apache-2.0
#include "core/measure/loss_history.h"

#include <algorithm>
#include <cmath>

namespace plumb {

namespace {

/// A loss that is not a number is above every number: the step at which training broke must stay visible.
bool isHigher(const StepMetrics& a, const StepMetrics& b) {
    return std::isnan(a.loss) ? !std::isnan(b.loss) : a.loss > b.loss;
}
bool isLower(const StepMetrics& a, const StepMetrics& b) {
    return std::isnan(b.loss) ? !std::isnan(a.loss) : a.loss < b.loss;
}

}  // namespace

void LossHistory::Bucket::count(const StepMetrics& point) {
    if (!std::isfinite(point.loss)) return;
    lossSum += point.loss;
    stepSum += static_cast<double>(point.step);
    secondsSum += point.seconds;
    ++finite;
}

LossHistory::LossHistory(std::size_t buckets)
    : m_capacity(std::max<std::size_t>(2, buckets & ~std::size_t{1})) {}

void LossHistory::add(const StepMetrics& point) {
    if (m_count == 0) m_first = point;
    m_last = point;
    ++m_count;

    if (!m_buckets.empty() && m_inLast < m_perBucket) {
        Bucket& newest = m_buckets.back();
        if (isLower(point, newest.low)) newest.low = point;
        if (isHigher(point, newest.high)) newest.high = point;
        newest.count(point);
        ++m_inLast;
        return;
    }
    if (m_buckets.size() == m_capacity) {
        // All are full here and their number is even, so the merged ones are full again.
        for (std::size_t i = 0; i < m_capacity / 2; ++i) {
            const Bucket& left = m_buckets[2 * i];
            const Bucket& right = m_buckets[2 * i + 1];
            m_buckets[i] = Bucket{isLower(right.low, left.low) ? right.low : left.low,
                                  isHigher(right.high, left.high) ? right.high : left.high,
                                  left.lossSum + right.lossSum,
                                  left.stepSum + right.stepSum,
                                  left.secondsSum + right.secondsSum,
                                  left.finite + right.finite};
        }
        m_buckets.resize(m_capacity / 2);
        m_perBucket *= 2;
    }
    m_buckets.push_back(Bucket{.low = point, .high = point});
    m_buckets.back().count(point);
    m_inLast = 1;
}

void LossHistory::clear() {
    m_buckets.clear();
    m_perBucket = 1;
    m_inLast = 0;
    m_count = 0;
    m_first = m_last = StepMetrics{};
}

std::vector<LossMean> LossHistory::means() const {
    std::vector<LossMean> result;
    result.reserve(m_buckets.size());
    for (const Bucket& bucket : m_buckets) {
        if (bucket.finite == 0) continue;
        const auto count = static_cast<double>(bucket.finite);
        result.push_back(
            {bucket.stepSum / count, bucket.secondsSum / count, bucket.lossSum / count, bucket.finite});
    }
    return result;
}

std::vector<StepMetrics> LossHistory::points() const {
    std::vector<StepMetrics> result;
    if (empty()) return result;
    result.reserve(2 * m_buckets.size() + 2);
    const auto append = [&](const StepMetrics& point) {
        if (result.empty() || point.step > result.back().step) result.push_back(point);
    };
    append(m_first);
    for (const Bucket& bucket : m_buckets) {
        const bool lowFirst = bucket.low.step <= bucket.high.step;
        append(lowFirst ? bucket.low : bucket.high);
        append(lowFirst ? bucket.high : bucket.low);
    }
    append(m_last);
    return result;
}

}  // namespace plumb
