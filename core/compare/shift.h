// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/compare/comparison.h"

#include <cstddef>
#include <string>
#include <vector>

namespace plumb {

/// A point of the roofline.
struct RooflineSpot {
    double intensity = 0;      ///< FLOP / B, by compulsory traffic
    double flopPerSecond = 0;  ///< FLOPs of its ops / their time
};

/// Where operations of one row stand in the roofline of the baseline, and where in that of another step.
struct RooflineShift {
    std::size_t row = 0;  ///< index into Comparison::ops
    Phase phase{};
    std::string label;  ///< module and kind
    RooflineSpot baseline, other;
    double seconds = 0;   ///< longer of both times: what it weighs
    bool isReal = false;  ///< time, FLOPs or bytes really differ
};

/// All rows of which FLOPs, bytes and time are known in both, the heaviest first.
[[nodiscard]] std::vector<RooflineShift> rooflineShifts(const Comparison& comparison, std::size_t index);

/// Losses of two trainings, at the steps that both have.
struct LossDifference {
    std::vector<double> steps;
    std::vector<double> difference;  ///< other - baseline
};
/// At each kept step of the other within the baseline's range, which is interpolated between its own kept
/// steps. Losses that are not finite are left out.
[[nodiscard]] LossDifference lossDifference(const ComparedStep& baseline, const ComparedStep& other);

}  // namespace plumb
