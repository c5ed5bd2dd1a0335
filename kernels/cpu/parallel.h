// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

namespace plumb::cpu {

/// Elements that are worth a thread of their own. Handing over to a thread that still waits for work costs
/// 1 us, to one that has gone to sleep 30 to 70 us: about as long as so many elements take.
inline constexpr std::int64_t kElementsPerThread = 65536;

/// Parts in which a sum over `elements` is taken, at most `most`: they follow from the work and not from the
/// number of threads, and so do the bits of the sum.
inline std::int64_t fixedParts(std::int64_t elements, std::int64_t most) {
    constexpr std::int64_t kLeastPerPart = 4096;
    return std::clamp<std::int64_t>(elements / kLeastPerPart, 1, most);
}

/// Calls work(begin, end) on parts of [0, count), whose borders are multiples of `unit`, at most one part per
/// thread and at least `leastPerThread` in each. The partition depends on its arguments alone.
template <class Work>
void parallelRanges(int threads, std::int64_t count, std::int64_t unit, std::int64_t leastPerThread,
                    Work&& work) {
    const std::int64_t units = (count + unit - 1) / unit;
    const std::int64_t parts =
        std::clamp<std::int64_t>(count / std::max<std::int64_t>(leastPerThread, 1), 1,
                                 std::min<std::int64_t>(threads, std::max<std::int64_t>(units, 1)));
    const auto border = [&](std::int64_t part) { return std::min(count, units * part / parts * unit); };
    if (parts == 1) {
        if (count > 0) work(std::int64_t{0}, count);
        return;
    }
#pragma omp parallel for num_threads(static_cast <int>(parts)) schedule(static, 1)
    for (std::int64_t part = 0; part < parts; ++part) work(border(part), border(part + 1));
}

}  // namespace plumb::cpu
