// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/quantile.h"

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
        return m_samples.empty() ? std::nullopt : std::optional(quantileOf(m_samples, share));
    }

private:
    std::vector<double> m_samples;
    std::size_t m_next = 0;
};

}  // namespace plumb
