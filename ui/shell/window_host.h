// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/settings/preferences.h"

#include <QObject>
#include <QStringList>
#include <QTimer>

#include <memory>
#include <vector>

namespace plumb::ui {

class MainWindow;
class Settings;
class WindowFrame;

/// Holds the windows with their documents, and makes these anew when their user chooses another language,
/// other letters or another way to write numbers. Sessions stay: what is open, what runs and what can be
/// undone.
class WindowHost final : public QObject {
    Q_OBJECT
public:
    /// All three outlive it.
    WindowHost(Settings& settings, Theme& theme, Translations& translations);
    ~WindowHost() override;

    /// The first window, and the document that is shown in it.
    [[nodiscard]] WindowFrame& frame() { return *m_frames.front(); }
    [[nodiscard]] MainWindow& window();
    [[nodiscard]] int windowCount() const { return static_cast<int>(m_frames.size()); }
    /// Opens the files that were open at the last end, where the settings say so; says which are gone.
    void restore();

signals:
    void windowChanged();                            ///< window() is another
    void pageMade(plumb::ui::MainWindow* page);      ///< the first one is there already
    void windowMade(plumb::ui::WindowFrame* frame);  ///< as a document moved into it

private:
    WindowFrame& addFrame();
    void follow(MainWindow& page);
    void giveWindow(MainWindow& page);
    void tellGone(const QStringList& gone);
    void followPreferences();
    void rebuild();  ///< all windows

    Settings& m_settings;
    Theme& m_theme;
    Translations& m_translations;
    Preferences m_made;  ///< the settings, when the windows were made
    QTimer m_pause;      ///< since the last choice in the preferences
    std::vector<std::unique_ptr<WindowFrame>> m_frames;
};

}  // namespace plumb::ui
