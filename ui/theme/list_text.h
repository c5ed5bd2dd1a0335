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

}  // namespace plumb::ui
