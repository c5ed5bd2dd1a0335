// SPDX-License-Identifier: Apache-2.0
#include "core/machine/device_figures.h"

#include "core/base/ascii.h"
#include "core/base/plain_text.h"
#include "core/base/quantity.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

namespace plumb {
namespace {

// Bounds are a thousand times and more away from anything that was ever built: they catch a wrong prefix.
constexpr double kLeastRate = 1e6;
constexpr double kMostRate = 1e21;
constexpr double kMostBandwidth = 1e18;

constexpr std::string_view kPeakPrefix = "peak_flop_per_s.";
constexpr std::string_view kDense = "Dense: a figure for structured sparsity is twice that. Left out: the "
                                    "device is not used with this format.";

constexpr std::string_view kPlain =
    "Without matrix units. Left out: the device is not used with this format.";

constexpr DeviceFigure peakFigure(std::string_view key, std::string_view label, std::string_view example,
                                  std::string_view help = kDense) {
    return {key, label, "FLOP/s", example, help, kLeastRate, kMostRate};
}

constexpr std::array kFigures{
    DeviceFigure{"memory_bytes", "Memory", "B", "80 GB", "Of one device, as labelled: 1 GB is 10⁹ bytes.",
                 1e6, 1e16},
    DeviceFigure{"bandwidth_bytes_per_s", "Memory bandwidth", "B/s", "3.35 TB/s",
                 "Between the device and its memory, the peak of the data sheet.", kLeastRate,
                 kMostBandwidth},
    peakFigure("peak_flop_per_s.bf16", "Peak bf16", "989.5 TFLOP/s"),
    peakFigure("peak_flop_per_s.fp16", "Peak fp16", "989.5 TFLOP/s"),
    peakFigure("peak_flop_per_s.tf32", "Peak tf32", "494.5 TFLOP/s"),
    peakFigure("peak_flop_per_s.fp32", "Peak fp32", "67 TFLOP/s", kPlain),
    peakFigure("peak_flop_per_s.fp8_e4m3", "Peak fp8", "1.979 PFLOP/s"),
    peakFigure("peak_flop_per_s.fp4_e2m1", "Peak fp4", "9 PFLOP/s"),
    peakFigure("peak_flop_per_s.fp64", "Peak fp64", "34 TFLOP/s", kPlain),
    DeviceFigure{"link_bytes_per_s", "Links to other devices", "B/s", "450 GB/s",
                 "To those of the node, all links together, in one direction: half of what vendors quote.",
                 1e3, kMostBandwidth},
    DeviceFigure{"power_w", "Power", "W", "700 W", "Of the board or module, as labelled.", 0.1, 1e7},
    DeviceFigure{"dollars_per_hour", "Price of an hour", "$/h", "$2.5/h",
                 "Of one device, as you pay it. Left out: the planner assumes a range.", 1e-4, 1e6},
};

Error outside(const DeviceFigure& figure, double value) {
    return Error{ErrorCode::BadInput,
                 std::string(figure.label) + " is not believable (" + formatQuantity(value, figure.unit) +
                     ")",
                 "give a value from " + formatEditable(figure.least, figure.unit) + " to " +
                     formatEditable(figure.most, figure.unit)};
}

bool isInside(const DeviceFigure& figure, double value) {
    return value >= figure.least && value <= figure.most;
}

/// One line that is shown everywhere as it is: in UTF-8, without control characters (those of ISO 6429 as
/// well, which begin sequences like ESC), and without what turns the direction of text or cannot be seen.
bool isPlain(std::string_view text) { return plainLine(text, text.size()) == text; }

}  // namespace

std::span<const DeviceFigure> deviceFigures() { return kFigures; }

std::optional<double> figureOf(const Machine& machine, const DeviceFigure& figure) {
    if (figure.key.starts_with(kPeakPrefix)) {
        const auto dtype = dtypeFromName(figure.key.substr(kPeakPrefix.size()));
        return dtype ? machine.peak(*dtype) : std::nullopt;
    }
    if (figure.key == "memory_bytes")
        return machine.memoryBytes ? std::optional(static_cast<double>(*machine.memoryBytes)) : std::nullopt;
    if (figure.key == "bandwidth_bytes_per_s") return machine.bandwidthBytesPerSecond;
    if (figure.key == "link_bytes_per_s") return machine.linkBytesPerSecond;
    if (figure.key == "dollars_per_hour") return machine.dollarsPerHour;
    return machine.powerWatts;
}

void setFigure(Machine& machine, const DeviceFigure& figure, std::optional<double> value) {
    if (figure.key.starts_with(kPeakPrefix)) {
        const auto dtype = dtypeFromName(figure.key.substr(kPeakPrefix.size()));
        auto& peaks = machine.peakFlopPerSecond;
        std::erase_if(peaks, [&](const auto& peak) { return peak.first == dtype; });
        if (value && dtype) peaks.emplace_back(*dtype, *value);
        std::sort(peaks.begin(), peaks.end());
        return;
    }
    if (figure.key == "memory_bytes")
        machine.memoryBytes = value ? std::optional(static_cast<Bytes>(std::llround(*value))) : std::nullopt;
    else if (figure.key == "bandwidth_bytes_per_s")
        machine.bandwidthBytesPerSecond = value;
    else if (figure.key == "link_bytes_per_s")
        machine.linkBytesPerSecond = value;
    else if (figure.key == "dollars_per_hour")
        machine.dollarsPerHour = value;
    else
        machine.powerWatts = value;
}

Result<std::optional<double>> parseFigure(const DeviceFigure& figure, std::string_view text) {
    if (text.find_first_not_of(" \t") == std::string_view::npos) return std::optional<double>();
    PLUMB_TRY(const double value, parseQuantity(text, figure.unit));
    if (!isInside(figure, value)) return outside(figure, value);
    return std::optional(value);
}

std::vector<DeviceProblem> problemsOf(const Machine& machine, const std::vector<Machine>& others) {
    std::vector<DeviceProblem> problems;
    const auto add = [&](std::string_view key, const std::string& what, const char* hint) {
        problems.push_back({std::string(key), Error{ErrorCode::BadInput, what, hint}});
    };
    if (machine.name.find_first_not_of(' ') == std::string::npos)
        add("name", "the device has no name", "give it one");
    else if (machine.name.size() > kMostNameBytes || !isPlain(machine.name))
        add("name", "the name is too long or has characters that cannot be seen",
            "give a line of at most 120 bytes of plain text");
    for (const Machine& other : others)
        if (other.id != machine.id &&
            (sameLetters(other.name, machine.name) || sameLetters(other.id, machine.name)))
            add("name", "there is already a device called '" + other.name + "'", "choose another name");
    if (machine.linkName.size() > kMostNameBytes || !isPlain(machine.linkName))
        add("link_bytes_per_s", "the name of the link is too long or has characters that cannot be seen",
            "give a line of at most 120 bytes of plain text");
    if (machine.source.size() > kMostSourceBytes || !isPlain(machine.source))
        add("source", "the source is too long or has characters that cannot be seen",
            "give a line of at most 500 bytes of plain text");
    bool any = false;
    for (const DeviceFigure& figure : kFigures) {
        const auto value = figureOf(machine, figure);
        any = any || value.has_value();
        if (value && !isInside(figure, *value))
            problems.push_back({std::string(figure.key), outside(figure, *value)});
    }
    if (!any) add("memory_bytes", "the device has no figure at all", "give at least one");
    return problems;
}

}  // namespace plumb
