// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/theme.h"

#include <QObject>
#include <QStringList>

namespace plumb::ui {

class ActionRegistry;
class RunPanel;
class Settings;
class SidePanel;
class ViewStack;

/// Which view is shown, in which theme and which language.
class ViewActions final : public QObject {
    Q_OBJECT
public:
    ViewActions(ActionRegistry& actions, ViewStack& views, Theme& theme, Settings& settings, QWidget& window);
    /// Ids of the actions that choose the language of the window.
    [[nodiscard]] static QStringList languages();
    /// Id of the action that chooses a theme.
    [[nodiscard]] static QString themeId(Theme::Mode mode);

private:
    void addLanguages(ActionRegistry& actions, Settings& settings);
};

/// Folds and unfolds the panel at the left, and keeps the rail that stands for it up to date.
class PanelActions final : public QObject {
    Q_OBJECT
public:
    PanelActions(ActionRegistry& actions, SidePanel& side, RunPanel& panel, QWidget& window);
};

/// What the pages of the Lab offer beyond their own controls; each action shows the Lab.
class LabActions final : public QObject {
    Q_OBJECT
public:
    LabActions(ActionRegistry& actions, ViewStack& views, QWidget& window);
};

}  // namespace plumb::ui
