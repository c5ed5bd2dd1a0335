// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QKeySequence>
#include <QLatin1String>
#include <QShortcut>
#include <QWidget>

namespace plumb::ui {

/// "Ctrl+K" as a shortcut.
[[nodiscard]] inline QKeySequence keys(const char* text) { return {QLatin1String(text)}; }

/// "/" anywhere in a view, which leads to the field in which it is searched.
[[nodiscard]] inline QShortcut* findKey(QWidget& view) {
    auto* find = new QShortcut(QKeySequence(Qt::Key_Slash), &view);
    find->setContext(Qt::WidgetWithChildrenShortcut);
    return find;
}

}  // namespace plumb::ui
