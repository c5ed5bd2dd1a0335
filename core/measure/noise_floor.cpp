// SPDX-License-Identifier: Apache-2.0
#include "core/measure/noise_floor.h"

namespace plumb {

std::optional<double> noiseFloor(const RunConfig& config) {
    if (config.readsFiles() || config.keepsBatch() || config.noise <= 0) return std::nullopt;
    return config.noise * config.noise;
}

}  // namespace plumb
