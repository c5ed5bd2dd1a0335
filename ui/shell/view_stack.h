// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/shell/view_specs.h"
#include "ui/workbench/view.h"

#include <QStackedWidget>

#include <span>
#include <vector>

namespace plumb::ui {

class Settings;
class ViewPage;
struct Session;

/// The views of the window, one a tab, each made when it is first shown. A view can be lent to another place;
/// it is the current one then while it is worked in, and the stack shows another.
class ViewStack final : public QStackedWidget {
    Q_OBJECT
public:
    using Spec = ViewSpec;
    /// The views in the order of the tabs; the first is the Overview.
    [[nodiscard]] static std::span<const Spec> views() { return windowViews(); }
    [[nodiscard]] static int tabCount() { return static_cast<int>(views().size()); }
    /// Index of a tab by its id; -1 for an unknown one.
    [[nodiscard]] static int tabOf(const QString& id);

    ViewStack(Session& session, Theme& theme, Settings& settings, QWidget* parent = nullptr);

    /// Whether the tab is there now.
    [[nodiscard]] bool isThere(int tab) const;
    /// Tells tabsChanged(), and leaves the current tab when it is there no longer.
    void refreshTabs();

    /// The tab that is worked in, wherever its view is.
    [[nodiscard]] int currentTab() const { return m_current; }
    [[nodiscard]] QWidget* currentView() const { return viewAt(currentTab()); }
    /// The tab whose view the stack shows.
    [[nodiscard]] int shownTab() const;
    /// A tab that is not there does not become the current one.
    void setCurrentTab(int index);
    /// setCurrentTab() by the user, who wants to use the keyboard there at once.
    void goToTab(int index);
    /// goToTab() of the view with this id, if there is one, with that operation selected, if one is named.
    void goTo(const QString& view, const QString& op = {});
    /// Shows the view with this id and returns it; null for one that is not there.
    QWidget* showView(const QString& id);
    /// Null for a view that was not needed yet.
    [[nodiscard]] QWidget* viewAt(int tab) const { return m_made.at(static_cast<std::size_t>(tab)); }
    /// The view, made now when it was not.
    [[nodiscard]] QWidget& madeViewAt(int tab);

    /// Whether the view can leave: the stack keeps one.
    [[nodiscard]] bool canLend(int tab) const;
    /// Hands the page of the view over. Pre: canLend(tab).
    [[nodiscard]] ViewPage& lend(int tab);
    [[nodiscard]] bool isLent(int tab) const { return m_isLent.at(static_cast<std::size_t>(tab)); }
    /// Takes the page of a view back that was lent.
    void takeBack(int tab);

signals:
    void tabShown(int index);  ///< it is the current one
    void tabsChanged();
    void viewMade(int tab);
    void lentViewWanted(int tab);  ///< to be seen where it is
    /// All views are to come back, as each is to be drawn in the same frame, or can go where they were.
    void gatherWanted(bool on);

private:
    [[nodiscard]] int insteadOf(int tab) const;  ///< to be shown when it leaves

    Session& m_session;
    Settings& m_settings;
    ViewContext m_context;
    std::vector<QWidget*> m_made;    ///< by tab
    std::vector<ViewPage*> m_pages;  ///< of each, by tab
    std::vector<bool> m_isLent;      ///< by tab
    int m_current = 0;
};

}  // namespace plumb::ui
