// SPDX-License-Identifier: Apache-2.0
#include "core/lab/step_cursor.h"

#include "core/base/ascii.h"
#include "core/base/plain_text.h"

#include <fmt/format.h>

#include <charconv>
#include <string>

namespace plumb::lab {

namespace {

bool isNameStart(char c) { return isLetter(c) || c == '_'; }

}  // namespace

void StepCursor::skipBlanks() {
    while (here() == ' ' || here() == '\t' || here() == '\n') ++m_at;
}

bool StepCursor::take(char c) {
    skipBlanks();
    if (here() != c) return false;
    ++m_at;
    return true;
}

bool StepCursor::atName() const { return isNameStart(here()); }

std::string_view StepCursor::name() {
    const std::size_t begin = m_at;
    while (isNameStart(here()) || isDigit(here())) ++m_at;
    return m_text.substr(begin, m_at - begin);
}

char StepCursor::operatorHere(std::string_view signs) {
    skipBlanks();
    const char sign = here();
    if (signs.find(sign) == std::string_view::npos || sign == '\0' || next() == '=') return '\0';
    return sign == '*' && next() == '*' ? '\0' : sign;
}

bool StepCursor::atNumber() {
    skipBlanks();
    return isDigit(here()) || here() == '-' || here() == '+';
}

Result<std::int64_t> StepCursor::number() {
    skipBlanks();
    const bool plus = here() == '+';
    std::int64_t value = 0;
    const char* begin = m_text.data() + m_at + (plus ? 1 : 0);
    const auto [end, code] = std::from_chars(begin, m_text.data() + m_text.size(), value);
    if (code == std::errc::result_out_of_range) return bad("a number is too large", "use at most 63 bits");
    if (code != std::errc()) return unexpected("a whole number belongs here, such as 2 or -1");
    m_at = static_cast<std::size_t>(end - m_text.data());
    if (here() == '.' || here() == 'e') return bad("a number is not whole", "use whole numbers, such as 2");
    return value;
}

bool StepCursor::atScalar() const {
    const bool sign = here() == '-' || here() == '+';
    return isDigit(sign ? next() : here());
}

Result<double> StepCursor::scalar() {
    skipBlanks();
    if (!atScalar()) return unexpected("a number belongs here, such as 2 or -0.5");
    if (here() == '+') ++m_at;
    double value = 0;
    const auto [end, code] = std::from_chars(m_text.data() + m_at, m_text.data() + m_text.size(), value);
    if (code != std::errc()) return bad("a number is too large or too small", "use one that fp64 holds");
    m_at = static_cast<std::size_t>(end - m_text.data());
    return value;
}

Error StepCursor::bad(std::string_view what, std::string_view hint) const {
    return {ErrorCode::BadInput,
            fmt::format("in the steps \"{:s}\", {} at character {}", m_text, what, m_at + 1),
            std::string(hint)};
}

Error StepCursor::unexpected(std::string_view wanted) const {
    return bad(here() == '\0' ? std::string("something is missing")
                              : fmt::format("'{:s}' is unexpected", firstCharacter(rest())),
               wanted);
}

}  // namespace plumb::lab
