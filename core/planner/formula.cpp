// SPDX-License-Identifier: Apache-2.0
#include "core/planner/formula.h"

#include "core/base/number_style.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace plumb::planner {

namespace {

using Side = std::vector<std::pair<std::string, std::string>>;

std::string joined(const Side& side, bool numbers) {
    std::string text;
    for (const auto& [symbol, number] : side)
        text += (text.empty() ? "" : " · ") + (numbers ? number : symbol);
    return text;
}

std::string quotient(const std::array<Side, 2>& sides, bool numbers) {
    std::string text = sides[1].empty() ? "1" : joined(sides[1], numbers);
    if (sides[0].size() == 1) text += " / " + joined(sides[0], numbers);
    if (sides[0].size() > 1) text += " / (" + joined(sides[0], numbers) + ")";
    return text;
}

/// formatValue(), of which only some numbers are in the style of the process yet.
std::string valueText(double value, std::string_view unit) {
    // Counts and hours of which nobody reads a fraction have their digits in groups.
    constexpr double kGrouped = 1e4, kMost = 1e6;
    if ((unit.empty() || unit == "h") && std::fabs(value) >= kGrouped && std::fabs(value) < kMost)
        return formatExact(static_cast<std::int64_t>(std::llround(value)), unit);
    if (unit.empty()) return formatCount(value);
    if (unit == "1") return fmt::format("{:.1f} %", 100 * value);
    if (unit == "s") return formatDuration(value);
    if (unit == "d") return formatDuration(value * 86400);
    if (unit == "kg" && value >= 1000) return formatQuantity(value / 1000, "t");
    if (unit == "J") return formatQuantity(value / 3600, "Wh");
    if (unit == "FLOP" && value >= 1e18) return fmt::format("{:.3e} FLOP", value);
    if (unit.find('/') != std::string_view::npos && unit != "FLOP/s" && unit != "B/s" && unit != "/s")
        return fmt::format("{:g} {}", value, unit);
    if (unit == "h") return fmt::format("{} h", formatCount(value));
    return formatQuantity(value, unit);
}

/// "$86.5 k", "$12.00", "$2.50/h": the sign stands before the number.
std::string moneyText(double value, std::string_view per) {
    constexpr double kCents = 100, kThousand = 1000;
    std::string number = formatQuantity(value, "");
    if (std::fabs(value) < kThousand) {
        const bool isInCents =
            std::round(value * kCents) == value * kCents || (per.empty() && std::fabs(value) >= 1);
        number = localNumber(isInCents ? fmt::format("{:.2f}", value) : fmt::format("{:.3g}", value));
    }
    return fmt::format("${}{}", number, per);
}

std::string durationText(double seconds) {
    if (seconds < 120) return formatQuantity(seconds, "s");
    if (seconds < 2 * 3600) return fmt::format("{:.1f} min", seconds / 60);
    if (seconds < 2 * 86400) return fmt::format("{:.1f} h", seconds / 3600);
    if (seconds < 1e8) return fmt::format("{:.1f} d", seconds / 86400);
    return fmt::format("{} d", formatCount(std::round(seconds / 86400)));
}

}  // namespace

// In the style of the command line always: names of models have it, and files.
std::string formatCount(double value) {
    if (!std::isfinite(value)) return "–";
    if (std::fabs(value) < 1e6) return fmt::format("{:.6g}", value);
    const int exponent = static_cast<int>(std::floor(std::log10(std::fabs(value)) / 3)) * 3;
    const double mantissa = value / std::pow(10.0, exponent);
    return fmt::format("{:.{}f}e{}", mantissa, mantissa >= 99.95 ? 0 : mantissa >= 9.995 ? 1 : 2, exponent);
}

// localNumber() leaves what is in the style already.
std::string formatDuration(double seconds) {
    return std::isfinite(seconds) ? localNumber(durationText(seconds)) : "–";
}

std::string formatValue(double value, std::string_view unit) {
    return unit.starts_with('$') ? moneyText(value, unit.substr(1)) : localNumber(valueText(value, unit));
}

std::string formatFactor(double value, std::string_view unit) {
    if (unit == "J") return formatQuantity(value, unit);
    std::string shown = formatValue(value, unit);
    if ((unit != "d" && unit != "s") || shown.ends_with(unit)) return shown;
    return localNumber(fmt::format("{:.4g} {}", value, unit));
}

void addTerm(Explanation& explanation, Term term) {
    const auto same = [&](const Term& other) {
        return other.symbol == term.symbol && other.label == term.label;
    };
    if (std::ranges::none_of(explanation.terms, same)) explanation.terms.push_back(std::move(term));
}

void Formula::squareRoot() {
    m_value = std::sqrt(m_value);
    m_root = true;
}

Result<void> Formula::factor(Input input, bool top) {
    if (!explains()) {
        PLUMB_TRY(const double value, numberOf(m_scenario, input));
        m_value = top ? m_value * value : m_value / value;
        return {};
    }
    PLUMB_TRY(const InputValue value, valueOf(m_scenario, input));
    const InputInfo& about = info(input);
    factor(about.symbol, value.range.expected, about.unit, about.label, value.source, top, input);
    return {};
}

Result<void> Formula::timesOnePlus(Input input) {
    PLUMB_TRY(const InputValue value, valueOf(m_scenario, input));
    const InputInfo& about = info(input);
    factor("(1 + " + std::string(about.symbol) + ")", 1 + value.range.expected, "", about.label, value.source,
           true, input);
    return {};
}

void Formula::factor(std::string_view symbol, double value, std::string_view unit, std::string_view label,
                     std::string_view source, bool top, std::optional<Input> input) {
    m_value = top ? m_value * value : m_value / value;
    if (!explains()) return;
    const std::string number = label.empty() ? std::string(symbol) : formatFactor(value, unit);
    m_sides[top ? 1 : 0].emplace_back(std::string(symbol), number);
    if (label.empty()) return;
    addTerm(*m_out,
            {std::string(symbol), std::string(label), value, std::string(unit), std::string(source), input});
}

double Formula::finish(Output output) {
    if (explains()) {
        m_out->formula = quotient(m_sides, false);
        m_out->withNumbers = quotient(m_sides, true);
        if (m_root) {
            m_out->formula = "√(" + m_out->formula + ")";
            m_out->withNumbers = "√(" + m_out->withNumbers + ")";
        }
        const std::string exact = formatFactor(m_value, info(output).unit);
        m_out->withNumbers += " = " + exact;
        if (const std::string shown = formatOutput(output, m_value); shown != exact)
            m_out->withNumbers += " = " + shown;
    }
    return m_value;
}

}  // namespace plumb::planner
