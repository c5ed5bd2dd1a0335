// SPDX-License-Identifier: Apache-2.0
#include "core/trace/range_sums.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace plumb::trace {

RangeSums sumsOfRange(const Trace& trace, std::span<const GpuWork> work, Nanoseconds from, Nanoseconds to) {
    RangeSums sums;
    std::vector<std::pair<Nanoseconds, Nanoseconds>> parts;
    for (const GpuWork& piece : work) {
        const Nanoseconds begin = trace.slices.begin[piece.slice];
        const Nanoseconds end = trace.slices.end(piece.slice);
        if (begin >= to || (begin == end ? end < from : end <= from)) continue;
        const std::pair part(std::max(begin, from), std::min(end, to));
        sums.all.add(part.second - part.first);
        sums.categories[static_cast<std::size_t>(piece.category)].add(part.second - part.first);
        parts.push_back(part);
    }
    std::ranges::sort(parts);
    Nanoseconds covered = from;
    for (const auto& [begin, end] : parts) {
        sums.busy += std::max<Nanoseconds>(0, end - std::max(begin, covered));
        covered = std::max(covered, end);
    }
    return sums;
}

}  // namespace plumb::trace
