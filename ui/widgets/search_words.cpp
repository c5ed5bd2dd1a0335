// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/search_words.h"

#include "core/base/nearest.h"

#include <QRegularExpression>

#include <algorithm>
#include <string>
#include <vector>

namespace plumb::ui {
namespace {

constexpr qsizetype kMostWords = 64;

bool hasWholeNumber(const QString& text, const QString& number) {
    for (qsizetype at = text.indexOf(number); at >= 0; at = text.indexOf(number, at + 1)) {
        const qsizetype end = at + number.size();
        const bool begins = at == 0 || !text[at - 1].isDigit();
        const bool ends = end == text.size() || !text[end].isDigit();
        if (begins && ends) return true;
    }
    return false;
}

}  // namespace

SearchWords::SearchWords(const QString& text)
    : m_words(text.split(u' ', Qt::SkipEmptyParts).mid(0, kMostWords)) {}

bool SearchWords::isNumber(const QString& word) {
    return std::ranges::all_of(word, [](QChar c) { return c.isDigit(); });
}

SearchWords::Found SearchWords::in(const QString& text) const {
    Found found = 0;
    for (qsizetype i = 0; i < m_words.size(); ++i) {
        const QString& word = m_words[i];
        if (isNumber(word) ? hasWholeNumber(text, word) : text.contains(word, Qt::CaseInsensitive))
            found |= Found{1} << i;
    }
    return found;
}

SearchWords::Found SearchWords::namesIn(const QString& identifier) const {
    Found found = in(identifier);
    for (qsizetype i = 0; i < m_words.size(); ++i)
        if (isNumber(m_words[i])) found &= ~(Found{1} << i);
    return found;
}

bool SearchWords::areAll(Found found) const {
    for (qsizetype i = 0; i < m_words.size(); ++i)
        if ((found & (Found{1} << i)) == 0) return false;
    return true;
}

QString corrected(const QString& text, const QString& word, const QStringList& known, const QString& before,
                  const QString& behind) {
    constexpr qsizetype kLeastLetters = 3;  // of two anything is near
    if (word.size() < kLeastLetters) return {};
    std::vector<std::string> words;
    for (const QString& one : known) words.push_back(one.toStdString());
    const QString meant = QString::fromStdString(nearestWord(word.toLower().toStdString(), words));
    const QRegularExpression place(QStringLiteral("(?<![A-Za-z_])%1%2(?=\\s*%3)")
                                       .arg(QRegularExpression::escape(before),
                                            QRegularExpression::escape(word),
                                            QRegularExpression::escape(behind)),
                                   QRegularExpression::CaseInsensitiveOption);
    const QRegularExpressionMatch match = place.match(text);
    if (meant.isEmpty() || !match.hasMatch()) return {};
    return QString(text).replace(match.capturedEnd() - word.size(), word.size(), meant);
}

}  // namespace plumb::ui
