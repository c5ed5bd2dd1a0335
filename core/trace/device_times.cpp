// SPDX-License-Identifier: Apache-2.0
#include "core/trace/device_times.h"

#include "core/trace/union_length.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace plumb::trace {

namespace {

/// Its rank and its device.
std::pair<std::int64_t, std::int64_t> deviceOf(const Trace& trace, const GpuWork& work) {
    const Track& track = trace.tracks[trace.slices.track[work.slice]];
    return {track.rank, track.device};
}

}  // namespace

IdleCause idleCauseOf(const Slices& slices, const GpuWork& work, Nanoseconds gap, Nanoseconds shortGap) {
    if (work.launch == kNone) return IdleCause::Unknown;
    if (slices.begin[work.launch] > slices.begin[work.slice] - gap) return IdleCause::HostWait;
    return gap < shortGap ? IdleCause::KernelWait : IdleCause::Other;
}

std::vector<std::uint32_t> orderOfWork(const Slices& slices, std::span<const GpuWork> device) {
    std::vector<std::uint32_t> order(device.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::uint32_t>(i);
    std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return slices.begin[device[i].slice]; });
    return order;
}

DeviceTimes timesOfDevice(const Slices& slices, std::span<const GpuWork> device,
                          std::span<const std::uint32_t> order, Nanoseconds from, Nanoseconds to,
                          Nanoseconds shortGap) {
    DeviceTimes times;
    UnionLength all;
    UnionLength communicating;
    UnionLength computing;
    UnionLength kernels;
    std::optional<Nanoseconds> covered;  // the end of all work before
    for (const std::uint32_t i : order) {
        const GpuWork& work = device[i];
        const Nanoseconds begin = slices.begin[work.slice];
        const Nanoseconds end = slices.end(work.slice);
        const Nanoseconds before = covered.value_or(std::min(from, begin));
        const Nanoseconds gap = covered ? begin - before : kMostTime;  // before the first work of all
        covered = std::max(before, end);
        const Nanoseconds idle = std::min(begin, to) - std::max(before, from);
        if (idle > 0) {
            Nanoseconds& cause =
                times.idleBy[static_cast<std::size_t>(idleCauseOf(slices, work, gap, shortGap))];
            cause = saturated(cause, idle);
        }
        if (begin >= to) break;  // no gap before a later one reaches into the range
        const Nanoseconds first = std::max(begin, from);
        const Nanoseconds last = std::min(end, to);
        if (last < first) continue;
        all.add(first, last);
        if (slices.category[work.slice] != Category::Kernel) continue;
        (work.communicates ? communicating : computing).add(first, last);
        kernels.add(first, last);
    }
    times.busy = all.length();
    times.idle = to - from - times.busy;
    times.idleAtEnd = std::max<Nanoseconds>(0, to - std::max(covered.value_or(from), from));
    times.communication = communicating.length();
    times.exposedCommunication = kernels.length() - computing.length();
    return times;
}

std::vector<std::span<const GpuWork>> workByDevice(const Trace& trace, std::span<const GpuWork> work) {
    std::vector<std::span<const GpuWork>> devices;
    for (std::size_t first = 0; first < work.size();) {
        std::size_t last = first;
        while (last < work.size() && deviceOf(trace, work[last]) == deviceOf(trace, work[first])) ++last;
        devices.push_back(work.subspan(first, last - first));
        first = last;
    }
    return devices;
}

}  // namespace plumb::trace
