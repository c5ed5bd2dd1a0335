// SPDX-License-Identifier: Apache-2.0
#include "core/base/quantity.h"
#include "core/planner/answer.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace plumb::planner {

namespace {

struct Spelling {
    std::string_view unit;  ///< of the planner
    std::string_view other;
    double factor = 1;  ///< of one `other` in `unit`
};
constexpr double kDay = 86400;
/// Units that answers are shown in, and those that people write. Long ones come before what they end in.
constexpr std::array kSpellings{
    Spelling{"s", "min", 60},
    Spelling{"s", "hours", 3600},
    Spelling{"s", "hour", 3600},
    Spelling{"s", "h", 3600},
    Spelling{"s", "days", kDay},
    Spelling{"s", "day", kDay},
    Spelling{"s", "d", kDay},
    Spelling{"d", "days", 1},
    Spelling{"d", "day", 1},
    Spelling{"d", "min", 60 / kDay},
    Spelling{"d", "hours", 3600 / kDay},
    Spelling{"d", "hour", 3600 / kDay},
    Spelling{"d", "h", 3600 / kDay},
    Spelling{"d", "d", 1},
    Spelling{"d", "s", 1 / kDay},
    Spelling{"h", "hours", 1},
    Spelling{"h", "days", 24},
    Spelling{"h", "d", 24},
    Spelling{"J", "Wh", 3600},
    Spelling{"kg", "kg", 1},
    Spelling{"kg", "t", 1000},
};

}  // namespace

Result<double> parseValue(std::string_view text, std::string_view unit) {
    if (unit == "1") return parseQuantity(text, "%");
    std::string_view plain = text;
    while (!plain.empty() && plain.front() == ' ') plain.remove_prefix(1);
    while (!plain.empty() && plain.back() == ' ') plain.remove_suffix(1);
    for (const Spelling& spelling : kSpellings) {
        if (spelling.unit != unit || !plain.ends_with(spelling.other)) continue;
        // Energies and masses have prefixes: "12.3 MWh", "4.5 kt".
        const auto number = parseQuantity(plain, spelling.other);
        if (!number.has_value()) continue;
        const double value = *number * spelling.factor;
        if (std::isfinite(value)) return value;
        return badInput(fmt::format("\"{}\" is more than a number in {} can be", text, unit),
                        "write a number up to 1.8e308");
    }
    auto number = parseQuantity(plain, unit);
    if (number.has_value()) return number;
    return Error{ErrorCode::BadInput,
                 unit.empty() ? fmt::format("\"{}\" is not a number", text)
                              : fmt::format("\"{}\" is not a number in {}", text, unit),
                 number.error().hint};
}

}  // namespace plumb::planner
