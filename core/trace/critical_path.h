// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/trace_links.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

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

/// A part of the critical path: what runs then, or what is waited for.
struct PathStretch {
    Nanoseconds begin = 0;
    Nanoseconds end = 0;
    std::uint32_t slice = 0;  ///< on the host the innermost one around; of a launch or gap the one that waits
    PathClass kind{};
};

/// The longest chain of what waits for each other in one step.
struct CriticalPath {
    Nanoseconds length = 0;
    std::array<Nanoseconds, kPathClasses> by{};  ///< adds up to the length
    std::vector<PathStretch> stretches;          ///< by begin, without overlaps; they add up to the length
};

/// Gaps between kernels that are longer are no dependency.
inline constexpr Nanoseconds kLongestKernelGap = 1'500'000;

/// The critical path from `begin` to `end`: of what begins on the host in there and of the GPU work that it
/// launched. Waits are inferred from the names of synchronising calls, so that it is approximate. Empty when
/// there is nothing in the range, or more than 4 million slices. Takes about 60 bytes for each slice of the
/// range while it works.
[[nodiscard]] std::optional<CriticalPath> criticalPath(const Trace& trace, const TraceLinks& links,
                                                       Nanoseconds begin, Nanoseconds end);

/// All stretches of a path of one class and of slices of one name.
struct PathSum {
    NameId name = 0;
    PathClass kind{};
    std::int64_t count = 0;
    Nanoseconds time = 0;
    std::uint32_t longest = 0;  ///< the slice of the longest of them
};

/// What the path is spent on, the longest time first.
[[nodiscard]] std::vector<PathSum> sumsOfPath(const Trace& trace, const CriticalPath& path);

}  // namespace plumb::trace
