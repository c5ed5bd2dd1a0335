// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/reading.h"

#include <string>
#include <vector>

namespace plumb {

/// What one category adds to the plain sum, and what of it is there at the peak.
struct PlainPart {
    Category category{};
    Bytes plain = 0;   ///< 0 for what the plain sum leaves out
    Bytes atPeak = 0;  ///< while the fullest op runs
    std::string why;   ///< they differ; empty where they do not
};

/// The sum on a napkin, parameters + gradients + optimizer states + activations, each whole and all at once,
/// beside the true peak of the step.
struct PlainMemory {
    std::vector<PlainPart> parts;  ///< by category; those that are nothing on both sides are left out
    Bytes sum = 0;
    Bytes peak = 0;

    /// "parameters 4.19 MB + gradients 4.19 MB + ... = 17.8 MB"
    [[nodiscard]] std::string sumText() const;
    /// "the peak is 1.30 MB above it: +1.05 MB data (it has features and targets, too), -..."
    [[nodiscard]] std::string differenceText() const;
};
/// Activations are those of all layers, of one micro-batch.
[[nodiscard]] PlainMemory plainMemory(const StepPlan& plan, const MemoryReading& predicted);

}  // namespace plumb
