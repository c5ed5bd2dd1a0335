// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/run_config.h"
#include "kernels/cpu/optimizer_kernels.h"

#include <cstdint>

namespace plumb::cpu {

/// The elementwise rule of `config`'s optimizer. Pre: not Adafactor, which is no such rule.
[[nodiscard]] Rule ruleOf(const RunConfig& config);

/// What is the same for all parameters at step `step` (1-based) with this learning rate; in double precision,
/// as torch.optim computes its scalars.
[[nodiscard]] RuleConstants ruleConstants(const RunConfig& config, double learningRate, std::int64_t step);

/// The same for Adafactor; see torch.optim.Adafactor for the names.
struct AdafactorConstants {
    double meanShare = 1;   ///< of the new mean squares: step ^ beta2-decay
    double rate = 0;        ///< rho: min(learning rate, 1 / sqrt(step)); times the parameters' scale
    double leastScale = 0;  ///< epsilon2
    double epsilon = 0;     ///< epsilon1
    double threshold = 1;   ///< d
    double keep = 1;        ///< 1 - learning rate * weight decay
};
[[nodiscard]] AdafactorConstants adafactorConstants(const RunConfig& config, double learningRate,
                                                    std::int64_t step);

}  // namespace plumb::cpu
