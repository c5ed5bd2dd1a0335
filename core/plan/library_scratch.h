// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/step_plan.h"

namespace plumb {

/// Errors: BadInput for library scratch that is negative, beyond 2^60 bytes, or not finite per byte.
[[nodiscard]] Result<void> checkTraits(const BackendTraits& traits);

/// fp32 elements of library scratch at each D x D product of a step: what `traits` declare, rounded up to
/// whole elements. One number for all of them, since each has one D x D operand or result and two of [b, D].
/// Pre: both checked.
[[nodiscard]] std::int64_t libraryScratchFloats(const RunConfig& config, const BackendTraits& traits);

}  // namespace plumb
