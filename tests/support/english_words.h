// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/words.h"

#include "test_paths.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <string_view>

namespace plumb::test {

/// While it is there core's texts are told in Chinese.
struct InChinese {
    InChinese() { setWordsLanguage("zh_CN"); }
    ~InChinese() { setWordsLanguage({}); }
    InChinese(const InChinese&) = delete;
    InChinese& operator=(const InChinese&) = delete;
};

/// The words in Latin letters that a Chinese text keeps (resources/translations/terms.txt).
[[nodiscard]] inline const std::set<std::string>& keptTerms() {
    static const std::set<std::string> terms = [] {
        std::set<std::string> all;
        std::ifstream file(std::string(PLUMB_RESOURCES) + "/translations/terms.txt");
        for (std::string line; std::getline(file, line);) {
            std::istringstream words(line.starts_with('#') ? std::string() : line);
            for (std::string word; words >> word;) all.insert(word);
        }
        return all;
    }();
    return terms;
}

/// Whether a word from `begin` to `end` is a part of what is the same in every language: layer.weight, --dim,
/// fp32, sum(x), tag:best, "x".
[[nodiscard]] inline bool isCodeAt(std::string_view text, std::size_t begin, std::size_t end) {
    const auto at = [&](std::size_t i) { return i < text.size() ? text[i] : ' '; };
    const auto isWordSign = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
    const auto isOneOf = [](char c, std::string_view signs) {
        return signs.find(c) != std::string_view::npos;
    };
    const char before = begin > 0 ? text[begin - 1] : ' ', before2 = begin > 1 ? text[begin - 2] : ' ';
    const char behind = at(end), behind2 = at(end + 1);
    return isOneOf(before, "-_./\\=|*@#'~+$[`^<>") || isOneOf(behind, "-_/\\=|*([^<>") ||
           isWordSign(before) || isWordSign(behind) || (isOneOf(before, ":,") && isWordSign(before2)) ||
           (isOneOf(behind, ".,") && isWordSign(behind2)) ||
           (behind == ':' && std::isspace(static_cast<unsigned char>(behind2)) == 0) ||
           (before == '"' && behind == '"');
}

/// What nobody translated in a Chinese text: its words in Latin letters that are no terms; empty: nothing.
/// The catalogues are held to the same (resources/translations/latin.py).
[[nodiscard]] inline std::string englishIn(std::string text) {
    static const std::regex kTags("</?[a-z][^<>]*>");
    text = std::regex_replace(text, kTags, " ");
    std::erase(text, '&');
    const auto isLetter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
    const auto isSmall = [](char c) { return std::islower(static_cast<unsigned char>(c)) != 0; };
    std::string found;
    for (std::size_t begin = 0; begin < text.size();) {
        std::size_t end = begin;
        while (end < text.size() && isLetter(text[end])) ++end;
        std::string word = text.substr(begin, end - begin);
        if (word.size() > 1 && std::all_of(word.begin() + 1, word.end(), isSmall) &&
            !isCodeAt(text, begin, end)) {
            word[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(word[0])));
            if (!keptTerms().contains(word)) found += (found.empty() ? "" : " ") + word;
        }
        begin = std::max(end, begin + 1);
    }
    return found;
}

}  // namespace plumb::test
