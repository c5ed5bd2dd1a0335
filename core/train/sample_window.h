// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace plumb {

/// The newest samples of one quantity, at most kSamples of them, so that a run of any length keeps bounded
/// memory and shows its present speed.
class SampleWindow {
public:
    static constexpr std::size_t kSamples = 63;

    void add(double sample) {
        if (m_samples.size() < kSamples)
            m_samples.push_back(sample);
        else
            m_samples[m_next] = sample;
        m_next = (m_next + 1) % kSamples;
    }
    void clear() {
        m_samples.clear();
        m_next = 0;
    }
    [[nodiscard]] std::int32_t count() const { return static_cast<std::int32_t>(m_samples.size()); }
    /// Absent without samples.
    [[nodiscard]] std::optional<double> median() const {
        if (m_samples.empty()) return std::nullopt;
        std::vector<double> sorted = m_samples;
        const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
        std::nth_element(sorted.begin(), middle, sorted.end());
        if (sorted.size() % 2 == 1) return *middle;
        return (*middle + *std::max_element(sorted.begin(), middle)) / 2;
    }

private:
    std::vector<double> m_samples;
    std::size_t m_next = 0;
};

}  // namespace plumb
