// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <string>

namespace plumb::ui {

class ActionRegistry;
class DevicesDialog;
class Settings;
class Theme;
class ViewStack;
struct Session;

/// What the planner and the data sheets need of the window: actions, file choosers and a dialog.
class PlannerActions final : public QObject {
    Q_OBJECT
public:
    PlannerActions(ActionRegistry& actions, Session& session, ViewStack& views, Theme& theme,
                   Settings& settings, QWidget& window);

private:
    void askModelConfig();
    void showDevices();
    /// Takes the device for what is looked at: the planner, or the run panel.
    void chooseDevice(const std::string& id);

    Session& m_session;
    ViewStack& m_views;
    Theme& m_theme;
    Settings& m_settings;
    QWidget& m_window;
    DevicesDialog* m_devices = nullptr;  ///< made when first shown; keeps what was typed
};

}  // namespace plumb::ui
