// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/view_stack.h"

#include "core/base/entry_at.h"
#include "ui/settings/settings.h"
#include "ui/shell/session.h"
#include "ui/shell/view_page.h"
#include "ui/widgets/help_anchor.h"
#include "ui/workbench/first_focus.h"

#include <algorithm>
#include <array>

namespace plumb::ui {

int ViewStack::tabOf(const QString& id) {
    const auto found =
        std::ranges::find_if(views(), [&](const Spec& view) { return id == QLatin1String(view.id); });
    return found == views().end() ? -1 : static_cast<int>(found - views().begin());
}

ViewStack::ViewStack(Session& session, Theme& theme, Settings& settings, QWidget* parent)
    : QStackedWidget(parent),
      m_session(session),
      m_settings(settings),
      m_context{session.workbench, theme},
      m_made(views().size(), nullptr),
      m_pages(views().size(), nullptr),
      m_isLent(views().size(), false) {
    connect(&session.openedFiles, &OpenedFiles::changed, this, &ViewStack::refreshTabs);
    connect(&session.compared, &ComparedSteps::changed, this, &ViewStack::refreshTabs);
    connect(&session.compared, &ComparedSteps::failed, this, &ViewStack::refreshTabs);
    // A slider makes a scene at each move, and no tab comes or goes with it.
    const auto isRecorded = [&session] { return session.workbench.recording() != nullptr; };
    connect(&session.workbench, &Workbench::sceneChanged, this,
            [this, isRecorded, was = isRecorded()]() mutable {
                if (const bool is = isRecorded(); is != was) {
                    was = is;
                    refreshTabs();
                }
            });
}

bool ViewStack::isThere(int tab) const {
    const auto isThere = entryAt(views(), tab).isThere;
    return isThere == nullptr || isThere(m_session);
}

void ViewStack::refreshTabs() {
    emit tabsChanged();  // a view that is lent and there no longer comes back
    const int shown = shownTab();
    if (!isThere(shown))
        goToTab(insteadOf(shown));
    else if (!isThere(m_current))
        goToTab(shown);
}

QWidget& ViewStack::madeViewAt(int tab) {
    const auto index = static_cast<std::size_t>(tab);
    QWidget*& view = m_made.at(index);
    if (!view) {
        view = views()[index].make({*this, m_session, m_settings, m_context});
        setHelpAnchor(*view, QString::fromLatin1(views()[index].id));
        m_pages[index] = new ViewPage(*view, this);
        addWidget(m_pages[index]);
        emit viewMade(tab);
    }
    return *view;
}

int ViewStack::shownTab() const {
    const auto found = std::ranges::find(m_pages, currentWidget());
    return found == m_pages.end() ? 0 : static_cast<int>(found - m_pages.begin());
}

void ViewStack::setCurrentTab(int index) {
    if (!isThere(index)) return;
    (void)madeViewAt(index);
    m_current = index;
    if (isLent(index))
        emit lentViewWanted(index);
    else
        setCurrentWidget(m_pages[static_cast<std::size_t>(index)]);
    emit tabShown(index);
    // What was opened is gone at the next start.
    if (entryAt(views(), index).close == nullptr)
        m_settings.setCurrentView(QString::fromLatin1(entryAt(views(), index).id));
}

void ViewStack::goToTab(int index) {
    setCurrentTab(index);
    if (QWidget* const first = firstFocusOf(*currentView())) first->setFocus(Qt::OtherFocusReason);
}

void ViewStack::goTo(const QString& view, const QString& op) {
    if (!op.isEmpty()) m_session.workbench.selection().select(op);
    if (tabOf(view) >= 0) goToTab(tabOf(view));
}

// One of those that never go, the first of which is the Overview.
int ViewStack::insteadOf(int tab) const {
    for (int other = 0; other < tabCount(); ++other)
        if (other != tab && entryAt(views(), other).isThere == nullptr && !isLent(other)) return other;
    return -1;
}

bool ViewStack::canLend(int tab) const { return isThere(tab) && !isLent(tab) && insteadOf(tab) >= 0; }

ViewPage& ViewStack::lend(int tab) {
    (void)madeViewAt(tab);
    if (shownTab() == tab) setCurrentTab(insteadOf(tab));
    m_isLent[static_cast<std::size_t>(tab)] = true;
    ViewPage* const page = m_pages[static_cast<std::size_t>(tab)];
    removeWidget(page);
    return *page;
}

void ViewStack::takeBack(int tab) {
    m_isLent[static_cast<std::size_t>(tab)] = false;
    addWidget(m_pages[static_cast<std::size_t>(tab)]);
    if (tab == m_current && isThere(tab)) setCurrentTab(tab);
}

QWidget* ViewStack::showView(const QString& id) {
    const int tab = tabOf(id);
    if (tab < 0 || !isThere(tab)) return nullptr;
    setCurrentTab(tab);
    return currentView();
}

}  // namespace plumb::ui
