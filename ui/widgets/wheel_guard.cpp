// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/wheel_guard.h"

#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QEvent>
#include <QScrollBar>

namespace plumb::ui {

WheelGuard::WheelGuard(QApplication& application, QObject* parent) : QObject(parent) {
    application.installEventFilter(this);
}

bool WheelGuard::isGuarded(const QObject& object) {
    if (qobject_cast<const QScrollBar*>(&object) != nullptr) return false;
    return qobject_cast<const QAbstractSlider*>(&object) != nullptr ||
           qobject_cast<const QAbstractSpinBox*>(&object) != nullptr ||
           qobject_cast<const QComboBox*>(&object) != nullptr;
}

bool WheelGuard::eventFilter(QObject* watched, QEvent* event) {
    const QEvent::Type type = event->type();
    if ((type == QEvent::Wheel || type == QEvent::Polish) && isGuarded(*watched)) {
        auto* const widget = static_cast<QWidget*>(watched);
        if (type == QEvent::Polish && widget->focusPolicy() == Qt::WheelFocus)
            widget->setFocusPolicy(Qt::StrongFocus);
        if (type == QEvent::Wheel && !widget->hasFocus()) {
            event->ignore();  // so that it goes on to the parent
            return true;
        }
    }
    return QObject::eventFilter(watched, event);
}

}  // namespace plumb::ui
