// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/planner/scenario.h"

namespace plumb::planner {

/// The number of a layout that this input is; null for the inputs that are none.
template <class AnyLayout>
[[nodiscard]] auto degreeField(AnyLayout& layout, Input input) -> decltype(&layout.tensor) {
    switch (input) {
    case Input::Tensor:
        return &layout.tensor;
    case Input::Pipeline:
        return &layout.pipeline;
    case Input::Chunks:
        return &layout.chunks;
    case Input::Context:
        return &layout.context;
    case Input::Expert:
        return &layout.expert;
    case Input::ShardGroup:
        return &layout.shardGroup;
    default:
        return nullptr;
    }
}

}  // namespace plumb::planner
