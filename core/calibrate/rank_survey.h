// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/calibrate/cost_survey.h"

#include <span>
#include <stop_token>

namespace plumb {

/// The times of collectives of one kind (AllReduce, ReduceScatter, AllGather) between `ranks` threads of this
/// machine, at each of `sizes` (bytes) that leave memory for the rest: of 21 the median, each as long as on
/// the slowest rank. `memory`: that all of them may take. Errors: RunFailed when stopped; those of the
/// communicator.
[[nodiscard]] Result<CostTable> surveyCollectives(OpKind kind, int ranks, Dtype dtype,
                                                  std::span<const Bytes> sizes, Bytes memory,
                                                  const SurveyProgress& progress,
                                                  const std::stop_token& stop);

/// What as many ranks as `backends` cost that share this machine: the survey of the first while the others
/// run the same steps, some of them beside all-reduces too; and all-reduces, reduce-scatters and all-gathers
/// of numbers in each format that makes a difference, all-reduces of fp32 also while all ranks compute.
/// Errors: as surveyCosts().
[[nodiscard]] Result<RankCosts> surveyRanks(std::span<Backend* const> backends, const SurveyGrid& grid,
                                            const SurveyProgress& progress, const std::stop_token& stop);

}  // namespace plumb
