// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/planner/stage.h"
#include "core/planner/step_time.h"

namespace plumb::planner {

/// Parameters of a stage that are one device's own: to update, and to keep.
struct OwnParameters {
    double updated = 0;  ///< of those that are trained
    double kept = 0;     ///< counted by the recipe's bytes: one in 4 bits is a part of one
};
[[nodiscard]] OwnParameters ownParameters(const Scenario& scenario, const Transformer& model,
                                          const ResolvedLayout& layout, const Stage& stage);

/// Bytes of one device that lie in the host's memory. Errors: those of numberOf().
[[nodiscard]] Result<double> hostBytes(const Scenario& scenario, const Transformer& model,
                                       const ResolvedLayout& layout, const Stage& stage);

/// What goes to the host and comes back in a step of one device. `behind`: seconds of computation that
/// weights and activations can hide behind; gradients and updated weights stand before and after an update.
/// Errors: those of numberOf().
[[nodiscard]] Result<StepTraffic> hostTraffic(const Scenario& scenario, const Transformer& model,
                                              const ResolvedLayout& layout, const Stage& stage,
                                              double behind);

/// The optimizer's pass over `parameters` in the host's memory. Errors: those of numberOf().
[[nodiscard]] Result<TimedOp> hostUpdate(const Scenario& scenario, double parameters);

}  // namespace plumb::planner
