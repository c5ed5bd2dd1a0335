// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QKeySequence>
#include <QLatin1String>
#include <QShortcut>
#include <QWidget>

namespace plumb::ui {

/// "Ctrl+K" as a shortcut.
[[nodiscard]] inline QKeySequence keys(const char* text) { return {QLatin1String(text)}; }

/// "/" anywhere in a view, which leads to the field in which it is searched. The window has a key for it too,
/// see findKeyOf().
[[nodiscard]] inline QShortcut* findKey(QWidget& view) {
    auto* find = new QShortcut(QKeySequence(Qt::Key_Slash), &view);
    find->setObjectName(QStringLiteral("findKey"));
    find->setContext(Qt::WidgetWithChildrenShortcut);
    return find;
}

/// The findKey() of the view, or of a part of it that is in sight; null: there is nothing to search in.
[[nodiscard]] inline QShortcut* findKeyOf(const QWidget& view) {
    for (QShortcut* find : view.findChildren<QShortcut*>(QStringLiteral("findKey")))
        if (static_cast<const QWidget*>(find->parent())->isVisibleTo(&view)) return find;
    return nullptr;
}

}  // namespace plumb::ui
