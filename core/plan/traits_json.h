// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/json_fields.h"
#include "core/plan/step_plan.h"

namespace plumb {

[[nodiscard]] nlohmann::json toJson(const BackendTraits& traits);
/// The way back. Errors: BadInput with the path of the field, also for traits that contradict each other.
[[nodiscard]] BackendTraits readTraits(const JsonField& field);
[[nodiscard]] Result<BackendTraits> traitsFromJson(const nlohmann::json& json);

}  // namespace plumb
