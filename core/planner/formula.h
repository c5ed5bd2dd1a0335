// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/planner/answer.h"

#include <string>
#include <utility>
#include <vector>

namespace plumb::planner {

/// A product and quotient that works itself out and, when asked to, writes down how: value and explanation
/// cannot disagree, since they are made of the same factors.
class Formula {
public:
    /// `out` null: the value alone, without any text.
    Formula(const Scenario& scenario, Explanation* out) : m_scenario(scenario), m_out(out) {}

    /// Errors: those of valueOf().
    [[nodiscard]] Result<void> times(Input input) { return factor(input, true); }
    [[nodiscard]] Result<void> over(Input input) { return factor(input, false); }
    /// Multiplies by 1 and a share that comes on top.
    [[nodiscard]] Result<void> timesOnePlus(Input input);
    /// A number that was worked out elsewhere, or one that is fixed (without label and source).
    void times(std::string_view symbol, double value, std::string_view unit = {}, std::string_view label = {},
               std::string_view source = {}) {
        factor(symbol, value, unit, label, source, true, std::nullopt);
    }
    void over(std::string_view symbol, double value, std::string_view unit = {}, std::string_view label = {},
              std::string_view source = {}) {
        factor(symbol, value, unit, label, source, false, std::nullopt);
    }
    /// Takes the square root of all so far; comes last.
    void squareRoot();
    [[nodiscard]] bool explains() const { return m_out != nullptr; }
    [[nodiscard]] Explanation* explanation() { return m_out; }

    /// The value; writes the texts.
    double finish(Output output);

private:
    Result<void> factor(Input input, bool top);
    void factor(std::string_view symbol, double value, std::string_view unit, std::string_view label,
                std::string_view source, bool top, std::optional<Input> input);

    const Scenario& m_scenario;
    Explanation* m_out;
    double m_value = 1;
    bool m_root = false;
    std::array<std::vector<std::pair<std::string, std::string>>, 2>
        m_sides;  ///< symbol, number: below, above
};

/// A number as it stands in a formula, always in `unit`, whose size the formula reckons with: "1.04 d" where
/// formatValue() says "24.9 h".
[[nodiscard]] std::string formatFactor(double value, std::string_view unit);
/// Adds a term that is not there yet.
void addTerm(Explanation& explanation, Term term);
/// "15.0e12", "70.0e9", "1024": a count for people.
[[nodiscard]] std::string formatCount(double value);
/// "12.3 ms", "4.5 min", "7.2 h", "143.9 d".
[[nodiscard]] std::string formatDuration(double seconds);
}  // namespace plumb::planner
