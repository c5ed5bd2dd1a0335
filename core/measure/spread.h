// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/machine/tier.h"

#include <optional>

namespace plumb {

/// Where a sum of times lies when its parts are all at their low or all at their high ends: no wider than
/// that.
inline Spread& operator+=(Spread& sum, const Spread& part) {
    sum.low += part.low;
    sum.high += part.high;
    return sum;
}

/// Where a number of which `seconds` is the divisor lies, as a rate; absent where that has no upper end.
[[nodiscard]] std::optional<Spread> spreadOfQuotient(std::optional<double> quotient,
                                                     std::optional<Seconds> seconds,
                                                     const std::optional<Spread>& spread);

}  // namespace plumb
