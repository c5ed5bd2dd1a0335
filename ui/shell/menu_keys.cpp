// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/menu_keys.h"

#include <QAction>
#include <QKeySequence>
#include <QMenu>
#include <QMenuBar>
#include <QRegularExpression>
#include <QSet>

#include <algorithm>

namespace plumb::ui {
namespace {

/// Empty where the text has none.
QString keyOf(const QString& text) { return QKeySequence::mnemonic(text).toString().section(u'+', -1); }

/// The text with a key that is not taken, or without one.
QString withFreeKey(QString text, const QSet<QString>& taken) {
    static const QRegularExpression kBehind(QStringLiteral("\\(&.\\)"));
    static const QRegularExpression kMark(QStringLiteral("&(?!&)"));
    if (const QRegularExpressionMatch behind = kBehind.match(text); behind.hasMatch()) {
        QString key;
        for (char16_t letter = u'A'; letter <= u'Z' && key.isEmpty(); ++letter)
            if (!taken.contains(QString(QChar(letter)))) key = QStringLiteral("(&%1)").arg(QChar(letter));
        return text.replace(behind.capturedStart(), behind.capturedLength(), key);
    }
    text.remove(kMark);
    for (qsizetype i = 0; i < text.size(); ++i)
        if (text[i].isLetter() && !taken.contains(text[i].toUpper())) return text.insert(i, u'&');
    return text;
}

bool isInSeveralMenus(const QAction& action) {
    const QObjectList where = action.associatedObjects();
    return std::ranges::count_if(
               where, [](const QObject* each) { return qobject_cast<const QMenu*>(each) != nullptr; }) > 1;
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as menus lie in each other.
void giveKeys(const QList<QAction*>& actions) {
    QSet<QString> taken;
    for (const QAction* action : actions)
        if (isInSeveralMenus(*action)) taken << keyOf(action->text());
    for (QAction* action : actions) {
        if (action->menu() != nullptr) giveKeys(action->menu()->actions());
        if (isInSeveralMenus(*action) || keyOf(action->text()).isEmpty()) continue;
        if (taken.contains(keyOf(action->text()))) action->setText(withFreeKey(action->text(), taken));
        taken << keyOf(action->text());
    }
}

}  // namespace

void giveEachKeyOnce(QMenuBar& bar) { giveKeys(bar.actions()); }

}  // namespace plumb::ui
