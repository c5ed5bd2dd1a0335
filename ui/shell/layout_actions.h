// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/shell/view_docks.h"

#include <QObject>

namespace plumb::ui {

class ActionRegistry;
class Settings;
class SidePanel;
class TopBar;
class ViewStack;

/// Takes views out of the tabs and puts them back, from the menu, the palette and the menu of a tab, and
/// arranges the window as at first.
class LayoutActions final : public QObject {
    Q_OBJECT
public:
    LayoutActions(ActionRegistry& actions, ViewStack& views, ViewDocks& docks, TopBar& bar,
                  Settings& settings, QWidget& window);
    /// Id of the action after which the window is to be made anew.
    [[nodiscard]] static QString resetId() { return QStringLiteral("view.resetLayout"); }

private:
    void add(const QString& id, const QString& text, const QString& tip, ViewDocks::Place place);
    void toggleWindow();  ///< of the current view
    void popUpFor(int tab, const QPoint& at);
    void follow();  ///< what can be done with the current view
    void reset();

    ActionRegistry& m_actions;
    ViewStack& m_views;
    ViewDocks& m_docks;
    Settings& m_settings;
    QWidget& m_window;
};

}  // namespace plumb::ui
