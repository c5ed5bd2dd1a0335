// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace plumb::ui {

class ActionRegistry;
class Settings;
class ShortcutMap;
class Theme;

/// Pages to read: what the numbers mean, the shortcuts, and who made this.
class HelpActions final : public QObject {
    Q_OBJECT
public:
    /// Made last: the shortcuts are of all actions that are there, its own included.
    HelpActions(ActionRegistry& actions, Settings& settings, Theme& theme, QWidget& window);

private:
    void showNumbers();
    void showShortcuts();
    void showAbout();

    ActionRegistry& m_actions;
    Theme& m_theme;
    ShortcutMap* m_shortcuts = nullptr;
    QWidget& m_window;
};

}  // namespace plumb::ui
