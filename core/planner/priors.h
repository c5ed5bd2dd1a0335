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
/// Where that is from.
[[nodiscard]] std::string priorSource(const Scenario& scenario, Input input);

}  // namespace plumb::planner
