// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/machine/machine.h"
#include "kernels/cuda/driver.h"

#include <functional>
#include <stop_token>
#include <string_view>

namespace plumb::cuda {

/// Measures what a GPU can do:
///
/// - the times of the ops of a training step by their sizes (core/calibrate/cost_survey.h), with the
/// algorithms that
///   steps of those sizes use;
/// - FLOP/s per dtype: the best of a layer's products in those steps;
/// - bytes/s of reading, copying and updating arrays from 1 MiB (which the L2 cache holds) to 4 GiB, no more
/// than a
///   quarter of memory; the memory's own is the best of the largest;
/// - bytes/s of copies to and from the host and between cards: see surveyCopies();
/// - seconds per op: the median time of the ops of a step that is too small to compute anything;
/// - seconds between two nodes of a graph, since a training replays its steps as one: see
/// gapBetweenGraphNodes().
///
/// `quick`: fewer sizes. Errors: RunFailed when stopped; those of the backend.
[[nodiscard]] Result<Machine>
calibrateGpu(const GpuIdentity& gpu,
             const std::function<void(std::string_view what, int done, int total)>& progress,
             std::stop_token stop, bool quick);

}  // namespace plumb::cuda
