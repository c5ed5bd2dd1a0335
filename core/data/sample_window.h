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
    [[nodiscard]] std::optional<double> median() const { return quantile(0.5); }
    /// The value that this share of the samples does not exceed, between two neighbours where it falls
    /// between them. Absent without samples.
    [[nodiscard]] std::optional<double> quantile(double share) const {
        if (m_samples.empty()) return std::nullopt;
        std::vector<double> sorted = m_samples;
        const double place = share * static_cast<double>(sorted.size() - 1);
        const auto below = static_cast<std::size_t>(place);
        const auto at = sorted.begin() + static_cast<std::ptrdiff_t>(below);
        std::nth_element(sorted.begin(), at, sorted.end());
        if (below + 1 == sorted.size()) return *at;
        const double next = *std::min_element(at + 1, sorted.end());
        return *at + (next - *at) * (place - static_cast<double>(below));
    }

private:
    std::vector<double> m_samples;
    std::size_t m_next = 0;
};

}  // namespace plumb
