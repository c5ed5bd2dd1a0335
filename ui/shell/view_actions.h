// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace plumb::ui {

class ActionRegistry;
class Settings;
class Theme;
class ViewStack;

/// Which view is shown, and in which theme.
class ViewActions final : public QObject {
    Q_OBJECT
public:
    ViewActions(ActionRegistry& actions, ViewStack& views, Theme& theme, Settings& settings, QWidget& window);
};

/// What the pages of the Lab offer beyond their own controls; each action shows the Lab.
class LabActions final : public QObject {
    Q_OBJECT
public:
    LabActions(ActionRegistry& actions, ViewStack& views, QWidget& window);
};

}  // namespace plumb::ui
