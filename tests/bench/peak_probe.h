// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace plumb::bench {

/// What the processor can do at best, measured on the spot: the yardstick of the step times.
struct Peaks {
    double fmaFlopPerSecond = 0;   ///< fp32 multiply-adds in registers, widest vectors, all threads
    double gemmFlopPerSecond = 0;  ///< best fp32 product of `kGemmSize` cubed, of the backend's three kinds
};
inline constexpr std::int64_t kGemmSize = 2048;

/// Seconds of a clock that goes on while the processor works for this process.
using Stopwatch = double (*)();
[[nodiscard]] double wallSeconds();
[[nodiscard]] double processorSeconds();  ///< of all threads of this process together

/// Takes about a second on `threads` threads; processor time means something with one thread only.
[[nodiscard]] Peaks measurePeaks(int threads, Stopwatch now);

}  // namespace plumb::bench
