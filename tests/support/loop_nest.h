// SPDX-License-Identifier: Apache-2.0
// Loop nests by their definition: every point, positions worked out anew each time. Oracles walk them.
#pragma once

#include "core/plan/einsum.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace plumb::test {

/// Where the element at `index` stands in a dense tensor with the dimensions `names`, the last one running
/// fastest. `index` may have more dimensions than these.
[[nodiscard]] inline std::size_t positionAt(const std::vector<std::string>& names,
                                            const DimensionSizes& sizes, const DimensionSizes& index) {
    std::int64_t position = 0;
    for (const std::string& name : names)
        position = position * sizes.find(name)->second + index.find(name)->second;
    return static_cast<std::size_t>(position);
}

/// The index whose element stands at `position` of such a tensor: positionAt() the other way round.
[[nodiscard]] inline DimensionSizes indexAt(const std::vector<std::string>& names,
                                            const DimensionSizes& sizes, std::int64_t position) {
    DimensionSizes index;
    for (std::size_t i = names.size(); i-- > 0;) {
        const std::int64_t size = sizes.find(names[i])->second;
        index[names[i]] = position % size;
        position /= size;
    }
    return index;
}

/// Calls visit(at) for every point of the nest over `names`; at(tensor) is the position of the point's
/// element in a tensor with these dimensions.
template <class Visit>
void forEachPoint(const std::vector<std::string>& names, const DimensionSizes& sizes, Visit visit) {
    std::int64_t points = 1;
    for (const std::string& name : names) points *= sizes.find(name)->second;
    for (std::int64_t point = 0; point < points; ++point) {
        const DimensionSizes index = indexAt(names, sizes, point);
        visit([&](const std::vector<std::string>& tensor) { return positionAt(tensor, sizes, index); });
    }
}

}  // namespace plumb::test
