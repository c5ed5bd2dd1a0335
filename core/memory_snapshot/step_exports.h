// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/quantity.h"
#include "core/plan/step.h"

#include <optional>
#include <span>
#include <string>

namespace plumb {

/// The memory of a step as a memory snapshot of PyTorch: a pickle of protocol 2 that torch.cuda._memory_viz
/// opens.
///
/// Each tensor is a block at an address of its own while it lives, first fit in one segment of device 0, in
/// multiples of 512 bytes; sizes are those of the tensors, so that the peak of the requested bytes is that of
/// memoryCurve(). What is there before the step has a block and no entry. A frame says the name of the tensor
/// (its file the module, or the category), the next one the op that made it. Entries carry their category.
/// Times are microseconds from the beginning of the step; an op without a time takes one. The segment is what
/// this layout needs: it says nothing of what the allocator of PyTorch would reserve.
///
/// `opSeconds` is empty or has a value for each op.
[[nodiscard]] std::string toMemorySnapshot(const Step& step,
                                           std::span<const std::optional<Seconds>> opSeconds);

/// The same step for speedscope (https://www.speedscope.app): the time of its ops under phase and module,
/// where any is known, in nanoseconds, and the memory at its peak by category and tensor, in bytes. JSON.
[[nodiscard]] std::string toSpeedscope(const Step& step, std::span<const std::optional<Seconds>> opSeconds);

}  // namespace plumb
