// SPDX-License-Identifier: Apache-2.0
// Figures of a trace, each as docs/trace.md defines it. Times are sums or unions of half-open intervals.
#pragma once

#include "core/trace/device_times.h"
#include "core/trace/trace_links.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace plumb::trace {

struct StreamFigures {
    std::int64_t stream = -1;
    std::int64_t kernels = 0;
    Nanoseconds busy = 0;
    IdleTimes idle{};  ///< between its first and its last work
    std::int64_t longestQueue = 0;
    double meanQueue = 0;  ///< over time, from its first launch to its last end
};

/// Sums over pieces of GPU work.
struct WorkSum {
    std::int64_t count = 0;
    Nanoseconds time = 0;
    void add(Nanoseconds duration) {
        ++count;
        time = saturated(time, duration);
    }
};

struct KernelSum {
    NameId name = 0;
    KernelCategory category{};
    WorkSum sum;
};

inline constexpr std::size_t kQueueParts = 240;

struct DeviceFigures {
    std::int64_t id = -1;
    std::int64_t rank = -1;  ///< of a trace of several ranks; -1: of one
    std::string name;
    std::int64_t kernels = 0;
    std::int64_t copies = 0;
    std::int64_t memsets = 0;
    Nanoseconds begin = 0;  ///< of the first work
    Nanoseconds end = 0;    ///< of the last
    Nanoseconds busy = 0;   ///< length of the union of all work
    Nanoseconds idle = 0;   ///< end - begin - busy
    IdleTimes idleBy{};     ///< adds up to idle
    std::vector<StreamFigures> streams;
    /// The longest queue of any stream in each of kQueueParts equal parts of begin to end; empty where no
    /// launch is in the trace.
    std::vector<std::int64_t> queueDepths;
    Nanoseconds communication = 0;         ///< union of kernels that communicate
    Nanoseconds exposedCommunication = 0;  ///< the part of it in which no other kernel runs
    Nanoseconds kernelTime = 0;            ///< sum of all kernels
    Nanoseconds tensorCoreTime = 0;        ///< of those whose name says that they use tensor cores
    std::int64_t shortKernels = 0;         ///< kernels that take less time than their launches
    std::int64_t launched = 0;             ///< work whose launch is in the trace
    Nanoseconds medianLatency = 0;  ///< from the end of a launch to the beginning of its work, at least 0
    Nanoseconds p90Latency = 0;
    Nanoseconds longestLatency = 0;

    /// The share of communication behind which other kernels run; empty where none communicates.
    [[nodiscard]] std::optional<double> overlap() const;
    /// Busy for less than 80 % of its window, and most of the rest spent waiting for launches.
    [[nodiscard]] bool isHostBound() const;
};

struct StepFigures {
    TraceStep step;
    Nanoseconds busy = 0;  ///< of the first device, in the step's window
    Nanoseconds idle = 0;
    std::optional<Nanoseconds>
        gpuDuration;  ///< from the end of the last work of the step before to that of its own
};

struct TraceOverview {
    std::vector<StepFigures> steps;
    bool stepsAreInferred = false;
    std::vector<DeviceFigures> devices;  ///< by number; what has no number is device -1
    std::array<WorkSum, kKernelCategories> categories{};
    std::vector<KernelSum> kernels;  ///< all names of kernels, the longest time first
    std::vector<OpUse> ops;
    std::vector<ModuleUse> modules;
    std::int64_t unlaunched = 0;
    std::int64_t duplicateLaunches = 0;
    Nanoseconds begin = 0;  ///< of the first slice
    Nanoseconds end = 0;    ///< of the last
};

struct OverviewOptions {
    Nanoseconds shortGap = kShortGap;
};

[[nodiscard]] TraceOverview overviewOf(const Trace& trace, TraceLinks links,
                                       const OverviewOptions& options = {});

}  // namespace plumb::trace
