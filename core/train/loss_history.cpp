// SPDX-License-Identifier: Apache-2.0
#include "core/train/loss_history.h"

#include <algorithm>
#include <cmath>

namespace plumb {

namespace {

/// A loss that is not a number is above every number: the step at which training broke must stay visible.
bool isHigher(const LossPoint& a, const LossPoint& b) {
    return std::isnan(a.loss) ? !std::isnan(b.loss) : a.loss > b.loss;
}
bool isLower(const LossPoint& a, const LossPoint& b) {
    return std::isnan(b.loss) ? !std::isnan(a.loss) : a.loss < b.loss;
}

}  // namespace

LossHistory::LossHistory(std::size_t buckets)
    : m_capacity(std::max<std::size_t>(2, buckets & ~std::size_t{1})) {}

void LossHistory::add(const LossPoint& point) {
    if (m_count == 0) m_first = point;
    m_last = point;
    ++m_count;

    if (!m_buckets.empty() && m_inLast < m_perBucket) {
        Bucket& newest = m_buckets.back();
        if (isLower(point, newest.low)) newest.low = point;
        if (isHigher(point, newest.high)) newest.high = point;
        ++m_inLast;
        return;
    }
    if (m_buckets.size() == m_capacity) {
        // All are full here and their number is even, so the merged ones are full again.
        for (std::size_t i = 0; i < m_capacity / 2; ++i) {
            const Bucket& left = m_buckets[2 * i];
            const Bucket& right = m_buckets[2 * i + 1];
            m_buckets[i] = Bucket{isLower(right.low, left.low) ? right.low : left.low,
                                  isHigher(right.high, left.high) ? right.high : left.high};
        }
        m_buckets.resize(m_capacity / 2);
        m_perBucket *= 2;
    }
    m_buckets.push_back(Bucket{point, point});
    m_inLast = 1;
}

void LossHistory::clear() {
    m_buckets.clear();
    m_perBucket = 1;
    m_inLast = 0;
    m_count = 0;
    m_first = m_last = LossPoint{};
}

std::vector<LossPoint> LossHistory::points() const {
    std::vector<LossPoint> result;
    if (empty()) return result;
    result.reserve(2 * m_buckets.size() + 2);
    const auto append = [&](const LossPoint& point) {
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
