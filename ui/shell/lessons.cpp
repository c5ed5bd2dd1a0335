// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/lessons.h"

#include "core/lab/lesson.h"
#include "ui/lab/lab_view.h"
#include "ui/lab/lesson_panel.h"
#include "ui/shell/action_registry.h"
#include "ui/shell/shown_views.h"
#include "ui/shell/side_panel.h"
#include "ui/shell/top_bar.h"
#include "ui/shell/view_stack.h"
#include "ui/widgets/highlight_ring.h"
#include "ui/workbench/first_focus.h"

#include <QBoxLayout>

namespace plumb::ui {

Lessons::Lessons(ActionRegistry& actions, ViewStack& views, Theme& theme, Settings& settings, Places places)
    : m_actions(actions), m_views(views), m_theme(theme), m_settings(settings), m_places(places) {
    actions.add({QStringLiteral("help.lessons"), tr("&Lessons"),
                 tr("Short lessons that use the live program"), keys("Shift+F1")},
                [this] { showOrHide(); });
}

void Lessons::make() {
    if (m_panel) return;
    m_ring = new HighlightRing(m_theme, &m_places.window);
    m_panel = new LessonPanel(m_theme, m_settings, lab::builtInLessons(), m_places.beside.parentWidget());
    m_panel->hide();
    m_places.beside.addWidget(m_panel);
    m_places.side.setGuide(*m_panel);
    connect(m_panel, &LessonPanel::pointed, this, &Lessons::pointAt);
    connect(m_panel, &LessonPanel::wanted, this, &Lessons::giveKeyboard);
    connect(m_panel, &LessonPanel::closed, m_panel, &QWidget::hide);
}

void Lessons::showOrHide() {
    make();
    m_panel->setVisible(m_panel->isHidden());
}

void Lessons::open(int index) {
    make();
    m_panel->show();
    m_panel->setLesson(index);
}

void Lessons::takePlaceOf(const Lessons& old) {
    if (old.m_panel == nullptr || old.m_panel->isHidden()) return;
    make();
    m_panel->setLesson(old.m_panel->lesson());
    m_panel->setStep(old.m_panel->step());
    m_panel->show();
}

QWidget* Lessons::controlOf(const QString& name) {
    QWidget& window = m_places.window;
    if (name.startsWith(QStringLiteral("view.")))
        if (auto* tab = window.findChild<QWidget*>(name.mid(5) + QStringLiteral("Tab"))) return tab;
    // An action has a button in the window, or is found in the menus.
    if (m_actions.action(name)) {
        // The panel's, else the one of the rail that stands for it.
        const QString act = name.section(QLatin1Char('.'), -1);
        for (const char* kind : {"Button", "Rail"})
            if (auto* button = window.findChild<QWidget*>(act + QLatin1String(kind));
                button != nullptr && button->isVisibleTo(&window))
                return button;
        return &m_places.menus.menus();
    }
    // Views may call controls of their own the same: those that are always in sight come first.
    for (const QWidget* place : {&m_places.runPanel, &m_places.keyFigures, &window})
        if (auto* found = place->findChild<QWidget*>(name)) return found;
    // Views are made when first shown: what is asked for may be in one that was not shown yet.
    for (int tab = 0; tab < ViewStack::tabCount(); ++tab)
        if (!m_views.viewAt(tab) && m_views.isThere(tab))
            if (auto* found = m_views.madeViewAt(tab).findChild<QWidget*>(name)) return found;
    return nullptr;
}

void Lessons::giveKeyboard(const QStringList& controls) {
    QWidget* const control = controls.isEmpty() ? nullptr : controlOf(controls.front());
    if (control != nullptr) focusFirstOf(*control, *control);
}

void Lessons::pointAt(const QStringList& controls) {
    QWidget* control = controls.isEmpty() ? nullptr : controlOf(controls.front());
    if (!control) {
        if (m_ring) m_ring->surround(nullptr);
        return;
    }
    const QWidget& keyFigures = m_places.keyFigures;
    if (keyFigures.isHidden() && keyFigures.isAncestorOf(control)) m_views.setCurrentTab(0);
    const QString& name = controls.front();
    // What is asked for comes into sight: its view, and the page of the Lab.
    if (name.startsWith(QStringLiteral("view."))) m_views.showView(name.mid(5));
    if (const int page = static_cast<int>(LabView::pageIds().indexOf(name.mid(4)));
        name.startsWith(QStringLiteral("lab.")) && page >= 0) {
        showLab(m_views).setPage(page);
        control = m_places.window.findChild<QWidget*>(QStringLiteral("labPage%1").arg(page));
    }
    for (int tab = 0; tab < ViewStack::tabCount(); ++tab) {
        QWidget* view = m_views.viewAt(tab);
        if (!view || !view->isAncestorOf(control)) continue;
        m_views.setCurrentTab(tab);
        if (auto* laboratory = qobject_cast<LabView*>(view)) laboratory->showControl(control);
    }
    if (m_places.runPanel.isAncestorOf(control)) {
        if (m_places.side.subject() == SidePanel::Subject::None) m_views.setCurrentTab(0);
        m_places.side.reveal(*control);
    } else if (!keyFigures.isAncestorOf(control)) {
        m_places.side.uncoverViews();  // the panel of the step before, over what this one speaks of
    }
    // A ring lies over what is in its own window, which that of a view may be.
    if (m_ring && m_ring->window() != control->window()) delete m_ring;
    if (!m_ring)
        m_ring = new HighlightRing(
            m_theme, control->window() == m_places.window.window() ? &m_places.window : control->window());
    m_ring->surround(control);
}

}  // namespace plumb::ui
