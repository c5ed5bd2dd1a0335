// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/common/rule_constants.h"

#include <cstddef>
#include <cstdint>

namespace plumb::cpu {

using common::kRules;
using common::Rule;
using common::RuleConstants;

/// Sums of squares that a step reports, over the parameters that a kernel has seen.
struct StepSquares {
    double gradient = 0;   ///< times the gradient factor
    double update = 0;     ///< new value minus old one, before it is rounded to its stored type
    double parameter = 0;  ///< before the update
    void add(const StepSquares& other) {
        gradient += other.gradient;
        update += other.update;
        parameter += other.parameter;
    }
};

/// A run of parameters in fp32. The sums take blocks of kRuleBlock elements from the run's start, so a longer
/// run may be cut at its multiples.
struct RuleArguments {
    float* parameter = nullptr;
    const float* gradient = nullptr;
    float* states[3] = {};  ///< those that the rule has
    std::int64_t count = 0;
    float gradientFactor = 1;  ///< 1 / loss scale, times the clipping coefficient
    const RuleConstants* constants = nullptr;
    StepSquares* squares = nullptr;  ///< added to
};
inline constexpr std::int64_t kRuleBlock = 1024;

/// Some rows of a parameter matrix, or of some of its columns, in fp32, for a pass of Adafactor. Each pass
/// reads what it needs.
struct AdafactorArguments {
    float* parameter = nullptr;
    const float* gradient = nullptr;
    std::int64_t rows = 0;
    std::int64_t columns = 0;
    std::int64_t stride = 0;              ///< elements from row to row
    float gradientFactor = 1;             ///< see RuleArguments
    const float* rowFactor = nullptr;     ///< 1 / sqrt(row's mean square / mean of those), per row; finite
    const float* columnFactor = nullptr;  ///< 1 / sqrt(column's mean square), per column; finite
    float largestFactor = 0;              ///< bound of their product: 1 / epsilon1
    float rate = 0;                       ///< rate of the whole step
    float keep = 1;                       ///< 1 - learning rate * weight decay
    double* sums = nullptr;               ///< added to: per row, per column, or one; see each pass
    StepSquares* squares = nullptr;       ///< added to
};
/// Columns that columnSquares takes at most.
inline constexpr std::int64_t kAdafactorStripe = 256;

/// Part of Kernels: the optimizers. Denormal numbers count as 0 in them, and only there.
struct OptimizerKernels {
    void (*rules[kRules])(const RuleArguments& run);
    /// Sum of squares of gradients, for their norm.
    double (*squares)(const float* in, std::int64_t count);

    /// sums[row] += sum of squares of the row's gradient; squares: gradient and parameter.
    void (*adafactorRows)(const AdafactorArguments& block);
    /// sums[column] += sum of squares of the column's gradient.
    void (*adafactorColumns)(const AdafactorArguments& block);
    /// sums[0] += sum of squares of the update before it is clipped.
    void (*adafactorNorm)(const AdafactorArguments& block);
    /// Changes the parameters; squares: update.
    void (*adafactorUpdate)(const AdafactorArguments& block);
};

}  // namespace plumb::cpu
