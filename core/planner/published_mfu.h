// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/planner/scenario.h"

#include <optional>
#include <string>

namespace plumb::planner {

/// Model FLOPs utilisation that published trainings like this one reached.
struct TypicalMfu {
    Range range;         ///< mean, and the ends between which eight of ten would lie, of logarithms
    std::string source;  ///< "the mean of 40 published trainings (...)"
};

/// Of the trainings whose use is "fit" (docs/evidence.md) on devices of the same generation, in the same
/// format and with experts or without, each weighing by how near it is in size. Where these are few, those of
/// other devices as well, and then those with experts or without. Empty where parameters or device are not
/// known.
[[nodiscard]] std::optional<TypicalMfu> typicalMfu(const Scenario& scenario);

/// What the published training of the transformer nearest in size reached, on devices of the same generation
/// where there are any, with its source: "published, ...". Empty for models that are no transformers.
[[nodiscard]] std::string publishedMfuText(const Scenario& scenario);

}  // namespace plumb::planner
