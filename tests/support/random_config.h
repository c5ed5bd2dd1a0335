// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/run_config.h"

#include <cstdint>

namespace plumb::test {

/// A valid configuration small enough to run in milliseconds; the same one for the same seed on every
/// machine.
///
/// Width 1..96, 1..12 layers, 1..5 outputs, 1..6 micro-batches of 1..24 samples, and every activation,
/// precision, type of the gradients, master copy on or off, optimizer with the settings that change its
/// states, clipping, and recompute policy but for `fit` (also an interval beyond the depth). Synthetic data,
/// a batch that stays among them.
/// The same with `sqrt` spelt out as the every k that it stands for: the smallest k whose square is L or
/// more.
[[nodiscard]] RunConfig spelledOut(RunConfig config);
[[nodiscard]] RunConfig randomConfig(std::uint64_t seed);
/// One that a GPU can run: fp8 wants multiples of 16.
[[nodiscard]] RunConfig randomGpuConfig(std::uint64_t seed);

}  // namespace plumb::test
