// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/step.h"

#include <cstdint>
#include <string>
#include <vector>

namespace plumb {

/// Ops one after the other that belong to one module.
struct ModuleSpan {
    std::string path;        ///< "transformer.h.0"
    std::string label;       ///< what tells it from the others: "h.0"
    std::int32_t begin = 0;  ///< its first op ...
    std::int32_t end = 0;    ///< ... and one past its last
    bool operator==(const ModuleSpan&) const = default;
};

/// The stretches of a step's forward and backward pass by module. A module that has more than half of the ops
/// is told apart by its children, so that the layers of a model appear and not the model. Updates belong to
/// parameters in any order and have no stretch. Empty where there are no modules, and where there would be so
/// many stretches that none could be read.
[[nodiscard]] std::vector<ModuleSpan> moduleSpans(const Step& step);

}  // namespace plumb
