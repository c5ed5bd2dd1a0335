// SPDX-License-Identifier: Apache-2.0
// Which launch, op, module and phase GPU work belongs to: by correlation and by what encloses what, never by
// "External id" alone, which until 2023 merely repeats the correlation.
#pragma once

#include "core/trace/kernel_category.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace plumb::trace {

inline constexpr std::uint32_t kNone = UINT32_MAX;

enum class TracePhase : std::uint8_t { Forward, Backward, Recompute, Optimizer };

/// A kernel, copy or memset with what it belongs to.
struct GpuWork {
    std::uint32_t slice = 0;
    std::uint32_t launch = kNone;  ///< the call that started it; none where the recording cut it off
    std::uint32_t op = kNone;      ///< the innermost one around the launch
    std::uint32_t module = kNone;  ///< of TraceLinks::modules
    TracePhase phase{};            ///< Forward too where nothing says more
    KernelCategory category{};
    bool communicates = false;
};

/// A module within the one that called it; the same path is one entry, however often it ran.
struct ModuleUse {
    NameId name = 0;  ///< "nn.Module: Linear_3" is the fourth instance of a class, not a path
    std::uint32_t parent = kNone;
    std::int64_t calls = 0;
    Nanoseconds hostTime = 0;      ///< its forward on the host
    Nanoseconds forwardTime = 0;   ///< of GPU work, that of modules within it too
    Nanoseconds backwardTime = 0;  ///< the same, of what its ops left to backward
    std::int64_t work = 0;         ///< pieces of GPU work
};

/// All calls of an op of one name.
struct OpUse {
    NameId name = 0;
    std::int64_t count = 0;
    Nanoseconds hostTime = 0;  ///< with the ops within it
    Nanoseconds selfTime = 0;  ///< without them
    Nanoseconds gpuTime = 0;   ///< of the work that it started itself
};

struct TraceStep {
    std::uint32_t slice = kNone;  ///< "ProfilerStep#3"; none for a step that Optimizer.step ends
    NameId name = 0;
    Nanoseconds begin = 0;
    Nanoseconds duration = 0;
    Nanoseconds windowEnd = 0;  ///< the beginning of the next one; of the last its own end
};

/// An op with what it stands in.
struct OpPlace {
    std::uint32_t slice = 0;
    std::uint32_t around = kNone;  ///< the innermost op around it
    std::uint32_t module = kNone;  ///< of TraceLinks::modules
    TracePhase phase{};
};

struct TraceLinks {
    static constexpr std::size_t kMostModules = 100'000;

    std::vector<GpuWork> work;       ///< by device, stream, begin: in the order of slices
    std::vector<ModuleUse> modules;  ///< callers first
    std::vector<OpPlace> places;    ///< of all ops by track and begin; empty unless LinkOptions asks for them
    std::vector<OpUse> ops;         ///< by time on the host, the longest first
    std::vector<TraceStep> steps;   ///< by begin
    bool stepsAreInferred = false;  ///< there is no ProfilerStep: each ends with an Optimizer.step
    std::int64_t unlaunched = 0;    ///< work whose launch is not in the trace
    std::int64_t duplicateLaunches = 0;
};

struct LinkOptions {
    bool withPlaces = false;  ///< TraceLinks::places too, 16 bytes for each op
};

[[nodiscard]] TraceLinks linkTrace(const Trace& trace, const LinkOptions& options = {});

/// The work that a slice is; null for a slice that is none.
[[nodiscard]] const GpuWork* workOf(const TraceLinks& links, std::uint32_t slice);
/// The step of median length, which stands for all; the shorter of two. None where there are no steps.
[[nodiscard]] std::optional<std::size_t> medianStep(const TraceLinks& links);

}  // namespace plumb::trace
