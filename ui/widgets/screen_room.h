// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QObject>
#include <QRect>
#include <QSize>

class QCoreApplication;
class QWidget;

namespace plumb::ui {

/// What the screen of a window leaves it, with a title bar above it.
[[nodiscard]] QSize screenRoom(const QWidget& window);

/// Where a window stands that was to have `wanted`: on the one of the `screens` that holds most of it, else
/// on the first, and no larger than that. Rectangles without a title bar; as wanted where there is no screen.
[[nodiscard]] QRect onScreens(const QRect& wanted, const QList<QRect>& screens);

/// Moves a window that was placed on other screens onto those that are there.
void keepOnScreens(QWidget& window);

/// Shows every dialog of the program no larger than its screen leaves room for, so that its buttons are in
/// sight.
class ScreenFit final : public QObject {
    Q_OBJECT
public:
    explicit ScreenFit(QCoreApplication& application, QObject* parent = nullptr);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
};

}  // namespace plumb::ui
