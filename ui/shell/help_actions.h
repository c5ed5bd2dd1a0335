// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace plumb::ui {

class ActionRegistry;

/// Pages to read: what the numbers mean, the shortcuts, and who made this.
class HelpActions final : public QObject {
    Q_OBJECT
public:
    HelpActions(ActionRegistry& actions, QWidget& window);

private:
    void showNumbers();
    void showShortcuts();
    void showAbout();

    ActionRegistry& m_actions;
    QWidget& m_window;
};

}  // namespace plumb::ui
