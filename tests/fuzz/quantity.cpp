// SPDX-License-Identifier: Apache-2.0
#include "core/base/quantity.h"

#include "tests/fuzz/support.h"
#include "tests/fuzz/targets.h"

#include <cmath>

namespace plumb::fuzz {

void quantity(std::string_view input) {
    const auto whole = parseSize(input);
    if (isTaken(whole)) {
        require(*whole >= 0, "a size is not negative");
        (void)formatExact(*whole, "B");
        (void)formatQuantity(static_cast<double>(*whole), "B");
    }
    for (const char* unit : {"", "B", "FLOP", "FLOP/s", "B/s", "s", "FLOP/B", "/s", "%", "W", "d", "$"}) {
        const auto value = parseQuantity(input, unit);
        if (!isTaken(value)) continue;
        require(std::isfinite(*value), "a quantity is finite");
        (void)formatQuantity(*value, unit);
        const std::string text = formatEditable(*value, unit);
        const auto again = parseQuantity(text, unit);
        require(again.has_value() && *again == *value, "an editable text is the very number", text);
    }
}

}  // namespace plumb::fuzz
