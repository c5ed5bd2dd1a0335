// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/machine/machine_speed.h"
#include "kernels/cuda/check.h"

#include <cstdint>
#include <optional>

namespace plumb::cuda {

/// The work of a SpeedProbe on a GPU of so many multiprocessors, by the events of `stream`: products in TF32
/// that fill it, a copy between arrays beyond its second cache, and launches of a kernel that has nothing to
/// do, whose rate is the loop's (turns per second). The sizes follow from the GPU alone, so that two probes
/// can be compared. Some milliseconds; everything before it in the stream is waited for. The memory comes
/// from outside of the pool and is given back. Absent when there is no room for it, or no such product.
/// Errors: those of the device.
[[nodiscard]] Result<std::optional<SpeedProbe>> probeGpu(cublasLtHandle_t library,
                                                         std::int64_t multiprocessors, cudaStream_t stream);

}  // namespace plumb::cuda
