// SPDX-License-Identifier: Apache-2.0
#include "core/base/words.h"

#include "core/base/ascii.h"
#include "core/base/plain_text.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace plumb {

extern const std::string_view wordsOfCoreZhCn;

namespace {

/// A place of a text: "{}", "{2}", "{:.1f}"; "{:s}" holds what one types, which is told as it stands.
struct Place {
    std::optional<std::size_t> argument;  ///< counted from 0 where it is written
    bool isNumber = false, isCode = false;
};

/// A text cut at its places: one more piece than places.
struct Template {
    std::vector<std::string> pieces{""};
    std::vector<Place> places;

    explicit Template(std::string_view text) {
        for (std::size_t i = 0; i < text.size(); ++i) {
            const bool twice = i + 1 < text.size() && text[i + 1] == text[i];
            if ((text[i] == '{' || text[i] == '}') && twice) {
                pieces.back() += text[i++];
            } else if (const std::size_t end = text.find('}', i);
                       text[i] == '{' && end != std::string_view::npos) {
                places.push_back(placeOf(text.substr(i + 1, end - i - 1)));
                // What may stand in a file is a list of its own words.
                if (pieces.back().ends_with("and one of ")) places.back().isCode = true;
                pieces.emplace_back();
                i = end;
            } else {
                pieces.back() += text[i];
            }
        }
    }
    [[nodiscard]] std::size_t letters() const {
        std::size_t count = 0;
        for (const std::string& piece : pieces) count += piece.size();
        return count;
    }

private:
    static Place placeOf(std::string_view inside) {
        Place place;
        const std::size_t colon = std::min(inside.find(':'), inside.size());
        if (colon > 0 && isDigit(inside[0])) place.argument = static_cast<std::size_t>(inside[0] - '0');
        const std::string_view form = inside.substr(colon);
        place.isNumber =
            !form.empty() && std::string_view("fgedFGE").find(form.back()) != std::string_view::npos;
        place.isCode = form == ":s";
        return place;
    }
};

/// Letters of a text beside its places: fewer fit too much, and more say what they are by themselves.
constexpr std::size_t kFewLetters = 8, kManyLetters = 14;
constexpr std::size_t kExactly = static_cast<std::size_t>(-1);  ///< no text with places has as many

constexpr std::string_view kBetweenParts = " · ";
/// The entry whose translation stands between the words of a list.
constexpr std::string_view kListMark = "list mark";
/// What stands before what was typed, which is told as it is.
constexpr std::string_view kQuotes = "(\"'[{";

bool looksLikeNumber(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789.,-+einfa% ") == std::string_view::npos;
}

/// Whether every parenthesis of a text has its other half there; one in quotes, "'('", is a character.
bool isBalanced(std::string_view text) {
    int open = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text.substr(i, 1) == "'" && text.substr(std::min(i + 2, text.size()), 1) == "'") i += 2;
        const char c = text[i];
        open += (c == '(' ? 1 : 0) - (c == ')' ? 1 : 0);
        if (open < 0) return false;
    }
    return open == 0;
}

/// What stands in the places of `from` where `text` says the same; empty where it does not.
class Fit {
public:
    /// `mayEndInSentence`: the last place may hold a sentence.
    Fit(const Template& from, std::size_t letters, bool mayEndInSentence, std::string_view text)
        : m_from(from), m_text(text), m_letters(letters), m_mayEndInSentence(mayEndInSentence) {}
    [[nodiscard]] bool fits() {
        // Nearly every text ends here: a catalogue has thousands of entries.
        if (m_text.size() < m_letters || !m_text.ends_with(m_from.pieces.back()) ||
            !m_text.starts_with(m_from.pieces.front()))
            return false;
        return rest(0, m_from.pieces.front().size());
    }
    [[nodiscard]] const std::vector<std::string_view>& found() const { return m_found; }

private:
    /// Whether the places from `place` on fit the text from `at` on; each takes as little as it can.
    // NOLINTNEXTLINE(misc-no-recursion): as deep as a text has places.
    bool rest(std::size_t place, std::size_t at) {
        constexpr int kMostTries = 4000;  // a text of very many equal words is left as it is
        if (place == m_from.places.size()) return at == m_text.size();
        const std::string& next = m_from.pieces[place + 1];
        const bool isLast = place + 1 == m_from.places.size();
        for (std::size_t end = at; end <= m_text.size(); ++end) {
            if (++m_tries > kMostTries) return false;
            if (isLast) {
                if (m_text.size() < at + next.size() || !m_text.ends_with(next)) return false;
                end = m_text.size() - next.size();
            } else {
                end = m_text.find(next, end);
                if (end == std::string_view::npos) return false;
            }
            const std::string_view taken = m_text.substr(at, end - at);
            if (mayStandIn(place, taken)) {
                m_found.push_back(taken);
                if (rest(place + 1, end + next.size())) return true;
                m_found.pop_back();
            }
            if (isLast) return false;
        }
        return false;
    }

    /// A place holds a value, not a sentence: but for the last one of a text that says enough itself. A text
    /// of few letters, as "{} of {}", fits short values with a number among them alone.
    [[nodiscard]] bool mayStandIn(std::size_t place, std::string_view taken) const {
        constexpr std::int64_t kMostBlanks = 2;
        if (m_from.places[place].isNumber) return looksLikeNumber(taken);
        const bool begins = place == 0 && m_from.pieces.front().empty();
        if (m_from.places[place].isCode) {
            // What begins a text is a name or the path of a file, and no half of another sentence.
            if (begins && std::ranges::count(taken, ' ') > kMostBlanks && !taken.starts_with('/'))
                return false;
            // A colon of what was typed is told from that before a remedy by the brackets or quotes around
            // it.
            const char closing = (m_from.pieces[place + 1] + ' ').front();
            const bool isQuoted = (closing == '"' || closing == '\'') && taken.find(closing) == taken.npos;
            return taken.find(": ") == taken.npos || isQuoted || (closing == ')' && isBalanced(taken));
        }
        const bool isLast = place + 1 == m_from.places.size();
        // What a place holds does not say the same once more, and is no part of a list.
        const auto isOnceMore = [&](const std::string& piece) {
            return piece.size() >= kFewLetters && taken.find(piece) != taken.npos;
        };
        const bool isSentence = isLast && m_mayEndInSentence && m_letters >= kManyLetters;
        const bool isOpenEnd = isSentence && m_from.pieces.back().size() <= 1;
        if (!isOpenEnd && std::ranges::any_of(m_from.pieces, isOnceMore)) return false;
        if (!m_from.pieces[place + 1].empty() && taken.ends_with(',')) return false;
        if (!isBalanced(taken)) return false;
        const bool isWord = m_from.pieces[place] == " " || m_from.pieces[place + 1] == " ";
        if (isWord && taken.find(", ") != taken.npos) return false;
        if (begins && m_letters < kManyLetters && std::ranges::count(taken, ' ') > kMostBlanks &&
            std::ranges::none_of(taken, isDigit))
            return false;
        if (!isSentence) {
            for (const std::string_view end : {"\n", ". ", "; ", ": "})
                if (taken.find(end) != std::string_view::npos) return false;
            if (!isLast && (taken.ends_with(':') || taken.ends_with(';'))) return false;
        }
        // "layer 1 · weights" is no layer {} of the name "1 · weights".
        return m_letters >= kFewLetters ||
               (std::ranges::count(taken, ' ') <= kMostBlanks && taken.find(kBetweenParts) == taken.npos &&
                std::ranges::any_of(m_text, isDigit));
    }

    const Template& m_from;
    std::string_view m_text;
    std::size_t m_letters;
    bool m_mayEndInSentence;
    std::vector<std::string_view> m_found;
    int m_tries = 0;
};

/// What parts the parts of a text, from the strongest on.
constexpr std::array<std::string_view, 8> kSeparators{"\n", ". ", "; ", ": ", " · ", ", ", " = ", " + "};

}  // namespace

struct Words::Entries {
    struct Entry {
        Template from, to;
        std::size_t letters = from.letters();
        /// What stands last in the text does so in the translation, so that nothing else comes behind it.
        bool endsAlike = isEndAlike(from, to);

        [[nodiscard]] static bool isEndAlike(const Template& from, const Template& to) {
            const std::size_t last = from.places.size() - 1;
            const bool isClosed =
                from.pieces.back() == ")" && (to.pieces.back() == "）" || to.pieces.back() == ")");
            return (to.pieces.back().empty() || isClosed) && !to.places.empty() &&
                   to.places.back().argument.value_or(to.places.size() - 1) == last;
        }
    };
    std::unordered_map<std::string, std::string> exact;
    std::vector<Entry> templates;
    /// Indices of the templates that begin with this byte, or with a place; those of the most letters first.
    std::array<std::vector<std::uint32_t>, 256> byFirst;

    void add(const std::string& id, const std::string& text) {
        if (id.empty() || text.empty()) return;
        // What core puts behind a sentence stands by itself once that was told part by part.
        constexpr std::string_view kWideMark = "\uff1b";
        if ((id.starts_with("; ") || id.starts_with(", ")) && id.size() > 2 &&
            text.size() > kWideMark.size() && (text.starts_with(kWideMark) || text.starts_with("\uff0c")))
            add(id.substr(2), text.substr(kWideMark.size()));
        Template from(id);
        if (from.places.empty()) {
            exact.emplace(from.pieces.front(), Template(text).pieces.front());
            return;
        }
        templates.push_back({std::move(from), Template(text)});
    }

    void index() {
        std::ranges::stable_sort(templates, std::greater(), &Entry::letters);
        for (std::uint32_t i = 0; i < templates.size(); ++i) {
            const std::string& first = templates[i].from.pieces.front();
            if (!first.empty()) byFirst[static_cast<unsigned char>(first[0])].push_back(i);
            if (first.empty())
                for (auto& bucket : byFirst) bucket.push_back(i);
        }
    }

    /// The text in the language; empty where no entry fits.
    // NOLINTNEXTLINE(misc-no-recursion): what stands in a place is shorter than the text.
    [[nodiscard]] std::optional<std::string> whole(std::string_view text,
                                                   std::size_t leastLetters = 0) const {
        if (text.empty()) return {};
        if (const auto found = exact.find(std::string(text));
            found != exact.end() && (text.size() >= leastLetters || leastLetters == kExactly))
            return found->second;
        for (const std::uint32_t i : byFirst[static_cast<unsigned char>(text[0])]) {
            if (templates[i].letters < leastLetters) break;
            Fit fit(templates[i].from, templates[i].letters, templates[i].endsAlike, text);
            if (fit.fits()) return filled(templates[i], fit.found());
        }
        return {};
    }

    /// A word of a list of what one can type: "fp32", "--dim", "i=1024".
    [[nodiscard]] static bool isListed(std::string_view word) {
        constexpr std::string_view kInside = "_-.:=/+*";
        return !word.empty() && word.front() != '=' && !isDigit(word.front()) &&
               std::ranges::all_of(word, [&](char c) {
                   return isLetter(c) || isDigit(c) || kInside.find(c) != kInside.npos;
               });
    }
    /// "fp32, tf32 or bf16": words to choose from are parted by the mark that the language has for lists. The
    /// last two have a word between them.
    [[nodiscard]] std::string asList(std::string words) const {
        constexpr std::string_view kComma = ", ";
        const auto mark = exact.find(std::string(kListMark));
        if (mark == exact.end() || words.find(kComma) == words.npos) return words;
        std::string list;
        for (std::string_view rest = words;;) {
            const std::string_view item = rest.substr(0, rest.find(kComma));
            const bool isLast = item.size() == rest.size();
            const std::size_t first = item.find(' '), last = item.rfind(' ');
            const bool isPair = isLast && first != last && isListed(item.substr(0, first)) &&
                                isListed(item.substr(last + 1)) && item.find(' ', first + 1) == last;
            if (!isPair && !isListed(item)) return words;
            list += item;
            if (isLast) return list;
            list += mark->second;
            rest.remove_prefix(item.size() + kComma.size());
        }
    }

    /// Of "{} step{}": the ending is English, and the translation has the word in a form of its own.
    [[nodiscard]] static bool isPluralEnding(const Template& from, std::size_t place,
                                             std::string_view taken) {
        const std::string& before = from.pieces[place];
        return taken == "s" && !before.empty() && isLetter(before.back());
    }

    // NOLINTNEXTLINE(misc-no-recursion)
    [[nodiscard]] std::string filled(const Entry& entry, const std::vector<std::string_view>& found) const {
        const Template& to = entry.to;
        std::string result = to.pieces.front();
        for (std::size_t i = 0; i < to.places.size(); ++i) {
            const std::size_t argument = to.places[i].argument.value_or(i);
            if (argument < found.size() && !isPluralEnding(entry.from, argument, found[argument])) {
                const bool isCode =
                    entry.from.places[argument].isCode || entry.from.pieces[argument].ends_with("--");
                const std::string& before = entry.from.pieces[argument];
                const bool isQuoted = !before.empty() && kQuotes.find(before.back()) != kQuotes.npos;
                std::string words = isCode ? std::string(found[argument]) : told(found[argument]);
                appendTight(result, isQuoted ? std::move(words) : asList(std::move(words)));
            }
            appendTight(result, to.pieces[i + 1]);
        }
        return result;
    }

    // NOLINTNEXTLINE(misc-no-recursion)
    [[nodiscard]] std::string told(std::string_view text) const {
        if (auto result = nameWithFigure(text, kExactly)) return *result;
        if (auto result = whole(text, kManyLetters)) return *result;
        if (auto result = upToItsMark(text)) return *result;
        if (auto result = withItsBeginning(text)) return *result;
        if (auto result = whole(text)) return *result;
        // A sentence that begins with a capital where core writes none.
        if (!text.empty() && text[0] >= 'A' && text[0] <= 'Z') {
            std::string small(text);
            small[0] = lowerCase(small[0]);
            if (auto result = whole(small)) return *result;
        }
        // "2. layer 1" is an item of a list.
        if (const std::size_t digits = text.find_first_not_of("0123456789");
            digits > 0 && digits < text.size() && text.substr(digits).starts_with(". "))
            return std::string(text.substr(0, digits + 2)) + told(text.substr(digits + 2));
        if (auto result = nameWithFigure(text, kManyLetters)) return *result;
        if (auto result = withItsEnd(text)) return *result;
        if (auto result = behindField(text)) return *result;
        if (auto result = beforeOption(text)) return *result;
        if (text.starts_with('/'))
            if (auto result = behindPath(text)) return *result;
        for (const std::string_view separator : kSeparators)
            if (auto result = inParts(text, separator)) return *result;
        if (auto result = beforeBrackets(text)) return *result;
        if (auto result = aboveOthers(text)) return *result;
        return behindPath(text).value_or(std::string(text));
    }

    /// What parts the text at `at`; empty: nothing.
    [[nodiscard]] static std::string_view separatorAt(std::string_view text, std::size_t at) {
        for (const std::string_view separator : kSeparators)
            if (text.substr(at).starts_with(separator)) return separator;
        return {};
    }
    [[nodiscard]] std::string_view wordsOf(std::string_view separator) const {
        const auto words = exact.find(std::string(separator));
        return words == exact.end() ? separator : std::string_view(words->second);
    }

    /// Where a text can be parted.
    [[nodiscard]] static std::vector<std::size_t> marksOf(std::string_view text) {
        constexpr std::size_t kMostMarks = 12;
        std::vector<std::size_t> marks;
        if (text.find("...") != text.npos) return marks;
        for (std::size_t at = 1; at < text.size() && marks.size() < kMostMarks; ++at)
            if (!separatorAt(text, at).empty()) marks.push_back(at);
        return marks;
    }
    [[nodiscard]] static std::string_view behind(std::string_view text, std::size_t mark) {
        return text.substr(mark + separatorAt(text, mark).size());
    }

    /// "a sentence, with marks of its own; more": the longest beginning that is an entry, and the rest.
    // NOLINTNEXTLINE(misc-no-recursion): what is left is shorter than the text.
    [[nodiscard]] std::optional<std::string> withItsBeginning(std::string_view text) const {
        const std::vector<std::size_t> marks = marksOf(text);
        for (auto at = marks.rbegin(); at != marks.rend(); ++at) {
            if (const auto entry = whole(text.substr(0, *at), kManyLetters))
                return *entry + std::string(wordsOf(separatorAt(text, *at))) + told(behind(text, *at));
            // A sentence that has a full stop by itself.
            constexpr std::string_view kStop = "\u3002";
            const auto sentence = whole(std::string(text.substr(0, *at)) + '.', kManyLetters);
            if (sentence && sentence->ends_with(kStop))
                return sentence->substr(0, sentence->size() - kStop.size()) +
                       std::string(wordsOf(separatorAt(text, *at))) + told(behind(text, *at));
        }
        return {};
    }
    /// "what it is: a sentence, with marks of its own": the longest end that is an entry.
    // NOLINTNEXTLINE(misc-no-recursion): what is left is shorter than the text.
    [[nodiscard]] std::optional<std::string> withItsEnd(std::string_view text) const {
        for (const std::size_t at : marksOf(text))
            if (const auto entry = whole(behind(text, at), kManyLetters))
                return told(text.substr(0, at)) + std::string(wordsOf(separatorAt(text, at))) + *entry;
        return {};
    }

    /// "communication buffers 400 MB": an entry of so many letters, with its figure.
    // NOLINTNEXTLINE(misc-no-recursion): the name is shorter than the text.
    [[nodiscard]] std::optional<std::string> nameWithFigure(std::string_view text,
                                                            std::size_t leastLetters) const {
        constexpr int kMostWords = 2;  // of a figure: the number and its unit
        std::size_t blank = text.size();
        for (int i = 0; i < kMostWords; ++i) {
            blank = text.substr(0, blank).rfind(' ');
            if (blank == text.npos || blank + 1 == text.size()) return {};
            if (!isDigit(text[blank + 1])) continue;
            if (const auto name = whole(text.substr(0, blank), leastLetters))
                return *name + std::string(text.substr(blank));
        }
        return {};
    }

    /// A text that ends in a mark, which nothing comes behind: a full stop, or a colon at the end of a line.
    // NOLINTNEXTLINE(misc-no-recursion)
    [[nodiscard]] std::optional<std::string> upToItsMark(std::string_view text) const {
        for (const std::string_view mark : {".", ": ", "; "}) {
            const auto words = exact.find(std::string(mark));
            if (text.size() < 2 || text.back() != mark.front() || words == exact.end()) continue;
            const std::string_view sentence = text.substr(0, text.size() - 1);
            if (std::string result = told(sentence); result != sentence) return result + words->second;
        }
        return {};
    }

    /// "what is wrong (--devices)": the option or the file that it is wrong of is what one types.
    // NOLINTNEXTLINE(misc-no-recursion): what is left is shorter than the text.
    [[nodiscard]] std::optional<std::string> beforeOption(std::string_view text) const {
        const std::size_t at = text.rfind(" (");
        if (at == text.npos || !text.ends_with(')')) return {};
        const std::string_view option = text.substr(at + 2, text.size() - at - 3);
        const std::string wrong = told(text.substr(0, at));
        const bool isTyped = option.find(' ') == option.npos || option.starts_with('/');
        if (!isTyped || wrong == text.substr(0, at)) return {};
        return endsWide(wrong) ? wrong + "\uff08" + std::string(option) + "\uff09"
                               : wrong + std::string(text.substr(at));
    }

    /// "usable)⌉": the last factor of a formula, before brackets that close what its other factors opened.
    [[nodiscard]] std::optional<std::string> beforeBrackets(std::string_view text) const {
        std::size_t end = text.size();
        for (bool any = true; any;) {
            any = false;
            for (const std::string_view bracket : {std::string_view(")"), std::string_view("⌉")})
                if (text.substr(0, end).ends_with(bracket)) {
                    end -= bracket.size();
                    any = true;
                }
        }
        if (end == text.size()) return {};
        const auto name = exact.find(std::string(text.substr(0, end)));
        if (name == exact.end()) return {};
        return name->second + std::string(text.substr(end));
    }

    /// "usable / w": the last factor above the bar of a formula.
    // NOLINTNEXTLINE(misc-no-recursion): what is left is shorter than the text.
    [[nodiscard]] std::optional<std::string> aboveOthers(std::string_view text) const {
        constexpr std::string_view kBar = " / ";
        const std::size_t bar = text.find(kBar);
        if (bar == text.npos) return {};
        const auto name = exact.find(std::string(text.substr(0, bar)));
        if (name == exact.end()) return {};
        return name->second + std::string(kBar) + told(text.substr(bar + kBar.size()));
    }

    /// "measured.memory.peak_bytes is -3, and 0 to 9 is possible": what is said of a field of a file stands
    /// behind its path.
    // NOLINTNEXTLINE(misc-no-recursion): what stands in a place is shorter than the text.
    [[nodiscard]] std::optional<std::string> behindField(std::string_view text) const {
        const std::size_t end = text.find_first_not_of("abcdefghijklmnopqrstuvwxyz_0123456789.[]");
        if (end == 0 || end == text.npos || text[end] != ' ') return {};
        // A field without others above it is told from the subject of a sentence by what follows.
        const std::string_view rest = text.substr(end + 1);
        if (text.substr(0, end).find_first_of("._[") == text.npos && !rest.starts_with("is ")) return {};
        const auto said = whole(rest, kFewLetters);
        return said ? std::optional(std::string(text.substr(0, end + 1)) + *said) : std::nullopt;
    }

    /// "/home/me/a file.plumb is no snapshot": what is said of a file stands behind its path, which may have
    /// blanks itself; a name without a folder has none, and a dot in it.
    [[nodiscard]] std::optional<std::string> behindPath(std::string_view text) const {
        const std::string_view first = text.substr(0, text.find(' '));
        if (first.size() == text.size() || first.find_first_of("./") == first.npos) return {};
        const std::size_t last = first.front() == '/' ? std::min(text.find(": "), text.size()) : first.size();
        for (std::size_t at = text.find(' '); at <= last; at = text.find(' ', at + 1))
            if (const auto result = whole(text.substr(at + 1)))
                return std::string(text.substr(0, at + 1)) + *result;
        return {};
    }

    /// Part by part; empty where there is one part alone, or none that has words.
    // NOLINTNEXTLINE(misc-no-recursion)
    [[nodiscard]] std::optional<std::string> inParts(std::string_view text,
                                                     std::string_view separator) const {
        // Dots in a row end no sentence.
        if (text.find(separator) == std::string_view::npos || text.find("...") != std::string_view::npos)
            return {};
        std::string result;
        bool any = false;
        while (true) {
            const std::size_t end = std::min(text.find(separator), text.size());
            const std::string_view part = text.substr(0, end);
            const std::string words = told(part);
            any = any || words != part;
            result += words;
            if (end == text.size()) break;
            result += wordsOf(separator);
            text.remove_prefix(end + separator.size());
        }
        return any ? std::optional(result) : std::nullopt;
    }
};

namespace {

/// The text of a line of a catalogue between its quotation marks.
std::string quoted(std::string_view line) {
    const std::size_t from = line.find('"');
    const std::size_t to = line.rfind('"');
    std::string text;
    for (std::size_t i = from + 1; from != std::string_view::npos && i < to; ++i) {
        if (line[i] != '\\' || i + 1 >= to) {
            text += line[i];
            continue;
        }
        ++i;
        text += line[i] == 'n' ? '\n' : line[i] == 't' ? '\t' : line[i];
    }
    return text;
}

}  // namespace

Words::Words(std::string_view catalogue) {
    auto entries = std::make_unique<Entries>();
    std::string id, text;
    std::string* now = nullptr;
    bool isFuzzy = false;
    const auto finish = [&] {
        if (!isFuzzy) entries->add(id, text);
        isFuzzy = false;
        id.clear();
        text.clear();
    };
    while (!catalogue.empty()) {
        const std::size_t end = std::min(catalogue.find('\n'), catalogue.size());
        const std::string_view line = catalogue.substr(0, end);
        catalogue.remove_prefix(std::min(end + 1, catalogue.size()));
        if (line.starts_with("#, fuzzy")) {
            finish();
            isFuzzy = true;
        } else if (line.starts_with("msgid ")) {
            if (!isFuzzy || !text.empty()) finish();
            now = &id;
            id = quoted(line);
        } else if (line.starts_with("msgstr ")) {
            now = &text;
            text = quoted(line);
        } else if (line.starts_with("\"") && now != nullptr) {
            *now += quoted(line);
        }
    }
    finish();
    entries->index();
    m_entries = std::move(entries);
}

Words::~Words() = default;

std::string Words::of(std::string_view english) const { return m_entries->told(english); }
std::size_t Words::size() const { return m_entries->exact.size() + m_entries->templates.size(); }

namespace {

constexpr std::string_view kChineseWords = "zh_CN";

const Words& chinese() {
    static const Words words(wordsOfCoreZhCn);
    return words;
}

std::atomic<const Words*>& wordsInForce() {
    static std::atomic<const Words*> words = nullptr;
    return words;
}

}  // namespace

bool hasWordsOf(std::string_view language) { return language == kChineseWords; }

void setWordsLanguage(std::string_view language) {
    wordsInForce().store(hasWordsOf(language) ? &chinese() : nullptr);
}

std::string_view wordsLanguage() {
    return wordsInForce().load() == nullptr ? std::string_view() : kChineseWords;
}

std::string inWords(std::string_view english) {
    const Words* const words = wordsInForce().load();
    return words == nullptr ? std::string(english) : words->of(english);
}

}  // namespace plumb
