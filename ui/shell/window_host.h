// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <memory>

namespace plumb::ui {

class MainWindow;
class Settings;
class Theme;
class Translations;
enum class Language;

/// Holds the window, and makes it anew in other words when its user chooses another language. The session
/// stays: what is open, what runs and what can be undone.
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
    Language m_language;  ///< of the settings, when the window was made
    std::unique_ptr<MainWindow> m_window;
};

}  // namespace plumb::ui
