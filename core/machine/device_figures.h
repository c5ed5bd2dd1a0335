// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/machine/machine.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace plumb {

/// One figure of a data sheet: what it is called, in which unit, and between which bounds it is believed.
/// Forms, tables and the check of imported files all go by this one list.
struct DeviceFigure {
    std::string_view key;      ///< as in the JSON: "memory_bytes", "peak_flop_per_s.bf16"
    std::string_view label;    ///< "Memory"
    std::string_view unit;     ///< "B", "B/s", "FLOP/s", "W"
    std::string_view example;  ///< "80 GB"
    std::string_view help;     ///< what is counted and what is not, one sentence
    double least = 0;
    double most = 0;
};
[[nodiscard]] std::span<const DeviceFigure> deviceFigures();

[[nodiscard]] std::optional<double> figureOf(const Machine& machine, const DeviceFigure& figure);
void setFigure(Machine& machine, const DeviceFigure& figure, std::optional<double> value);

/// The number in `text`; absent for an empty text, since a figure that is not known is left out.
/// Errors: BadInput for what is no number in the unit, and for one outside the bounds.
[[nodiscard]] Result<std::optional<double>> parseFigure(const DeviceFigure& figure, std::string_view text);

/// Something wrong in one field of a data sheet; `key` is that of a figure, "name" or "source".
struct DeviceProblem {
    std::string key;
    Error error;
};
inline constexpr std::size_t kMostNameBytes = 120;
inline constexpr std::size_t kMostSourceBytes = 500;

/// Everything that keeps `machine` from being kept beside `others` (one of the same id is passed over):
/// no name, one that another has, no figure at all, one outside its bounds, text that is too long.
[[nodiscard]] std::vector<DeviceProblem> problemsOf(const Machine& machine,
                                                    const std::vector<Machine>& others);

}  // namespace plumb
