// SPDX-License-Identifier: Apache-2.0
#include "core/measure/spread.h"

namespace plumb {

std::optional<Spread> spreadOfQuotient(std::optional<double> quotient, std::optional<Seconds> seconds,
                                       const std::optional<Spread>& spread) {
    if (!quotient || !seconds || !spread || !(spread->low > 0)) return std::nullopt;
    const double dividend = *quotient * *seconds;
    return Spread{dividend / spread->high, dividend / spread->low};
}

}  // namespace plumb
