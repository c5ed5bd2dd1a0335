// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/fuzzy_match.h"

#include <algorithm>

namespace plumb::ui {
namespace {

constexpr int kWholeWord = 1000;
constexpr int kBeginning = 800;
constexpr int kInside = 400;
constexpr int kLetters = 200;
constexpr int kWrongNumber = 10;  ///< "3" in "23"
constexpr int kFirstWord = 50;    ///< more, where the text begins with it
constexpr int kLongest = 60;      ///< characters from which on length counts no more

bool beginsWord(QStringView text, qsizetype at) {
    return at == 0 || !text.at(at - 1).isLetterOrNumber() ||
           (text.at(at).isDigit() != text.at(at - 1).isDigit());
}

bool endsWord(QStringView text, qsizetype end) {
    return end >= text.size() || !text.at(end).isLetterOrNumber() ||
           text.at(end).isDigit() != text.at(end - 1).isDigit();
}

bool isNumber(QStringView word) {
    return std::all_of(word.begin(), word.end(), [](QChar sign) { return sign.isDigit(); });
}

/// The letters of `word` in order, the first at the beginning of a word of the text.
bool hasLetters(QStringView text, QStringView word) {
    qsizetype at = 0;
    for (qsizetype letter = 0; letter < word.size(); ++letter, ++at) {
        at = text.indexOf(word.at(letter), at, Qt::CaseInsensitive);
        while (letter == 0 && at >= 0 && !beginsWord(text, at))
            at = text.indexOf(word.at(letter), at + 1, Qt::CaseInsensitive);
        if (at < 0) return false;
    }
    return true;
}

int scoreOfWord(QStringView text, QStringView word) {
    const bool number = isNumber(word);
    int best = 0;
    for (qsizetype at = text.indexOf(word, 0, Qt::CaseInsensitive); at >= 0;
         at = text.indexOf(word, at + 1, Qt::CaseInsensitive)) {
        const bool begins = beginsWord(text, at);
        const bool whole = begins && endsWord(text, at + word.size());
        const int score = whole ? kWholeWord : number ? kWrongNumber : begins ? kBeginning : kInside;
        best = std::max(best, score + (at == 0 ? kFirstWord : 0));
    }
    if (best == 0 && !number && hasLetters(text, word)) best = kLetters;
    return best;
}

}  // namespace

FuzzyWords::FuzzyWords(const QString& wanted) : m_words(wanted.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {}

std::optional<int> FuzzyWords::score(QStringView text) const {
    int sum = 0;
    for (const QString& word : m_words) {
        const int score = scoreOfWord(text, word);
        if (score == 0) return std::nullopt;
        sum += score;
    }
    return sum - static_cast<int>(std::min<qsizetype>(text.size(), kLongest));
}

}  // namespace plumb::ui
