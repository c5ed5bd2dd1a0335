// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/account/machine.h"
#include "core/base/result.h"

#include <functional>
#include <stop_token>
#include <string_view>

namespace plumb {

/// Measures the ceilings of the processor it runs on, in 15 to 25 s on an idle machine:
///
/// - FLOP/s per dtype: the best of the three products of a layer, as the trainer runs them (bf16 with its
///   casts), over a few sizes and repeats;
/// - bytes/s: the best of reading, copying and updating in place arrays of at most 512 MB (no more than an
///   eighth of memory), counting bytes read and written;
/// - seconds per op: the median time of the ops of a step that is too small to compute anything.
///
/// `progress` is told what is being measured, and how many of how many measurements are done. Errors:
/// RunFailed when stopped; those of the backend.
[[nodiscard]] Result<Machine>
calibrateCpu(const std::function<void(std::string_view what, int done, int total)>& progress,
             std::stop_token stop);

}  // namespace plumb
