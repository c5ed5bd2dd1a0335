// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QSize>

class QCoreApplication;
class QWidget;

namespace plumb::ui {

/// What the screen of a window leaves it, with a title bar above it.
[[nodiscard]] QSize screenRoom(const QWidget& window);

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
