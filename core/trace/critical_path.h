// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/trace_links.h"

#include <array>
#include <cstdint>
#include <optional>

namespace plumb::trace {

/// What a stretch of the critical path is spent on.
enum class PathClass : std::uint8_t { Host, Launch, KernelGap, Compute, Communication, DataLoading };
inline constexpr std::size_t kPathClasses = static_cast<std::size_t>(PathClass::DataLoading) + 1;
inline constexpr auto kPathClassNames = enumNames<PathClass>({{PathClass::Host, "cpu"},
                                                              {PathClass::Launch, "launch_overhead"},
                                                              {PathClass::KernelGap, "kernel_gap"},
                                                              {PathClass::Compute, "compute"},
                                                              {PathClass::Communication, "communication"},
                                                              {PathClass::DataLoading, "data_loading"}});

/// The longest chain of what waits for each other in one step.
struct CriticalPath {
    Nanoseconds length = 0;
    std::array<Nanoseconds, kPathClasses> by{};  ///< adds up to the length
};

/// Gaps between kernels that are longer are no dependency.
inline constexpr Nanoseconds kLongestKernelGap = 1'500'000;

/// The critical path from `begin` to `end`: of what begins on the host in there and of the GPU work that it
/// launched. Waits are inferred from the names of synchronising calls, so that it is approximate. Empty when
/// there is nothing in the range, or more than 4 million slices.
[[nodiscard]] std::optional<CriticalPath> criticalPath(const Trace& trace, const TraceLinks& links,
                                                       Nanoseconds begin, Nanoseconds end);

}  // namespace plumb::trace
