// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

namespace plumb {

/// Threads that a product of so many FLOPs takes of those that a CPU has. A share of a thread is work for
/// about 25 us on a core of 2023: handing over to a thread that still waits for work costs 1 us, to one that
/// has gone to sleep 30 to 70 us. Read by the backend that shares the work and by predictions, whose rates
/// are those of a thread.
[[nodiscard]] inline int threadsForProduct(double flops, int threads) {
    constexpr double kFlopsPerThread = 4e6;
    return static_cast<int>(std::clamp(flops / kFlopsPerThread, 1.0, static_cast<double>(threads)));
}

}  // namespace plumb
