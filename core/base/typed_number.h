// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/number_style.h"
#include "core/base/result.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace plumb {

/// Whether the reader of a field takes a number that is written as plainNumber() writes it.
using TakesNumber = std::function<bool(const std::string& plain)>;

/// The numbers that a text may be, for the reader of its field: one, or both where nobody can tell whether a
/// mark before three digits parts groups or is the decimal one. Which it is follows from the field and the
/// style:
/// - A field of whole numbers takes "2,048" and "2.048" as 2048, and a mark of the style's groups before
///   "000" as well; "2,000" where the comma is the decimal mark is 2 or 2000.
/// - Elsewhere the style's own decimal mark is one, since the style writes numbers so. Beside the point a
///   comma parts groups, as people there type. Beside the comma a point is either: the program's files and
///   its command line have it as the decimal mark.
[[nodiscard]] std::vector<std::string> numberReadings(std::string_view typed, const TakesNumber& isTaken,
                                                      const NumberStyle& style = numberStyle());

/// The one number that it is, as plainNumber() writes it. Errors: BadInput that names both where it may be
/// two.
[[nodiscard]] Result<std::string> oneNumber(std::string_view typed, const TakesNumber& isTaken,
                                            const NumberStyle& style = numberStyle());

/// What `parse` makes of the one number that was typed. Its error speaks of what was typed. Errors: that of
/// oneNumber(), and those of `parse`.
template <class Parse>
auto parseTyped(std::string_view typed, Parse parse) -> decltype(parse(std::string())) {
    PLUMB_TRY(const std::string plain,
              oneNumber(typed, [&](const std::string& number) { return parse(number).has_value(); }));
    auto parsed = parse(plain);
    if (parsed.has_value()) return parsed;
    Error refused = parsed.error();
    const std::string quoted = '"' + plain + '"';
    if (const auto at = refused.message.find(quoted); at != std::string::npos)
        refused.message.replace(at + 1, plain.size(), typed);
    return refused;
}

}  // namespace plumb
