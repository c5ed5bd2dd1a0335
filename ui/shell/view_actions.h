// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QStringList>

namespace plumb::ui {

class ActionRegistry;
class Settings;
class Theme;
class ViewStack;

/// Which view is shown, in which theme and which language.
class ViewActions final : public QObject {
    Q_OBJECT
public:
    ViewActions(ActionRegistry& actions, ViewStack& views, Theme& theme, Settings& settings, QWidget& window);
    /// Ids of the actions that choose the language of the window.
    [[nodiscard]] static QStringList languages();

private:
    void addLanguages(ActionRegistry& actions, Settings& settings);
};

/// What the pages of the Lab offer beyond their own controls; each action shows the Lab.
class LabActions final : public QObject {
    Q_OBJECT
public:
    LabActions(ActionRegistry& actions, ViewStack& views, QWidget& window);
};

}  // namespace plumb::ui
