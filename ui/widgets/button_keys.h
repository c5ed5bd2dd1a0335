// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QCoreApplication;

namespace plumb::ui {

/// Lets Enter press the button that has the keyboard, in every window of the program and in every dialog,
/// whatever its default button is; elsewhere in a dialog Enter presses the default one, as ever.
class ButtonKeys final : public QObject {
    Q_OBJECT
public:
    explicit ButtonKeys(QCoreApplication& application, QObject* parent = nullptr);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
};

}  // namespace plumb::ui
