// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/planner/scenario.h"

#include <optional>
#include <vector>

namespace plumb::planner {

/// A measured rate by one of the ways in which people count a token's FLOPs.
struct CountedRate {
    bool causal = false;      ///< masked pairs left out; else all query-key pairs
    bool recomputed = false;  ///< with what the recipe does again
    double flopsPerToken = 0;
    double flopsPerDevice = 0;  ///< per second
    double utilisation = 0;     ///< of the peak
    /// MFU of the model's own FLOPs over all pairs, had the given rate been counted in this way; empty where
    /// tokens were given, which nobody counts differently.
    std::optional<double> mfuIfGivenSo;
};
/// All pairs first, and the model's own FLOPs before those with recomputation. Errors: those of
/// Output::MeasuredMfu.
[[nodiscard]] Result<std::vector<CountedRate>> countedRates(const Scenario& scenario);

}  // namespace plumb::planner
