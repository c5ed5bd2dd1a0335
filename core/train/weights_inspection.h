// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/value_histogram.h"
#include "core/train/executor.h"
#include "core/train/learned_weights.h"

#include <cstdint>
#include <string>

namespace plumb {

/// All weights as they are between two steps. Errors: those of the backend.
[[nodiscard]] Result<LearnedWeights> weightsOf(const Executor& executor);

/// A look at the weight of a layer, 1..L, L + 1 for the head, 0 for the product of all, after so many steps.
/// `saveTo`: also writes it there as .npy, or all weights as .safetensors; empty: nothing is written.
/// Errors: BadInput for a layer that there is not, a product that there is not or that would take long, and
/// another extension; Io when it cannot be written.
[[nodiscard]] Result<TensorInspection> inspectWeights(const RunConfig& config, const LearnedWeights& weights,
                                                      std::int32_t layer, std::int64_t steps,
                                                      const std::string& saveTo);

}  // namespace plumb
