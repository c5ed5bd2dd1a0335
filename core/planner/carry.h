// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/planner/scenario.h"

#include <cstdint>
#include <string_view>

namespace plumb::planner {

/// How far what is asked lies from what was measured, the nearest first: how much of a measurement can be
/// carried there.
enum class Carry : std::uint8_t {
    Nothing,   ///< it says nothing of it: the deep linear model and a transformer
    Same,      ///< the very scenario
    Batch,     ///< other batch or micro-batch
    Layout,    ///< other number of devices, layout or recomputation
    Sequence,  ///< other length of a sequence
    Model,     ///< other model or number format
    Device,    ///< other device or software
};
constexpr Carry lastOf(Carry /*type*/) { return Carry::Device; }
[[nodiscard]] std::string_view name(Carry carry);      ///< "batch"; in files
[[nodiscard]] std::string_view describe(Carry carry);  ///< "carried to another batch"
[[nodiscard]] Carry carryOf(const Scenario& measured, const Scenario& asked);

/// How a measurement is carried: the share of ln(measured / predicted) that holds there as well, and the
/// ends of what is left open, as multiples of the time. Fitted on pairs of published trainings of the sources
/// that priors are fitted on, by `plan validate --carry` (docs/evidence.md).
struct CarryRule {
    double share = 1;
    double low = 1;
    double high = 1;
};
[[nodiscard]] CarryRule ruleOf(Carry carry);

}  // namespace plumb::planner
