// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/json_type.h"
#include "core/plan/step_plan.h"

namespace plumb {

/// Traits that contradict each other are a problem of the field.
[[nodiscard]] JsonType<BackendTraits> jsonType(Of<BackendTraits>);

}  // namespace plumb
