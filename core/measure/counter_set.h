// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/enum_names.h"
#include "core/measure/op_counters.h"
#include "core/model/run_config.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace plumb {

/// How much is counted. More metrics take more passes, and every pass is a training step.
enum class CounterDetail : std::uint8_t {
    Quick,  ///< tensor-core FLOPs and bytes of DRAM, L2 and L1
    /// CUDA-core FLOPs too, which needs instrumented kernels: slower steps; shared memory, activity of pipes
    /// and warps, hits of the L2.
    Full,
};
inline constexpr std::array kAllCounterDetails{CounterDetail::Quick, CounterDetail::Full};
inline constexpr auto kCounterDetailNames =
    enumNames<CounterDetail>({{CounterDetail::Quick, "quick"}, {CounterDetail::Full, "full"}});
[[nodiscard]] constexpr std::string_view detailName(CounterDetail detail) {
    return kCounterDetailNames.name(detail);
}

/// One hardware metric and what is made of it: count += factor * value.
struct CounterMetric {
    std::string name;  ///< as the vendor's library knows it, with its roll-up: "dram__bytes_read.sum"
    CounterKind feeds{};
    std::int64_t factor = 1;
    std::string meaning;  ///< one sentence without a full stop
    bool operator==(const CounterMetric&) const = default;
};

/// The metrics for one chip, precision and detail.
struct CounterSet {
    std::string chip;
    Precision precision{};
    CounterDetail detail{};
    std::vector<CounterMetric> metrics;
    std::int64_t passes = 0;          ///< training steps needed for as many ops as fit at once
    std::vector<std::string> absent;  ///< what this chip does not count, one sentence each
    bool operator==(const CounterSet&) const = default;

    [[nodiscard]] std::vector<std::string> names() const;
};

/// The counts of a set's metrics: `values` in the order of set.metrics. A kind whose metrics are not all
/// finite and >= 0, or that 63 bits do not hold, is absent, as is one that no metric feeds.
[[nodiscard]] OpCounters countersOf(const CounterSet& set, std::span<const double> values);

}  // namespace plumb
