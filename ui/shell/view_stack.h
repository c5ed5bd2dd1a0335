// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/shell/view_specs.h"
#include "ui/workbench/view.h"

#include <QStackedWidget>

#include <span>
#include <vector>

namespace plumb::ui {

class RecomputeView;
class LabView;
class PlannerView;
class Settings;
struct Session;

/// The views of the window, one a tab, each made when it is first shown. What a view asks of others than the
/// session comes out as a signal.
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
    /// Whether what the current tab shows can be closed.
    [[nodiscard]] bool canCloseCurrent() const;
    void closeCurrent();

    [[nodiscard]] int currentTab() const;
    /// The view that is shown, in the page that the stack shows.
    [[nodiscard]] QWidget* currentView() const { return viewAt(currentTab()); }
    /// A tab that is not there is not shown.
    void setCurrentTab(int index);
    /// setCurrentTab() by the user, who wants to use the keyboard there at once.
    void goToTab(int index);
    /// Shows the view with this id and returns it; null for one that is not there.
    QWidget* showView(const QString& id);
    /// Null for a view that was not needed yet.
    [[nodiscard]] QWidget* viewAt(int tab) const { return m_made.at(static_cast<std::size_t>(tab)); }
    /// The view, made now when it was not.
    [[nodiscard]] QWidget& madeViewAt(int tab);

    // These show the view of that name and return it.
    RecomputeView& recompute();
    PlannerView& planner();
    LabView& lab();

signals:
    void tabShown(int index);
    void tabsChanged();
    void profileWanted();
    void devicesWanted();
    void modelConfigWanted();
    void planToOpenWanted();
    void planToSaveWanted();

private:
    Session& m_session;
    Settings& m_settings;
    ViewContext m_context;
    std::vector<QWidget*> m_made;   ///< by tab
    std::vector<QWidget*> m_pages;  ///< of each, by tab
};

}  // namespace plumb::ui
