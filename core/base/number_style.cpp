// SPDX-License-Identifier: Apache-2.0
#include "core/base/number_style.h"

#include "core/base/ascii.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <iterator>
#include <list>
#include <mutex>
#include <utility>

namespace plumb {
namespace {

/// Formats that were in force: whoever reads one may go on with it.
class StylesInForce {
public:
    [[nodiscard]] const NumberStyle& now() const { return *m_now.load(); }
    void set(const NumberStyle& style) {
        const std::scoped_lock lock(m_mutex);
        if (style == *m_now.load()) return;
        m_now.store(&m_all.emplace_back(style));
    }

private:
    std::mutex m_mutex;
    std::list<NumberStyle> m_all{NumberStyle{}};
    std::atomic<const NumberStyle*> m_now{&m_all.front()};
};

StylesInForce& stylesInForce() {
    static StylesInForce styles;
    return styles;
}

/// Spellings of one mark; each becomes the first.
constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kSpellingsOfMarks{{{"\u2212", "-"},
                                                                                          {"\u2013", "-"},
                                                                                          {"\uff0d", "-"},
                                                                                          {"\uff0b", "+"},
                                                                                          {"\uff0c", ","},
                                                                                          {"\uff0e", "."},
                                                                                          {"\u3002", "."},
                                                                                          {"\u066b", ","},
                                                                                          {"\uff05", "%"}}};
/// Blanks that part groups; and the apostrophes of Switzerland.
constexpr std::array<std::string_view, 7> kBlanks{" ", "\u00a0", "\u2009", "\u202f", "\u3000", "'", "\u2019"};

constexpr std::size_t kWideLength = 3;  ///< bytes of a wide character

/// The digit or letter that a text begins with in its wide form, as input methods of Chinese write it; 0:
/// none.
char narrowOf(std::string_view text) {
    if (text.size() < kWideLength) return '\0';
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    // U+FF01 to U+FF5E are ASCII, 0xFEE0 further on.
    const unsigned code = ((byte(0) & 0xFU) << 12U) | ((byte(1) & 0x3FU) << 6U) | (byte(2) & 0x3FU);
    const bool isWide = byte(0) == 0xEF && code > 0xFF00 && code < 0xFF5F;
    const char narrow = isWide ? static_cast<char>(code - 0xFEE0) : '\0';
    return isDigit(narrow) || isLetter(narrow) ? narrow : '\0';
}

/// Wide digits and letters as narrow ones, marks in one spelling and group blanks as ' '.
std::string withoutSpellings(std::string_view typed) {
    std::string result;
    for (std::size_t i = 0; i < typed.size();) {
        const std::string_view rest = typed.substr(i);
        const auto mark = std::ranges::find_if(kSpellingsOfMarks,
                                               [&](const auto& one) { return rest.starts_with(one.first); });
        const auto blank =
            std::ranges::find_if(kBlanks, [&](std::string_view one) { return rest.starts_with(one); });
        const char narrow = narrowOf(rest);
        if (mark != kSpellingsOfMarks.end()) {
            result += mark->second;
            i += mark->first.size();
        } else if (blank != kBlanks.end()) {
            result += ' ';
            i += blank->size();
        } else if (narrow != '\0') {
            result += narrow;
            i += kWideLength;
        } else {
            result += typed[i++];
        }
    }
    return result;
}

/// Whether `mark` parts the digits into groups of three wherever it stands, as in "12,345,678": a first group
/// of one to three digits that does not begin with 0.
bool partsGroups(std::string_view digits, char mark) {
    std::size_t length = 0;
    bool first = true;
    for (const char c : digits) {
        if (c != mark) {
            if (!isDigit(c)) return false;
            ++length;
            continue;
        }
        if (first ? length == 0 || length > 3 || digits.front() == '0' : length != 3) return false;
        first = false;
        length = 0;
    }
    return !first && length == 3;
}

/// The digits with one decimal point at most; the text as it is where they make no number.
std::string withPoint(std::string_view digits, char decimal) {
    std::string text;
    // Blanks part groups of three digits: before the decimal mark, or behind it.
    std::ranges::copy_if(digits, std::back_inserter(text), [](char c) { return c != ' '; });
    const auto comma = text.find(',');
    const auto point = text.find('.');
    if (comma == std::string::npos && point == std::string::npos) return text;
    const auto drop = [&](char mark) { std::erase(text, mark); };
    if (comma != std::string::npos && point != std::string::npos) {
        // The later one is the decimal mark, and the other parts what stands before it.
        const char last = text.rfind(',') > text.rfind('.') ? ',' : '.';
        const std::size_t at = text.rfind(last);
        if (std::ranges::count(text, last) > 1 ||
            !partsGroups(std::string_view(text).substr(0, at), last == ',' ? '.' : ','))
            return std::string(digits);
        drop(last == ',' ? '.' : ',');
        std::ranges::replace(text, ',', '.');
        return text;
    }
    const char mark = comma != std::string::npos ? ',' : '.';
    const bool several = std::ranges::count(text, mark) > 1;
    if (several && !partsGroups(text, mark)) return std::string(digits);
    if (several || (mark != decimal && partsGroups(text, mark)))
        drop(mark);
    else
        std::ranges::replace(text, ',', '.');
    return text;
}

bool isPartOfNumber(char c) { return isDigit(c) || c == '.' || c == ',' || c == ' '; }

}  // namespace

const NumberStyle& numberStyle() { return stylesInForce().now(); }
void setNumberStyle(const NumberStyle& style) { stylesInForce().set(style); }

std::string localNumber(std::string_view plain, const NumberStyle& style) {
    if (style == NumberStyle{}) return std::string(plain);
    std::string result;
    std::size_t at = 0;
    if (plain.starts_with('-') || plain.starts_with('+')) {
        result += plain[0] == '-' ? style.minus : "+";
        at = 1;
    }
    bool seen = false;
    for (; at < plain.size() && (isDigit(plain[at]) || (plain[at] == '.' && seen)); ++at) {
        if (plain[at] == '.')
            result += style.decimal;
        else
            result += plain[at];
        seen = true;
    }
    if (!seen) return std::string(plain);
    const bool isExponent = at + 1 < plain.size() && plain[at] == 'e' &&
                            (isDigit(plain[at + 1]) || ((plain[at + 1] == '-' || plain[at + 1] == '+') &&
                                                        at + 2 < plain.size() && isDigit(plain[at + 2])));
    if (isExponent) {
        result += 'e';
        ++at;
        if (plain[at] == '-') result += style.minus;
        if (plain[at] == '+' && !style.shortExponents) result += '+';
        if (!isDigit(plain[at])) ++at;
        while (style.shortExponents && plain[at] == '0' && at + 1 < plain.size() && isDigit(plain[at + 1]))
            ++at;
    }
    result += plain.substr(at);
    return result;
}

namespace {

/// "/N", "/ 8": a path goes on with a small letter.
bool isDivision(std::string_view text) {
    return text.size() > 1 && (text[1] == ' ' || (text[1] >= 'A' && text[1] <= 'Z'));
}

/// The length of what is written as a number with a decimal point or an exponent at the beginning of `text`;
/// 0: none, a whole number, or a part of a word, a path, a version.
std::size_t lengthOfReal(std::string_view text) {
    const auto digits = [&](std::size_t from) {
        std::size_t at = from;
        while (at < text.size() && isDigit(text[at])) ++at;
        return at;
    };
    std::size_t at = digits(0);
    bool isReal = false;
    if (at + 1 < text.size() && text[at] == '.' && isDigit(text[at + 1])) {
        at = digits(at + 1);
        isReal = true;
    }
    if (at < text.size() && text[at] == 'e') {
        std::size_t exponent = at + 1;
        if (exponent < text.size() && (text[exponent] == '-' || text[exponent] == '+')) ++exponent;
        if (const std::size_t end = digits(exponent); end > exponent) {
            at = end;
            isReal = true;
        }
    }
    if (!isReal || at == text.size()) return isReal ? at : 0;
    const bool goesOn = isNameCharacter(text[at]) || text[at] == '-' ||
                        (text[at] == '/' && !isDivision(text.substr(at))) ||
                        (text[at] == '.' && at + 1 < text.size() && isNameCharacter(text[at + 1]));
    return goesOn ? 0 : at;
}

/// Whether the word that ends `before`, a blank behind it, makes a name or an option of the number that
/// follows.
bool isNamedBy(std::string_view before) {
    if (!before.ends_with(' ')) return false;
    before.remove_suffix(1);
    const std::size_t blank = before.find_last_of(' ');
    std::string_view word = blank == std::string_view::npos ? before : before.substr(blank + 1);
    while (!word.empty() && (word.front() == '(' || word.front() == '"')) word.remove_prefix(1);
    constexpr std::array<std::string_view, 7> kNamed{"arXiv", "containers", "python", "release",
                                                     "torch", "version",    "numpy"};
    if (word.ends_with(',') || word.ends_with(';') || word.ends_with(':')) return false;
    return !word.empty() && (word.front() == '-' || (word.front() >= 'A' && word.front() <= 'Z') ||
                             std::ranges::find(kNamed, word) != kNamed.end());
}

/// Whether a unit follows, which no name has.
bool isMeasure(std::string_view behind) {
    constexpr std::array<std::string_view, 2> kBlanksBefore{" ", "\u2009"};
    constexpr std::array<std::string_view, 13> kUnits{"%",   "B", "kB", "MB", "GB", "TB",   "GiB",
                                                      "MiB", "s", "ms", "h",  "d",  "times"};
    for (const std::string_view blank : kBlanksBefore) {
        if (!behind.starts_with(blank)) continue;
        const std::string_view rest = behind.substr(blank.size());
        return std::ranges::any_of(kUnits, [&](std::string_view unit) {
            return rest.starts_with(unit) &&
                   (rest.size() == unit.size() || !isNameCharacter(rest[unit.size()]));
        });
    }
    return false;
}

}  // namespace

std::string localProse(std::string_view plain, const NumberStyle& style) {
    if (style == NumberStyle{}) return std::string(plain);
    constexpr std::string_view kInside = ".,/-:@#";
    std::string result;
    for (std::size_t at = 0; at < plain.size();) {
        const bool begins =
            isDigit(plain[at]) && (at == 0 || (!isNameCharacter(plain[at - 1]) &&
                                               kInside.find(plain[at - 1]) == std::string_view::npos));
        const std::size_t length = begins ? lengthOfReal(plain.substr(at)) : 0;
        if (length == 0 || (isNamedBy(plain.substr(0, at)) && !isMeasure(plain.substr(at + length)))) {
            result += plain[at++];
            continue;
        }
        result += localNumber(plain.substr(at, length), style);
        at += length;
    }
    return localGroups(std::move(result), style);
}

std::string localGroups(std::string text, const NumberStyle& style) {
    const std::string_view written = style.groupInProse();
    if (written == style.group) return text;
    constexpr std::size_t kGroup = 3;
    for (std::size_t at = 0; (at = text.find(written, at)) != std::string::npos;) {
        const std::size_t next = at + written.size();
        std::size_t end = next;
        while (end < text.size() && isDigit(text[end])) ++end;
        if (at > 0 && isDigit(text[at - 1]) && end - next == kGroup)
            text.replace(at, written.size(), style.group);
        at += style.group.size();
    }
    return text;
}

std::string plainNumber(std::string_view typed, const NumberStyle& style) {
    const std::string text = withoutSpellings(typed);
    const std::size_t begin = std::min(text.find_first_not_of(' '), text.size());
    if (text.substr(begin).starts_with('$')) return '$' + plainNumber(text.substr(begin + 1), style);
    std::size_t at = begin;
    if (at < text.size() && (text[at] == '-' || text[at] == '+')) ++at;
    while (at < text.size() && text[at] == ' ') ++at;
    const std::size_t first = at;
    while (at < text.size() && isPartOfNumber(text[at])) ++at;
    std::size_t last = at;
    while (last > first && text[last - 1] == ' ') --last;
    if (last == first || !std::any_of(text.begin() + static_cast<std::ptrdiff_t>(first),
                                      text.begin() + static_cast<std::ptrdiff_t>(last), isDigit))
        return std::string(typed);
    // A blank parts groups of three only: "80 90" stays two numbers, for the reader to refuse.
    const std::string_view digits = std::string_view(text).substr(first, last - first);
    for (std::size_t i = 0; i < digits.size(); ++i) {
        if (digits[i] != ' ') continue;
        const std::string_view next = digits.substr(i + 1);
        const std::size_t length = std::min(next.find_first_not_of("0123456789"), next.size());
        if (length != 3) return std::string(typed);
    }
    const std::string sign = first > begin && text[begin] == '-' ? "-" : "";
    std::string_view rest = std::string_view(text).substr(at);
    return sign + withPoint(digits, style.decimal == "," ? ',' : '.') + std::string(rest);
}

}  // namespace plumb
