// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QApplication;

namespace plumb::ui {

/// Keeps the wheel from changing a slider, a spin box or a combo box that has no focus: what stands around it
/// scrolls instead. It also takes the focus by wheel away from them, which would come before the change.
/// Scroll bars are for the wheel and stay. One works for all windows of the application.
class WheelGuard final : public QObject {
    Q_OBJECT
public:
    explicit WheelGuard(QApplication& application, QObject* parent = nullptr);

    /// Whether the wheel changes a value of `object`, or would.
    [[nodiscard]] static bool isGuarded(const QObject& object);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
};

}  // namespace plumb::ui
