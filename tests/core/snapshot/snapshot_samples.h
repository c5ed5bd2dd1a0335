// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/reading.h"
#include "core/snapshot/snapshot.h"

#include <vector>

namespace plumb {

/// A configuration with every kind of op: ReLU, bf16 with master weights, two micro-batches, recomputation.
[[nodiscard]] RunConfig sampleConfig();
/// A machine with some ceilings known and some not.
[[nodiscard]] Machine sampleMachine();
/// A record of every kind in a lane of every kind; some were dropped.
[[nodiscard]] Timeline sampleTimeline();
/// Predicted and "measured" readings, which differ, and a loss curve that ends in a NaN.
[[nodiscard]] Snapshot sampleSnapshot();
/// Equal in everything that a snapshot holds; NaN losses count as equal.
void expectSameReading(const Reading& a, const Reading& b);
void expectSameMachine(const Machine& a, const Machine& b);
void expectSameSteps(const std::vector<StepMetrics>& a, const std::vector<StepMetrics>& b);

}  // namespace plumb
