// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/json_type.h"
#include "core/planner/scenario.h"

namespace plumb::planner {

/// The measurement that a plan rests on, with the plan in which it was measured. What it says of the step
/// model is worked out anew when it is read. Its functions are those of a field of a Scenario.
struct MeasurementField {
    static nlohmann::json write(const Scenario& scenario);
    static void read(const JsonField& field, Scenario& scenario);
    static nlohmann::json schema(nlohmann::json& definitions);
    static bool isSet(const Scenario& scenario) { return scenario.measured != nullptr; }
};

}  // namespace plumb::planner
