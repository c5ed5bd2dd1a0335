// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/planner/recipe.h"

#include <array>
#include <string_view>

namespace plumb::planner {

/// What choices that are no numbers mean, for the command line and the window.
inline constexpr std::string_view kFrameworkHelp =
    "how it trains by itself: software, recipe, ZeRO, recomputation and loss, which other options override";
inline constexpr std::string_view kRecomputeHelp =
    "activations that are worked out again: attention scores, passes between products, every second product "
    "as well (torchtitan's selective op), whole layers";
inline constexpr std::string_view kRecomputeAgainHelp =
    "with per-op: results of products that are worked out again too, or not kept";
inline constexpr std::string_view kOffloadHelp = "what lies in the host's memory, any of the three";

/// One of the things that can lie in the host's memory.
struct OffloadPart {
    std::string_view name;  ///< of setOffload()
    bool Offload::*chosen;
    std::string_view help;
};
inline constexpr std::array kOffloadParts{
    OffloadPart{"optimizer", &Offload::optimizer, "states and master copy, which the host updates"},
    OffloadPart{"parameters", &Offload::parameters,
                "the device's own weights, but for two layers and both ends"},
    OffloadPart{"activations", &Offload::activations,
                "what the layers keep for the backward pass, but for two of them"}};

}  // namespace plumb::planner
