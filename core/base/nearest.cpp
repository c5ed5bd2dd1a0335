// SPDX-License-Identifier: Apache-2.0
#include "core/base/nearest.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace plumb {

namespace {

std::size_t editDistance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
        }
    }
    return row.back();
}

constexpr std::string_view kAsks = "did you mean ";

bool isOfWord(char sign) {
    return (sign >= 'a' && sign <= 'z') || (sign >= 'A' && sign <= 'Z') || (sign >= '0' && sign <= '9') ||
           sign == '_' || sign == '-';
}

std::vector<std::string> wordsOf(std::string_view text) {
    std::vector<std::string> words(1);
    for (const char sign : text) {
        if (isOfWord(sign))
            words.back() += sign;
        else if (!words.back().empty())
            words.emplace_back();
    }
    if (words.back().empty()) words.pop_back();
    return words;
}

}  // namespace

std::string nearestWord(std::string_view word, const std::vector<std::string>& known) {
    std::string best;
    // More than a third of the letters wrong is another word, not a slip.
    std::size_t bestDistance = std::max<std::size_t>(2, word.size() / 3) + 1;
    for (const std::string& candidate : known) {
        const std::size_t distance = editDistance(word, candidate);
        if (distance < bestDistance) {
            bestDistance = distance;
            best = candidate;
        }
    }
    return best;
}

std::string didYouMean(std::string_view word, const std::vector<std::string>& known, std::string otherwise) {
    const std::string nearest = nearestWord(word, known);
    return nearest.empty() ? std::move(otherwise) : fmt::format("did you mean {:s}?", nearest);
}

std::string asMeant(std::string_view typed, const Error& error) {
    if (!error.hint.starts_with(kAsks) || !error.hint.ends_with('?')) return {};
    std::string meant = error.hint.substr(kAsks.size(), error.hint.size() - kAsks.size() - 1);
    meant.erase(0, meant.find_first_not_of('.'));  // the name of a step
    const std::string wrong = nearestWord(meant, wordsOf(typed));
    const std::size_t at = wrong.empty() || wrong == meant ? std::string_view::npos : typed.find(wrong);
    return at == std::string_view::npos ? std::string() : std::string(typed).replace(at, wrong.size(), meant);
}

}  // namespace plumb
