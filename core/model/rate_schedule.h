// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/host_device.h"

#include <cmath>
#include <cstdint>

namespace plumb {

/// The numbers behind learningRateAt(), without the rest of a configuration: a device keeps them in its own
/// memory and counts the steps itself, so that a captured step stays the same when the rate changes.
struct RateSchedule {
    enum class Kind : std::int32_t { Constant, Cosine, Step };
    double peak = 0;
    double minimum = 0;              ///< cosine: where it ends
    double gamma = 1;                ///< step: factor at each stair
    std::int64_t warmUpSteps = 0;    ///< steps over which the rate rises
    std::int64_t scheduleSteps = 1;  ///< cosine: step at which it ends; step: length of a stair
    Kind kind = Kind::Constant;
};

/// The learning rate of a step (0-based); see learningRateAt(). Plain C++, compiled for devices as well;
/// there the cosine and the power may differ from the processor's in their last bit.
[[nodiscard]] PLUMB_HOST_DEVICE inline double rateAt(const RateSchedule& schedule, std::int64_t step) {
    constexpr double kPi = 3.141592653589793238462643383279502884;
    if (step < schedule.warmUpSteps)
        return schedule.peak * static_cast<double>(step + 1) / static_cast<double>(schedule.warmUpSteps);
    const std::int64_t since = step - schedule.warmUpSteps;
    switch (schedule.kind) {
    case RateSchedule::Kind::Constant:
        break;
    case RateSchedule::Kind::Cosine: {
        const std::int64_t steps = schedule.scheduleSteps - schedule.warmUpSteps;
        const double part = static_cast<double>(since) / static_cast<double>(steps > 1 ? steps : 1);
        return schedule.minimum +
               (schedule.peak - schedule.minimum) * (1 + std::cos(kPi * (part < 1 ? part : 1))) / 2;
    }
    case RateSchedule::Kind::Step: {
        const std::int64_t stairs = since / schedule.scheduleSteps;
        return schedule.peak * std::pow(schedule.gamma, static_cast<double>(stairs));
    }
    }
    return schedule.peak;
}

}  // namespace plumb
