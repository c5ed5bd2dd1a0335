// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/settings/preferences.h"

#include <QObject>
#include <QPoint>
#include <QPointer>
#include <QString>

#include <optional>

class QWidget;

namespace plumb::ui {

class ActionRegistry;
class PreferencesDialog;
class Settings;

/// Opens the preferences, keeps what is chosen and puts it into force; what takes a window in other words or
/// sizes is said to whoever holds the window.
class PreferencesActions final : public QObject {
    Q_OBJECT
public:
    /// After the actions of themes and languages, which it keeps in step.
    PreferencesActions(ActionRegistry& actions, Settings& settings, Theme& theme, QWidget& window);

    /// A dialog that is open, for the window that takes over.
    struct Open {
        Preferences before;
        QString focused;  ///< name of the control
        QPoint place;
    };
    [[nodiscard]] std::optional<Open> opened() const;
    void resume(const Open& open);

signals:
    void changed();

private:
    void open(const Preferences& before);
    void make(const Preferences& before);
    void take(const Preferences& preferences);

    ActionRegistry& m_actions;
    Settings& m_settings;
    Theme& m_theme;
    QWidget& m_window;
    QPointer<PreferencesDialog> m_dialog;
};

}  // namespace plumb::ui
