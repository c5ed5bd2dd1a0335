// SPDX-License-Identifier: Apache-2.0
#include "core/base/sentence.h"

#include "core/base/ascii.h"
#include "core/base/plain_text.h"
#include "core/base/words.h"

#include <algorithm>
#include <array>

namespace plumb {
namespace {

/// Whether an ordinary word begins the text, which takes a capital.
bool beginsWithWord(std::string_view text, std::span<const std::string_view> names) {
    std::string_view word = text.substr(0, text.find(' '));
    for (const std::string_view end : {"\u2026", "!", "?", ".", ",", ";"})
        while (word.ends_with(end)) word.remove_suffix(end.size());
    if (std::ranges::find(names, word) != names.end()) return false;
    const auto isOfWord = [](char c) { return (c >= 'a' && c <= 'z') || c == '-' || c == '\''; };
    if (!std::ranges::all_of(word, isOfWord) || word.starts_with('-')) return false;
    const std::string_view part = word.substr(0, word.find('-'));
    return part.find_first_of("aeiouy") != std::string_view::npos;
}

bool endsAsSentence(std::string_view text) {
    constexpr std::array<std::string_view, 7> kEnds{".", "!", "?", "\u2026", "\u3002", "\uff01", "\uff1f"};
    constexpr std::array<std::string_view, 4> kQuotes{"\"", "'", "\u201d", "\u2019"};
    const auto endOf = [&text](const auto& all) {
        return std::ranges::find_if(all, [&](std::string_view end) { return text.ends_with(end); });
    };
    if (const auto quote = endOf(kQuotes); quote != kQuotes.end()) text.remove_suffix(quote->size());
    return endOf(kEnds) != kEnds.end();
}

}  // namespace

std::string asSentence(std::string_view text, std::span<const std::string_view> names) {
    text = trimmed(text);
    const bool isChinese = !wordsLanguage().empty() && std::ranges::any_of(text, isWideLead);
    // What was to come behind a colon is not there.
    while (text.ends_with(':') || text.ends_with(',') || text.ends_with(';')) text.remove_suffix(1);
    std::string sentence(text);
    if (sentence.empty()) return sentence;
    const char first = sentence.front();
    if (!isChinese && first >= 'a' && first <= 'z' && beginsWithWord(text, names))
        sentence.front() = static_cast<char>(first - 'a' + 'A');
    if (!endsAsSentence(sentence)) sentence += isChinese ? "\u3002" : ".";
    return sentence;
}

}  // namespace plumb
