// SPDX-License-Identifier: Apache-2.0
#include "core/lab/format_text.h"
#include "tests/fuzz/support.h"
#include "tests/fuzz/targets.h"

#include <cmath>

namespace plumb::fuzz {
namespace {

void checkCode(const NumberFormat& format, std::string_view text) {
    using namespace lab;
    const auto code = parseCode(format, text);
    if (!isTaken(code)) return;
    const double value = valueOf(format, *code);
    (void)bitsText(format, *code);
    (void)codeText(format, *code);
    (void)exactText(value);
    if (!std::isfinite(value)) return;
    const StoredNumber stored = store(format, value);
    require(stored.value == value, "a value of the format is stored as it is", text);
    require(stored.fate == Fate::Exact || stored.fate == Fate::Subnormal, "and exactly", text);
}

void checkNumber(const NumberFormat& format, double number) {
    using namespace lab;
    for (const Overflow overflow : {Overflow::Infinity, Overflow::NotANumber, Overflow::Saturate}) {
        const StoredNumber stored = store(format, number, overflow);
        (void)fateName(stored.fate);
        (void)numberText(stored.value);
        (void)exactText(stored.value);
        if (stored.below && stored.above) require(*stored.below <= *stored.above, "neighbours are in order");
    }
}

}  // namespace

void number_format(std::string_view input) {
    using namespace lab;
    const auto all = lines(input);
    const std::string_view text = all.size() > 1 ? all[1] : all.front();
    const auto named = findFormat(all.front());
    const auto number = parseNumber(text);
    const auto check = [&](const NumberFormat& format) {
        checkCode(format, text);
        if (isTaken(number)) checkNumber(format, *number);
    };
    if (isTaken(named))
        check(*named);
    else
        for (const NumberFormat& format : numberFormats()) check(format);
    if (number.has_value() && std::isfinite(*number))
        require(parseNumber(numberText(*number)).has_value(), "a number's text is read", numberText(*number));
}

}  // namespace plumb::fuzz
