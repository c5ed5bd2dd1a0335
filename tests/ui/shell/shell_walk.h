// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/shell/main_window.h"

#include <QCoreApplication>
#include <QWidget>

#include <string>

namespace plumb::ui::test {

/// Calls `look` with each tab of the window that is there, shown and laid out.
template <class Look>
void forEachTab(MainWindow& window, Look look) {
    for (int tab = 0; tab < ViewStack::tabCount(); ++tab) {
        if (!window.views().isThere(tab)) continue;
        window.views().goToTab(tab);
        QCoreApplication::processEvents();
        look(std::string(ViewStack::views()[static_cast<std::size_t>(tab)].id));
    }
}

/// "QComboBox modelBox in runPanel": what a failure says of a widget.
[[nodiscard]] inline std::string nameOf(const QWidget& widget) {
    QString name = QLatin1String(widget.metaObject()->className()) + QLatin1Char(' ') + widget.objectName();
    for (const QWidget* outer = widget.parentWidget(); outer != nullptr; outer = outer->parentWidget())
        if (!outer->objectName().isEmpty() && !outer->objectName().startsWith(QStringLiteral("qt_")))
            return (name + QStringLiteral(" in ") + outer->objectName()).toStdString();
    return name.toStdString();
}

}  // namespace plumb::ui::test
