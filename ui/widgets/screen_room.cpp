// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/screen_room.h"

#include <QCoreApplication>
#include <QDialog>
#include <QEvent>
#include <QScreen>

namespace plumb::ui {

QSize screenRoom(const QWidget& window) {
    constexpr int kTitleBar = 36;  // what a window manager puts on top, in logical pixels
    return window.screen()->availableSize() - QSize(0, kTitleBar);
}

ScreenFit::ScreenFit(QCoreApplication& application, QObject* parent) : QObject(parent) {
    application.installEventFilter(this);
}

bool ScreenFit::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Show && !event->spontaneous())
        if (auto* dialog = qobject_cast<QDialog*>(watched); dialog != nullptr && dialog->isWindow())
            dialog->resize(dialog->size().boundedTo(screenRoom(*dialog)));
    return QObject::eventFilter(watched, event);
}

}  // namespace plumb::ui
