// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/enum_names.h"
#include "core/base/quantity.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace plumb {

/// How well founded a figure is, the best first. Every time that is shown says its tier beside it:
///
///   const Totals& totals = reading.totals;                // of a prediction or a measurement
///   tierName(*totals.tier)                                // "calibrated", wherever seconds are known
///   totals.spread                                         // [low, high] of the seconds, where they are
///   known reading.ops[i].tier, reading.ops[i].spread            // the same of an op
///   tierMeaning(*totals.tier)                             // one sentence, for a tooltip or a legend
enum class Tier : std::uint8_t {
    Measured,    ///< it ran
    Calibrated,  ///< from what calibration measured on this very machine
    Published,   ///< the data sheet's ceilings at what public measurements on such a device reached
    DataSheet    ///< the data sheet's ceilings at what devices reach in general: an assumption
};
/// "measured", "calibrated", "published", "data sheet"; in files too.
inline constexpr auto kTierNames = enumNames<Tier>({{Tier::Measured, "measured"},
                                                    {Tier::Calibrated, "calibrated"},
                                                    {Tier::Published, "published"},
                                                    {Tier::DataSheet, "data sheet"}});
[[nodiscard]] constexpr std::string_view tierName(Tier value) { return kTierNames.name(value); }
/// What the seconds and their spread are at this tier, one sentence.
[[nodiscard]] std::string_view tierMeaning(Tier tier);

/// Where seconds lie. Of a measurement: 10 % and 90 % of its repeats. Of a prediction on a calibrated
/// machine: what its past errors make likely (90 % of the checked steps). Of one from a data sheet: the
/// sheet's own bound, which nothing undercuts, and what a poor implementation takes.
struct Spread {
    Seconds low = 0;
    Seconds high = 0;
    bool operator==(const Spread&) const = default;
};

/// What is predicted of a measurement when the errors |predicted - measured| / measured are at most
/// `error`; without an upper end where such errors do not give one (from 90 % on, the end of 90 % is taken).
[[nodiscard]] Spread spreadOfError(Seconds predicted, double error);

}  // namespace plumb
