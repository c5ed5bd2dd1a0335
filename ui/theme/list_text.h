// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QString>
#include <QStringList>

namespace plumb::ui {

/// The parts of a list in one line, with the comma that the window's language has between them.
[[nodiscard]] inline QString listText(const QStringList& parts) {
    QString text;
    for (const QString& part : parts)
        text = text.isEmpty()
                   ? part
                   : QCoreApplication::translate("plumb::ui", "%1, %2", "parts of a list").arg(text, part);
    return text;
}

/// Parts that have commas themselves, in one line.
[[nodiscard]] inline QString clausesText(const QStringList& parts) {
    QString text;
    for (const QString& part : parts)
        text = text.isEmpty() ? part
                              : QCoreApplication::translate("plumb::ui", "%1; %2", "clauses").arg(text, part);
    return text;
}

/// Sentences one behind the other; a full stop of Chinese needs no blank behind it.
[[nodiscard]] inline QString sentencesText(const QStringList& sentences) {
    QString text;
    for (const QString& sentence : sentences) {
        const bool isClosed = text.isEmpty() || text.endsWith(QChar(0x3002)) || text.endsWith(QChar(0xFF01));
        if (!sentence.isEmpty()) text += isClosed ? sentence : QLatin1Char(' ') + sentence;
    }
    return text;
}

}  // namespace plumb::ui
