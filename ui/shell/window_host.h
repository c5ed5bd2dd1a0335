// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/settings/preferences.h"

#include <QObject>

#include <memory>

namespace plumb::ui {

class MainWindow;
class Settings;

/// Holds the window, and makes it anew when its user chooses another language, other letters or another way
/// to write numbers. The session stays: what is open, what runs and what can be undone.
class WindowHost final : public QObject {
    Q_OBJECT
public:
    /// All three outlive it.
    WindowHost(Settings& settings, Theme& theme, Translations& translations);
    ~WindowHost() override;

    [[nodiscard]] MainWindow& window() { return *m_window; }

signals:
    void windowChanged();  ///< window() is another

private:
    void follow();
    void rebuild();

    Settings& m_settings;
    Theme& m_theme;
    Translations& m_translations;
    Preferences m_made;  ///< the settings, when the window was made
    std::unique_ptr<MainWindow> m_window;
};

}  // namespace plumb::ui
