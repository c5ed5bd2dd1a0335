// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace plumb::ui {

class ActionRegistry;
class RunController;
class RunPanel;
class Theme;
class ViewStack;
struct Session;

/// Runs, profiles and measures what the run panel shows.
class RunActions final : public QObject {
    Q_OBJECT
public:
    RunActions(ActionRegistry& actions, Session& session, RunPanel& panel, ViewStack& views, Theme& theme,
               QWidget& window);

private:
    /// What is typed in the panel and not yet entered counts: what runs is what the window shows.
    void start(void (RunController::*action)());
    void measureCurve();
    void refresh();

    ActionRegistry& m_actions;
    Session& m_session;
    RunPanel& m_panel;
    ViewStack& m_views;
};

}  // namespace plumb::ui
