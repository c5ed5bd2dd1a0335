// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMap>
#include <QObject>
#include <QString>

class QShortcut;

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
    /// What the keys of an action do that cannot be started now: a paused run goes on, else they say why.
    void answer(const QString& action);

    ActionRegistry& m_actions;
    Session& m_session;
    RunPanel& m_panel;
    ViewStack& m_views;
    QMap<QString, QShortcut*> m_answers;  ///< the keys of actions, while those cannot be started
};

}  // namespace plumb::ui
