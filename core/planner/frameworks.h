// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/planner/priors.h"

#include <string_view>
#include <vector>

namespace plumb::planner {

/// How a framework trains when nobody says otherwise: a bundle of choices that each can be made alone.
struct Framework {
    std::string_view key;    ///< "torchtitan"
    std::string_view label;  ///< for people
    Software software{};
    std::string_view recipe;  ///< of namedRecipes()
    Sharding sharding{};
    Recompute recompute{};
    LossKernel loss{};
    bool shardsInNode = false;  ///< groups of a node are replicas (HSDP)
    std::string_view source;    ///< where its choices were read
};
[[nodiscard]] const std::vector<Framework>& frameworks();

/// Makes its choices in the scenario; what is chosen later wins. Errors: BadInput for an unknown key, and for
/// the deep linear model, which this program trains itself.
[[nodiscard]] Result<void> chooseFramework(Scenario& scenario, std::string_view key);

}  // namespace plumb::planner
