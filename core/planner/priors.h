// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/planner/scenario.h"

#include <optional>
#include <string>

namespace plumb::planner {

/// Families of devices whose kernels are alike, as far as the priors tell them apart.
enum class Generation : std::uint8_t {
    Volta,
    Ampere,
    Ada,
    Hopper,
    Blackwell,
    Instinct,
    Tpu,
    TpuWide,  ///< from v6e on: matrix units of 256 x 256
    Trainium,
    Other
};
constexpr Generation lastOf(Generation /*type*/) { return Generation::Other; }
[[nodiscard]] Generation generationOf(const Machine& machine);

/// What an assumption is before anybody knows more than the device and the software: fitted on the published
/// trainings whose use is "fit" (docs/evidence.md), by tests/core/planner/fit_priors.py.
/// Empty: the standard of the table of inputs.
[[nodiscard]] std::optional<Range> priorOf(const Scenario& scenario, Input input);
/// What the loss makes of the logits, which are the largest tensor of many steps.
enum class LossKernel : std::uint8_t {
    Plain,     ///< PyTorch's cross-entropy of logits in fp32, an operation after the other
    Compiled,  ///< the same as one compiled function
    InPlace,   ///< kernels of Megatron-Core, which overwrite one fp32 copy
};
constexpr LossKernel lastOf(LossKernel /*type*/) { return LossKernel::InPlace; }
[[nodiscard]] std::string_view name(LossKernel kernel);  ///< "plain", "compiled", "in-place"
/// The loss that trainings with this software have, unless somebody chose another.
[[nodiscard]] LossKernel usualLoss(Software software);
/// Bytes per logit at its fullest moment.
[[nodiscard]] Range bytesOfLogits(LossKernel kernel, std::int64_t tensor);

/// Where that is from.
[[nodiscard]] std::string priorSource(const Scenario& scenario, Input input);

}  // namespace plumb::planner
