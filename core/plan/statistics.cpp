// SPDX-License-Identifier: Apache-2.0
#include "core/plan/step_plan.h"

namespace plumb {

std::int64_t statisticsSlots(const RunConfig& config) { return 4 * (config.matrices() + 1); }

std::int64_t statisticsSlot(const RunConfig& config, TensorRole role, std::int32_t layer) {
    const auto slot = [&](std::int64_t kind) { return kind * (config.matrices() + 1) + layer; };
    switch (role) {
    case TensorRole::Features:
    case TensorRole::Activation:
        return slot(0);
    case TensorRole::Weight:
    case TensorRole::GatheredWeight:
        return slot(1);
    case TensorRole::Gradient:
    case TensorRole::WholeGradient:
        return slot(2);
    case TensorRole::ActivationGradient:
    case TensorRole::HeadGradient:
        return slot(3);
    default:
        return -1;
    }
}

}  // namespace plumb
