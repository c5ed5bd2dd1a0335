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

/// A place of a text: "{}", "{2}", "{:.1f}".
struct Place {
    std::optional<std::size_t> argument;  ///< counted from 0 where it is written
    bool isNumber = false;
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
        return place;
    }
};

bool looksLikeNumber(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789.,-+einfa% ") == std::string_view::npos;
}

/// What stands in the places of `from` where `text` says the same; empty where it does not.
class Fit {
public:
    /// `mayEndInSentence`: the last place may hold a sentence.
    Fit(const Template& from, std::size_t letters, bool mayEndInSentence, std::string_view text)
        : m_from(from), m_text(text), m_letters(letters), m_mayEndInSentence(mayEndInSentence) {}
    [[nodiscard]] bool fits() {
        if (!m_text.starts_with(m_from.pieces.front())) return false;
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
        constexpr std::size_t kFewLetters = 8;
        constexpr std::size_t kManyLetters = 14;
        constexpr std::int64_t kMostBlanks = 2;
        if (m_from.places[place].isNumber) return looksLikeNumber(taken);
        const bool isLast = place + 1 == m_from.places.size();
        if (!isLast || !m_mayEndInSentence || m_letters < kManyLetters) {
            for (const std::string_view end : {"\n", ". ", "; ", ": "})
                if (taken.find(end) != std::string_view::npos) return false;
            if (!isLast && (taken.ends_with(':') || taken.ends_with(';'))) return false;
        }
        return m_letters >= kFewLetters ||
               (std::ranges::count(taken, ' ') <= kMostBlanks && std::ranges::any_of(m_text, isDigit));
    }

    const Template& m_from;
    std::string_view m_text;
    std::size_t m_letters;
    bool m_mayEndInSentence;
    std::vector<std::string_view> m_found;
    int m_tries = 0;
};

/// Whether a text begins or ends with a character of Chinese, of three bytes.
bool beginsWide(std::string_view text) { return !text.empty() && isWideLead(text.front()); }
bool endsWide(std::string_view text) {
    constexpr std::size_t kBytes = 3;
    return text.size() >= kBytes && isWideLead(text[text.size() - kBytes]);
}

/// What parts the parts of a text, from the strongest on.
constexpr std::array<std::string_view, 8> kSeparators{"\n", ". ", "; ", ": ", " · ", ", ", " = ", " + "};

}  // namespace

struct Words::Entries {
    struct Entry {
        Template from, to;
        std::size_t letters = 0;

        /// What stands last in the text does so in the translation, so that nothing else comes behind it.
        [[nodiscard]] bool endsAlike() const {
            const std::size_t last = from.places.size() - 1;
            return to.pieces.back().empty() && !to.places.empty() &&
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
        const std::size_t letters = from.letters();
        templates.push_back({std::move(from), Template(text), letters});
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
    [[nodiscard]] std::optional<std::string> whole(std::string_view text) const {
        if (text.empty()) return {};
        if (const auto found = exact.find(std::string(text)); found != exact.end()) return found->second;
        for (const std::uint32_t i : byFirst[static_cast<unsigned char>(text[0])]) {
            Fit fit(templates[i].from, templates[i].letters, templates[i].endsAlike(), text);
            if (fit.fits()) return filled(templates[i], fit.found());
        }
        return {};
    }

    /// Of "{} step{}": the ending is English, and the translation has the word in a form of its own.
    [[nodiscard]] static bool isPluralEnding(const Template& from, std::size_t place,
                                             std::string_view taken) {
        const std::string& before = from.pieces[place];
        return taken == "s" && !before.empty() && isLetter(before.back());
    }

    /// Adds to a text. Blanks stand around what is put into Chinese, but not where that is Chinese itself.
    static void addTight(std::string& text, std::string_view more) {
        const bool isBlankBehind = text.ends_with(' ') && endsWide(text.substr(0, text.size() - 1));
        if (isBlankBehind && beginsWide(more)) text.pop_back();
        if (more.starts_with(' ') && beginsWide(more.substr(1)) && endsWide(text)) more.remove_prefix(1);
        text += more;
    }

    // NOLINTNEXTLINE(misc-no-recursion)
    [[nodiscard]] std::string filled(const Entry& entry, const std::vector<std::string_view>& found) const {
        const Template& to = entry.to;
        std::string result = to.pieces.front();
        for (std::size_t i = 0; i < to.places.size(); ++i) {
            const std::size_t argument = to.places[i].argument.value_or(i);
            if (argument < found.size() && !isPluralEnding(entry.from, argument, found[argument]))
                addTight(result, told(found[argument]));
            addTight(result, to.pieces[i + 1]);
        }
        return result;
    }

    // NOLINTNEXTLINE(misc-no-recursion)
    [[nodiscard]] std::string told(std::string_view text) const {
        if (auto result = whole(text)) return *result;
        // A sentence that begins with a capital where core writes none.
        if (!text.empty() && text[0] >= 'A' && text[0] <= 'Z') {
            std::string small(text);
            small[0] = lowerCase(small[0]);
            if (auto result = whole(small)) return *result;
        }
        if (const auto stop = exact.find(".");
            text.size() > 1 && text.ends_with('.') && stop != exact.end()) {
            const std::string_view sentence = text.substr(0, text.size() - 1);
            if (std::string words = told(sentence); words != sentence) return words + stop->second;
        }
        for (const std::string_view separator : kSeparators)
            if (auto result = inParts(text, separator)) return *result;
        return behindPath(text).value_or(std::string(text));
    }

    /// "/home/me/a file.plumb is no snapshot": what is said of a file stands behind its path, which may have
    /// blanks itself.
    [[nodiscard]] std::optional<std::string> behindPath(std::string_view text) const {
        if (!text.starts_with('/')) return {};
        for (std::size_t at = text.find(' '); at != std::string_view::npos; at = text.find(' ', at + 1))
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
        const auto between = exact.find(std::string(separator));
        std::string result;
        bool any = false;
        while (true) {
            const std::size_t end = std::min(text.find(separator), text.size());
            const std::string_view part = text.substr(0, end);
            const std::string words = told(part);
            any = any || words != part;
            result += words;
            if (end == text.size()) break;
            result += between == exact.end() ? separator : std::string_view(between->second);
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
