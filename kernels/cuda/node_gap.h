// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/quantity.h"
#include "core/base/result.h"

namespace plumb::cuda {

/// Seconds from the end of a node of a CUDA graph to the beginning of the next one, which depends on it: a
/// graph of tiny kernels, less one kernel that does the work of all of them, for each. Waits for the device.
/// Errors: those of the runtime.
[[nodiscard]] Result<Seconds> gapBetweenGraphNodes();

}  // namespace plumb::cuda
