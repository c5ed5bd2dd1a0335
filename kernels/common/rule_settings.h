// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/run_config.h"
#include "kernels/common/rule_constants.h"

#include <cstdint>

namespace plumb::common {

/// What the constants of every step follow from.
[[nodiscard]] RuleSettings ruleSettings(const RunConfig& config);

/// The elementwise rule of `config`'s optimizer. Pre: not Adafactor, which is no such rule.
[[nodiscard]] Rule ruleOf(const RunConfig& config);

/// What is the same for all parameters at step `step` (1-based) with this learning rate; in double precision,
/// as torch.optim computes its scalars.
[[nodiscard]] RuleConstants ruleConstants(const RunConfig& config, double learningRate, std::int64_t step);

[[nodiscard]] AdafactorConstants adafactorConstants(const RunConfig& config, double learningRate,
                                                    std::int64_t step);

}  // namespace plumb::common
