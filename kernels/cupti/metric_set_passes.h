// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/measure/counter_set.h"

#include <cstdint>

namespace plumb::cupti {

/// What the host library makes of a set.
struct SetPasses {
    std::int64_t passes = 0;
    std::uint32_t cuptiVersion = 0;
};

/// Asks the host library that is installed; needs neither a GPU nor a driver. No header of the toolkit is
/// needed to include this. Errors: Unavailable where there is no CUPTI; those of MetricConfig.
[[nodiscard]] Result<SetPasses> passesOf(const CounterSet& set);

}  // namespace plumb::cupti
