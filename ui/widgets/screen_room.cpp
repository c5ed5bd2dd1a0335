// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/screen_room.h"

#include <QDialog>
#include <QEvent>
#include <QGuiApplication>
#include <QScreen>

#include <algorithm>
#include <cstdint>

namespace plumb::ui {

namespace {

constexpr int kTitleBar = 36;  // what a window manager puts on top, in logical pixels

}  // namespace

QSize screenRoom(const QWidget& window) { return window.screen()->availableSize() - QSize(0, kTitleBar); }

QRect onScreens(const QRect& wanted, const QList<QRect>& screens) {
    if (screens.isEmpty()) return wanted;
    const auto shared = [&](const QRect& screen) {
        const QSize common = screen.intersected(wanted).size().expandedTo({0, 0});
        return std::int64_t(common.width()) * common.height();
    };
    const QRect screen = *std::ranges::max_element(screens, {}, shared);
    QRect placed(wanted.topLeft(), wanted.size().boundedTo(screen.size()));
    placed.moveLeft(std::clamp(placed.left(), screen.left(), screen.right() + 1 - placed.width()));
    placed.moveTop(std::clamp(placed.top(), screen.top(), screen.bottom() + 1 - placed.height()));
    return placed;
}

void keepOnScreens(QWidget& window) {
    if (window.isMaximized() || window.isFullScreen()) return;  // fills whatever screen it is on
    QList<QRect> screens;
    for (const QScreen* screen : QGuiApplication::screens())
        screens << screen->availableGeometry().adjusted(0, kTitleBar, 0, 0);
    const QRect placed = onScreens(window.geometry(), screens);
    if (placed != window.geometry()) window.setGeometry(placed);
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
