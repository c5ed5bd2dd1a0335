// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/cupti/detect.h"
#include "kernels/cupti/metric_config.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace plumb::cupti {

/// The values of one range by its name, in the order of the metrics.
struct RangeValues {
    std::string name;
    std::vector<double> values;
};

/// CUPTI's range profiler for one context and one set of metrics: ranges that the caller marks (user ranges),
/// repeated by the caller (user replay). All calls come from the thread that launches the kernels. The device
/// must be ready (detectCounters()) and `device` and `config` outlive this.
class RangeSession {
public:
    /// Waits a second: for counters that somebody else may be about to give up.
    using Wait = std::function<void()>;

    RangeSession(const Device& device, const MetricConfig& config, Wait wait);
    /// Ends what is open, in order; never throws.
    ~RangeSession();
    RangeSession(const RangeSession&) = delete;
    RangeSession& operator=(const RangeSession&) = delete;

    /// Makes room for `ranges` ranges in a pass and starts over with the first pass. Errors: OutOfMemory,
    /// those of CUPTI.
    [[nodiscard]] Result<void> configure(std::size_t ranges);
    /// Begins a pass. Errors: here the driver may refuse what it allowed before: permission, busy counters.
    [[nodiscard]] Result<void> start();
    /// Marks a range; waits for the device, so that nothing of before counts as its own.
    [[nodiscard]] Result<void> push(const std::string& name);
    [[nodiscard]] Result<void> pop();
    /// Ends a pass; true when it was the last one.
    [[nodiscard]] Result<bool> stop();
    /// After the last pass: the values of all ranges. Errors: RunFailed when ranges were dropped.
    [[nodiscard]] Result<std::vector<RangeValues>> decode();

private:
    [[nodiscard]] Result<void> wait() const;  ///< for the device
    void disable();

    const Device& m_device;
    const CuptiApi& m_api;
    const MetricConfig& m_config;
    Wait m_wait;
    CUpti_RangeProfiler_Object* m_object = nullptr;
    std::vector<std::uint8_t> m_counterData;
    bool m_started = false;
    bool m_pushed = false;
};

}  // namespace plumb::cupti
