// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/calibrate/cost_survey.h"
#include "core/machine/machine.h"

#include <functional>
#include <stop_token>
#include <string_view>

namespace plumb {

/// Measures what the processor it runs on can do, in about a minute on an idle machine (`grid` says
/// at how many sizes):
///
/// - the times of the ops of a training step by their sizes (core/calibrate/cost_survey.h);
/// - FLOP/s per dtype: the best of a layer's products in those steps (16-bit ones with their casts);
/// - bytes/s of reading, copying and updating in place arrays from 64 KiB to 1 GiB (no more than a quarter of
///   memory); the memory's own is the best of the largest;
/// - seconds per op: the median time of the ops of a step that is too small to compute anything.
///
/// `progress` is told what is being measured, and how many of how many measurements are done. Errors:
/// RunFailed when stopped; those of the backend.
[[nodiscard]] Result<Machine>
calibrateCpu(const std::function<void(std::string_view what, int done, int total)>& progress,
             std::stop_token stop, const SurveyGrid& grid = SurveyGrid::full());

/// Measures what each of so many ranks costs that are threads of this process and have equal parts of the
/// processor (core/calibrate/rank_survey.h). Errors: as above.
[[nodiscard]] Result<RankCosts>
calibrateCpuRanks(int ranks, const std::function<void(std::string_view what, int done, int total)>& progress,
                  std::stop_token stop, const SurveyGrid& grid = SurveyGrid::full());

}  // namespace plumb
