// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/machine/hardware_database.h"
#include "core/planner/model.h"
#include "core/planner/scenario.h"

#include <cstdint>
#include <string_view>

namespace plumb::planner {

/// Throws where the built-in tables lack the device or the model.
inline Scenario withDevice(std::string_view name, std::int64_t devices) {
    Scenario s;
    s.cluster.device = HardwareDatabase::builtIn().find(name).value();
    s.cluster.devices = devices;
    return s;
}

/// `model` on that many H100.
inline Scenario scenarioOf(std::string_view model, std::int64_t devices) {
    Scenario s = withDevice("H100 SXM", devices);
    s.model = findModel(model).value();
    return s;
}

}  // namespace plumb::planner
