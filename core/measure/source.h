// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/enum_names.h"

#include <array>
#include <cstdint>
#include <string_view>

namespace plumb {

/// Where a number came from. Absent numbers have no source.
enum class Source : std::uint8_t {
    Predicted,
    Clock,      ///< the host's clock around an op, with the device idle before and after
    Allocator,  ///< bytes that were really handed out
    Counter,    ///< hardware counters
    Event,      ///< events on the device's own clock, around work that waited for nothing of the host
    Activity    ///< the driver's records of kernels, copies and memory
};
inline constexpr std::array kAllSources{Source::Predicted, Source::Clock, Source::Allocator,
                                        Source::Counter,   Source::Event, Source::Activity};
inline constexpr auto kSourceNames = enumNames<Source>({{Source::Predicted, "predicted"},
                                                        {Source::Clock, "clock"},
                                                        {Source::Allocator, "allocator"},
                                                        {Source::Counter, "counter"},
                                                        {Source::Event, "event"},
                                                        {Source::Activity, "activity"}});
[[nodiscard]] constexpr std::string_view sourceName(Source value) { return kSourceNames.name(value); }

}  // namespace plumb
