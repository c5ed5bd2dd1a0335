// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/error_text.h"

#include "core/base/sentence.h"
#include "ui/theme/text.h"

#include <QRegularExpression>
#include <QStringList>

namespace plumb::ui {
namespace {

/// What stands in brackets, at the end of a clause or by itself: "(61859)", "61859:".
const QRegularExpression& count() {
    static const QRegularExpression kCount(QStringLiteral("^\\(?([1-9][0-9]{4,17})\\)?[,;:.]?\\)?$"));
    return kCount;
}

/// Numbers of an English sentence that count something. A path may hold blanks and numbers, so that none
/// behind one is known to be a count.
QStringList countsOf(const QString& sentence) {
    static const QRegularExpression kQuoted(QStringLiteral("\"[^\"]*\"|'[^' ]*'|(?<=[\\s(])'[^']*'"));
    static const QRegularExpression kNoCount(
        QStringLiteral("^(?:build|code|cuda|cupti|driver|error|id|line|number|pid|port|process|protocol|seed|"
                       "release|status|version|year|xid)$"),
        QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression kDigits(QStringLiteral("[0-9]{5,}"));
    QStringList counts, others;
    for (auto quoted = kQuoted.globalMatch(sentence); quoted.hasNext();) {
        const QString name = quoted.next().captured();
        for (auto digits = kDigits.globalMatch(name); digits.hasNext();) others << digits.next().captured();
    }
    QString text = sentence;
    text.replace(kQuoted, QStringLiteral("\""));
    QString before;
    bool isBehindPath = false;
    for (const QString& word : text.split(QRegularExpression(QStringLiteral("\\s")))) {
        isBehindPath = isBehindPath || word.contains(QLatin1Char('/'));
        if (const QRegularExpressionMatch found = count().match(word); found.hasMatch()) {
            const bool isCount = !isBehindPath && !kNoCount.match(before).hasMatch();
            (isCount ? counts : others) << found.captured(1);
        }
        before = word;
    }
    // One that is a count here and a name there cannot be told apart in another language.
    for (const QString& other : others) counts.removeAll(other);
    return counts;
}

}  // namespace

QString errorSentence(const Error& error) {
    const std::string english = error.text();
    QString told = withGroupedCounts(coreText(english), english);
    // What the window says in Chinese itself has the colon of Chinese before its remedy, too.
    const QString message = toText(error.message);
    const bool isWide = !message.isEmpty() && message.back() >= QChar(0x3000);
    if (isWide && told.startsWith(message + QStringLiteral(": ")))
        told.replace(message.size(), 2, QChar(0xFF1A));
    return sentenceText(told);
}

QString sentenceText(const QString& text) { return toText(asSentence(text.toStdString())); }

QString withGroupedCounts(const QString& told, const std::string& english) {
    const QString original = toText(english);
    QString text = told;
    for (const QString& digits : countsOf(original)) {
        // Not part of anything longer, and no more often than the English sentence says it.
        const QRegularExpression alone(
            QStringLiteral("(?<![^\\s(\\x{3000}-\\x{9fff}\\x{ff00}-\\x{ffef}])%1(?![^\\s),;:.\\x{3000}-"
                           "\\x{9fff}\\x{ff00}-\\x{ffef}]|[,.:][0-9A-Za-z])")
                .arg(digits));
        text.replace(alone, countText(digits.toLongLong()));
    }
    return text;
}

}  // namespace plumb::ui
