// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/layout_actions.h"

#include "ui/settings/settings.h"
#include "ui/shell/action_registry.h"
#include "ui/shell/top_bar.h"
#include "ui/shell/view_dock.h"
#include "ui/shell/view_stack.h"

#include <QMenu>

namespace plumb::ui {
namespace {

constexpr const char* kOfTab[] = {"view.detach", "view.dockRight", "view.dockBelow", "view.putBack"};

}  // namespace

LayoutActions::LayoutActions(ActionRegistry& actions, ViewStack& views, ViewDocks& docks, TopBar& bar,
                             Settings& settings, QWidget& window)
    : QObject(&window),
      m_actions(actions),
      m_views(views),
      m_docks(docks),
      m_settings(settings),
      m_window(window) {
    actions.add(
        {QStringLiteral("view.detach"), tr("View in a &window of its own"),
         tr("Take the current view out of the tabs, into a window that can stand on another screen, or "
            "put it back"),
         keys("Ctrl+Shift+W"), true},
        [this] { toggleWindow(); });
    add(QStringLiteral("view.dockRight"), tr("View at the &right"),
        tr("Keep the current view in sight at the right, beside the others"), ViewDocks::Place::Right);
    add(QStringLiteral("view.dockBelow"), tr("View &below"),
        tr("Keep the current view in sight below the others"), ViewDocks::Place::Below);
    actions.add({QStringLiteral("view.putBack"),
                 tr("Put the view bac&k"),
                 tr("Put the current view back among the tabs"),
                 {}},
                [this] { m_docks.putBack(m_views.currentTab()); });
    actions.add({resetId(),
                 tr("Reset the la&yout"),
                 tr("Put all views back among the tabs, and give panels and parts the sizes that they have "
                    "at first"),
                 {}},
                [this] { reset(); });
    connect(&views, &ViewStack::tabShown, this, &LayoutActions::follow);
    connect(&views, &ViewStack::tabsChanged, this, &LayoutActions::follow);
    connect(&docks, &ViewDocks::changed, this, &LayoutActions::follow);
    connect(&bar, &TopBar::tabMenuWanted, this, &LayoutActions::popUpFor);
    follow();
}

void LayoutActions::add(const QString& id, const QString& text, const QString& tip, ViewDocks::Place place) {
    m_actions.add({id, text, tip, {}}, [this, place] { m_docks.take(m_views.currentTab(), place); });
}

void LayoutActions::toggleWindow() {
    const int tab = m_views.currentTab();
    const ViewDock* const dock = m_docks.dockOf(tab);
    if (dock != nullptr && dock->isFloating())
        m_docks.putBack(tab);
    else
        m_docks.take(tab, ViewDocks::Place::Window);
}

void LayoutActions::follow() {
    const int tab = m_views.currentTab();
    const ViewDock* const dock = m_docks.dockOf(tab);
    const bool canGo = dock != nullptr || m_views.canLend(tab);
    m_actions.enable("view.detach", canGo);
    m_actions.action(QStringLiteral("view.detach"))->setChecked(dock != nullptr && dock->isFloating());
    m_actions.enable("view.dockRight", canGo);
    m_actions.enable("view.dockBelow", canGo);
    m_actions.enable("view.putBack", dock != nullptr);
}

// The actions are those of the current view, which the tab of the menu becomes.
void LayoutActions::popUpFor(int tab, const QPoint& at) {
    if (tab != m_views.currentTab()) m_views.goToTab(tab);
    auto* menu = new QMenu(&m_window);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setObjectName(QStringLiteral("viewTabMenu"));
    for (const char* id : kOfTab) menu->addAction(m_actions.action(QLatin1String(id)));
    menu->popup(at);
}

void LayoutActions::reset() {
    m_docks.putAllBack();
    m_settings.setLayout({});
    m_settings.setPanelUnfolded(true);
}

}  // namespace plumb::ui
