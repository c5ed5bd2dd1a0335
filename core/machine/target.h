// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/machine/machine.h"
#include "core/plan/step_plan.h"

namespace plumb {

/// Where a step runs: the device, and what its backend does differently.
struct Target {
    Machine machine;
    BackendTraits traits;
};

}  // namespace plumb
