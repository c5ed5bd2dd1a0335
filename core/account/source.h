// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace plumb {

/// Where a number came from. Absent numbers have no source.
enum class Source : std::uint8_t {
    Predicted,  ///< the plan and the machine's ceilings
    Clock,      ///< a clock read around the work, after waiting for it
    Allocator,  ///< an allocator that counts what it hands out
    Counter,    ///< a hardware counter
    Event,      ///< events that the device itself stamps
    Activity,   ///< the driver's records of kernels and copies
};
inline constexpr std::array kAllSources{Source::Predicted, Source::Clock, Source::Allocator,
                                        Source::Counter,   Source::Event, Source::Activity};

/// As files call it: "predicted", "clock".
[[nodiscard]] std::string_view sourceName(Source source);

}  // namespace plumb
