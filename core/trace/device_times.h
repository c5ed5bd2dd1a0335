// SPDX-License-Identifier: Apache-2.0
// Busy and idle time of one device between two points of time, each as docs/trace.md defines it.
#pragma once

#include "core/trace/trace_links.h"

#include <array>
#include <span>
#include <vector>

namespace plumb::trace {

/// Why a stream or device had nothing to do before a piece of work.
enum class IdleCause : std::uint8_t {
    HostWait,    ///< its launch began only after the work before had ended
    KernelWait,  ///< it was launched in time, and the gap is short: what the device needs between two kernels
    Other,       ///< it was launched in time, and waited for longer: for another stream, say
    Unknown      ///< its launch is not in the trace
};
inline constexpr std::size_t kIdleCauses = static_cast<std::size_t>(IdleCause::Unknown) + 1;
inline constexpr auto kIdleCauseNames = enumNames<IdleCause>({{IdleCause::HostWait, "host_wait"},
                                                              {IdleCause::KernelWait, "kernel_wait"},
                                                              {IdleCause::Other, "other"},
                                                              {IdleCause::Unknown, "unknown"}});
using IdleTimes = std::array<Nanoseconds, kIdleCauses>;

/// A gap below it is what the device needs between two kernels.
inline constexpr Nanoseconds kShortGap = 5'000;

/// Why there was nothing to do for `gap` before a piece of work.
[[nodiscard]] IdleCause idleCauseOf(const Slices& slices, const GpuWork& work, Nanoseconds gap,
                                    Nanoseconds shortGap);

struct DeviceTimes {
    Nanoseconds busy = 0;           ///< length of the union of all work
    Nanoseconds idle = 0;           ///< the rest
    IdleTimes idleBy{};             ///< by the work that ends each gap
    Nanoseconds idleAtEnd = 0;      ///< behind the last work of the trace; with idleBy it adds up to idle
    Nanoseconds communication = 0;  ///< union of kernels that communicate
    Nanoseconds exposedCommunication = 0;  ///< the part of it in which no other kernel runs
};

/// Numbers of the device's pieces of work in the order of their beginnings.
[[nodiscard]] std::vector<std::uint32_t> orderOfWork(const Slices& slices, std::span<const GpuWork> device);
/// Times of all work of one device within [from, to). A gap that the range cuts counts with what lies in it,
/// by the cause that the whole of it has.
[[nodiscard]] DeviceTimes timesOfDevice(const Slices& slices, std::span<const GpuWork> device,
                                        std::span<const std::uint32_t> order, Nanoseconds from,
                                        Nanoseconds to, Nanoseconds shortGap = kShortGap);

/// The work of each device by itself, in the order of TraceLinks::work.
[[nodiscard]] std::vector<std::span<const GpuWork>> workByDevice(const Trace& trace,
                                                                 std::span<const GpuWork> work);

}  // namespace plumb::trace
