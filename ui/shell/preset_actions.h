// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "ui/run/presets.h"

#include <QObject>

class QWidget;

namespace plumb::ui {

class ActionRegistry;
class RunPanel;
class Settings;
class Theme;
struct Session;

/// Configurations under names: the dialog that lists them, and how one comes into force.
class PresetActions final : public QObject {
    Q_OBJECT
public:
    PresetActions(ActionRegistry& actions, Session& session, Settings& settings, Theme& theme,
                  RunPanel& panel, QWidget& window);

    [[nodiscard]] const Presets& presets() const { return m_presets; }
    /// False while a recorded step hides the panel's settings.
    [[nodiscard]] bool canApply() const;
    /// One step for Undo.
    void apply(const Preset& preset);

signals:
    void noticed(const QString& message);
    void failed(const plumb::Error& error);

private:
    void showDialog();
    void askName();
    void follow();

    ActionRegistry& m_actions;
    Session& m_session;
    Settings& m_settings;
    Theme& m_theme;
    RunPanel& m_panel;
    QWidget& m_window;
    Presets m_presets;
};

}  // namespace plumb::ui
