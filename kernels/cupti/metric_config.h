// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/counter_set.h"
#include "kernels/cupti/api.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace plumb::cupti {

/// Chips that CUPTI can make configurations for, with or without a GPU. Errors: those of CUPTI.
[[nodiscard]] Result<std::vector<std::string>> supportedChips(const CuptiApi& api);

/// A set of metrics made ready for collection by CUPTI's host library, and the way back from what was
/// collected to numbers. Needs neither a GPU nor a driver. One set each: metrics of a second one would add
/// up.
class MetricConfig {
public:
    /// `availability`: what the driver said that this GPU can count; empty without a GPU. Sets the passes of
    /// `set`. Errors: Unavailable for a chip or a metric that the library does not know, or without
    /// libnvperf_host.so; else those of CUPTI.
    [[nodiscard]] static Result<MetricConfig> create(const CuptiApi& api, CounterSet set,
                                                     std::span<const std::uint8_t> availability = {});
    ~MetricConfig();
    MetricConfig(MetricConfig&& other) noexcept;
    MetricConfig& operator=(MetricConfig&&) = delete;
    MetricConfig(const MetricConfig&) = delete;
    MetricConfig& operator=(const MetricConfig&) = delete;

    [[nodiscard]] const CounterSet& set() const { return m_set; }
    /// What the collector is configured with; stays where it is as long as this object is not moved from.
    [[nodiscard]] std::span<const std::uint8_t> image() const { return m_image; }
    /// The names of the metrics as CUPTI takes them; valid as long as this object.
    [[nodiscard]] std::vector<const char*> names() const;

    /// The values of all metrics in one range of a counter data image, in the order of the set. Values that
    /// are NaN or infinite count as missing: CUPTI calls that a success. Errors: those of CUPTI.
    [[nodiscard]] Result<std::vector<double>> evaluate(std::span<const std::uint8_t> counterData,
                                                       std::size_t range) const;

private:
    MetricConfig(const CuptiApi& api, CounterSet set) : m_api(&api), m_set(std::move(set)) {}
    [[nodiscard]] Result<void> open(std::span<const std::uint8_t> availability);
    [[nodiscard]] Result<void> checkMetrics() const;
    [[nodiscard]] Result<void> buildImage();

    const CuptiApi* m_api;
    CounterSet m_set;
    CUpti_Profiler_Host_Object* m_host = nullptr;
    std::vector<std::uint8_t> m_image;
};

}  // namespace plumb::cupti
