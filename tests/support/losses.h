// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/loss_history.h"

#include <cmath>
#include <cstdint>

namespace plumb::test {

/// The losses of a run that learns: from 100 down by e^-8, a step a millisecond.
inline LossHistory falling(std::int64_t steps) {
    LossHistory history;
    for (std::int64_t i = 0; i < steps; ++i)
        history.add({i, 100 * std::exp(-8.0 * static_cast<double>(i) / static_cast<double>(steps)),
                     static_cast<double>(i) * 1e-3});
    return history;
}

}  // namespace plumb::test
