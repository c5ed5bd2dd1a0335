// SPDX-License-Identifier: Apache-2.0
#include "core/account/machine.h"

namespace plumb {

std::optional<double> Machine::peak(Dtype dtype) const {
    for (const auto& [known, value] : peakFlopPerSecond)
        if (known == dtype) return value;
    return std::nullopt;
}

}  // namespace plumb
