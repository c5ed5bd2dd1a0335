// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <QObject>
#include <QStringList>

#include <string>

namespace plumb::ui {

class ActionRegistry;
class DevicesDialog;
class Settings;
class Theme;
class ViewStack;
struct Session;

/// What the planner and the data sheets need of the window: actions, file choosers and dialogs.
class PlannerActions final : public QObject {
    Q_OBJECT
public:
    PlannerActions(ActionRegistry& actions, Session& session, ViewStack& views, Theme& theme,
                   Settings& settings, QWidget& window);

    /// One plan goes into the planner, two or three are set side by side.
    void openPlans(const QStringList& paths);

signals:
    void failed(const plumb::Error& error);
    void used(const QStringList& paths);  ///< plans that were opened, saved or compared
    void noticed(const QString& message);

private:
    void connectView(int tab);  ///< that was made
    void askModelConfig();
    void askOpenPlan();
    void askMeasurement();
    void askSavePlan();
    /// The plan in the planner beside one or two of files.
    void askComparePlans();
    void comparePlans(const QStringList& paths, bool withCurrent);
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
