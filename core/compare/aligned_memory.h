// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/compare/compared_step.h"

#include <array>
#include <string_view>
#include <vector>

namespace plumb {

/// Memory of two steps on one axis, so that one curve can be laid over the other and taken from it.
///
/// Steps with the same ops meet op by op. Others meet where they go forth, back and update: each such part
/// has as many places as the longer of the two has ops, over which the other is stretched. Where even those
/// parts differ, the whole step is one part.
struct AlignedMemory {
    struct Part {
        double from = 0;
        double to = 0;
        std::string_view name;  ///< "forward", "backward", "optimizer", "step"
    };
    std::vector<double> edges;                 ///< increasing; one more than there are values
    std::array<std::vector<double>, 2> bytes;  ///< of the baseline and of the other, between the edges
    std::vector<Part> parts;
    bool isByOp = false;  ///< an edge is an op of both

    [[nodiscard]] bool isEmpty() const { return edges.empty(); }
};

/// Bytes that live during each op: as they were measured where they were, else by the lifetimes of tensors.
[[nodiscard]] std::vector<CategoryBytes> curveOf(const ComparedStep& step);

/// Empty where one of the two has no ops.
[[nodiscard]] AlignedMemory alignMemory(const ComparedStep& baseline, const ComparedStep& other);

}  // namespace plumb
