// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/quantity.h"
#include "core/snapshot/snapshot.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

namespace plumb::cli {

/// What stands where a number is not known.
inline constexpr std::string_view kUnknown = "–";

template <class Number>
[[nodiscard]] std::string quantity(const std::optional<Number>& value, std::string_view unit) {
    return value ? formatQuantity(static_cast<double>(*value), unit) : std::string(kUnknown);
}

/// "+3.8 %", "12.3 ×" from ten times on; "exact" when both are the same whole number.
template <class Number>
[[nodiscard]] std::string difference(const std::optional<Number>& predicted,
                                     const std::optional<Number>& measured) {
    if (!predicted || !measured || *predicted == Number{}) return std::string(kUnknown);
    if (std::is_integral_v<Number> && *predicted == *measured) return "exact";
    const double ratio = static_cast<double>(*measured) / static_cast<double>(*predicted);
    if (ratio >= 10) return fmt::format("{:.3g} ×", ratio);
    return fmt::format("{:+.1f} %", (ratio - 1.0) * 100.0);
}

/// "8.1 ms to 20 ms".
[[nodiscard]] std::string spread(const std::optional<Spread>& seconds);
/// What a reading is and how well founded: "predicted, calibrated".
[[nodiscard]] std::string tierHead(const Reading& predicted);

/// The step by phase. Pre: the snapshot has a prediction.
[[nodiscard]] std::string phaseTable(const Snapshot& snapshot);
/// Its longest ops, by measured or else predicted time, or else FLOPs. Pre: the snapshot has a prediction.
[[nodiscard]] std::string opTable(const Snapshot& snapshot);

/// Its largest collectives: own time and bus bandwidth (busBandwidth()), and what of it the step waited for
/// them. Empty where there are none. Pre: the snapshot has a prediction.
[[nodiscard]] std::string collectiveTable(const Snapshot& snapshot);

/// How the matrix library computed the products of what was measured; empty where there are none.
[[nodiscard]] std::string productTable(const Reading& measured);

/// Median over the ops of |measured / predicted - 1|; empty when no op has both.
[[nodiscard]] std::optional<double> medianError(const Snapshot& snapshot);

}  // namespace plumb::cli
