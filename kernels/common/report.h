// SPDX-License-Identifier: Apache-2.0
// Where what was seen of a tensor is kept.
#pragma once

#include "core/plan/control_tensors.h"
#include "kernels/common/tally.h"

#include <cstdint>

namespace plumb::common {

/// Puts a tally into a tensor's row of Statistics, on steps that write them: counts are added to those of the
/// observed steps before; squares and amax, times the unscaling, go in place of what is there (fresh) or are
/// added to it.
PLUMB_COMMON void reportStatistics(double* row, const Tally& tally, bool fresh, double unscale) {
    row[static_cast<int>(Statistic::Overflowed)] += static_cast<double>(tally.overflowed);
    row[static_cast<int>(Statistic::Underflowed)] += static_cast<double>(tally.underflowed);
    const double squares = tally.squares * unscale * unscale;
    const double amax = static_cast<double>(tally.amax) * unscale;
    double& sum = row[static_cast<int>(Statistic::SumOfSquares)];
    double& most = row[static_cast<int>(Statistic::Amax)];
    sum = fresh ? squares : sum + squares;
    // The larger one; what is not a number counts as larger than all.
    most = fresh || !(amax <= most || most != most) ? amax : most;
}

/// Puts the amax of a step into an fp8 tensor's row of Scales; what is not finite counts as 0.
PLUMB_COMMON void reportAmax(float* row, std::int64_t step, float amax, bool first) {
    float& newest = row[1 + step % kAmaxHistory];
    const float seen = (bitsOf(amax) & kMagnitude) < kInfinity ? amax : 0;
    newest = first || newest < seen ? seen : newest;
}

}  // namespace plumb::common
