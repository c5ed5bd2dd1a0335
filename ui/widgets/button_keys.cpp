// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/button_keys.h"

#include <QCoreApplication>
#include <QKeyEvent>
#include <QPushButton>
#include <QToolButton>

namespace plumb::ui {
namespace {

/// A button that does something. One that is switched, as a check box, has the blank for that.
QAbstractButton* buttonIn(QObject* watched) {
    auto* button = qobject_cast<QAbstractButton*>(watched);
    const bool acts =
        qobject_cast<QPushButton*>(button) != nullptr || qobject_cast<QToolButton*>(button) != nullptr;
    return acts ? button : nullptr;
}

bool isEnter(const QKeyEvent& key) { return key.key() == Qt::Key_Return || key.key() == Qt::Key_Enter; }

}  // namespace

ButtonKeys::ButtonKeys(QCoreApplication& application, QObject* parent) : QObject(parent) {
    application.installEventFilter(this);
}

// Qt does so for buttons of a dialog that are "auto default". Such a one becomes the default of the whole
// dialog in passing, and a dialog without default would have Enter in a field press its first button.
bool ButtonKeys::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::KeyPress) return false;
    const auto& key = static_cast<const QKeyEvent&>(*event);
    if (!isEnter(key) || (key.modifiers() & ~Qt::KeypadModifier) != Qt::NoModifier) return false;
    QAbstractButton* const button = buttonIn(watched);
    if (button == nullptr) return false;
    if (!key.isAutoRepeat()) button->click();
    return true;
}

}  // namespace plumb::ui
