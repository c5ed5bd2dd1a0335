// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lab/lesson.h"
#include "ui/lab/lab_view.h"
#include "ui/lab/lesson_panel.h"
#include "ui/run/key_figures.h"
#include "ui/run/run_panel.h"
#include "ui/shell/main_window.h"
#include "ui/shell/top_bar.h"
#include "ui/widgets/highlight_ring.h"

#include <QHBoxLayout>
#include <QMenuBar>
#include <QStackedWidget>

namespace plumb::ui {

void MainWindow::showLessons() {
    if (!m_lessons) {
        m_ring = new HighlightRing(m_theme, this);
        m_lessons = new LessonPanel(m_theme, m_settings, lab::builtInLessons(), centralWidget());
        m_lessons->hide();
        m_middle->addWidget(m_lessons);
        connect(m_lessons, &LessonPanel::pointed, this, &MainWindow::pointAt);
        connect(m_lessons, &LessonPanel::closed, m_lessons, &QWidget::hide);
    }
    m_lessons->setVisible(m_lessons->isHidden());
}

QWidget* MainWindow::controlOf(const QString& name) {
    if (name.startsWith(QStringLiteral("view.")))
        if (auto* tab = findChild<QWidget*>(name.mid(5) + QStringLiteral("Tab"))) return tab;
    // An action has a button in the window, or is found in the menus.
    if (m_actions->action(name)) {
        auto* button = findChild<QWidget*>(name.section(QLatin1Char('.'), -1) + QStringLiteral("Button"));
        return button && button->isVisibleTo(this) ? button : m_topBar->menuBar();
    }
    // Views may call controls of their own the same: those that are always in sight come first.
    for (const QWidget* place : {static_cast<QWidget*>(m_panel), static_cast<QWidget*>(m_keyFigures)})
        if (auto* found = place->findChild<QWidget*>(name)) return found;
    if (auto* found = findChild<QWidget*>(name)) return found;
    // Views are made when first shown: what is asked for may be in one that was not shown yet.
    for (int tab = 0; tab < tabCount(); ++tab) {
        QWidget*& made = m_views.at(static_cast<std::size_t>(tab));
        if (made) continue;
        made = (this->*views()[static_cast<std::size_t>(tab)].make)();
        m_stack->addWidget(made);
        if (auto* found = made->findChild<QWidget*>(name)) return found;
    }
    return nullptr;
}

void MainWindow::pointAt(const QStringList& controls) {
    if (!m_ring) return;
    QWidget* control = controls.isEmpty() ? nullptr : controlOf(controls.front());
    if (!control) return m_ring->surround(nullptr);
    if (m_keyFigures->isHidden() && m_keyFigures->isAncestorOf(control)) setCurrentTab(0);
    const QString& name = controls.front();
    // What is asked for comes into sight: its view, and the page of the Lab.
    if (name.startsWith(QStringLiteral("view.")) && tabOf(name.mid(5)) >= 0)
        setCurrentTab(tabOf(name.mid(5)));
    if (const int page = static_cast<int>(LabView::pageIds().indexOf(name.mid(4)));
        name.startsWith(QStringLiteral("lab.")) && page >= 0) {
        lab().setPage(page);
        control = findChild<QWidget*>(QStringLiteral("labPage%1").arg(page));
    }
    for (int tab = 0; tab < tabCount(); ++tab) {
        QWidget* view = m_views.at(static_cast<std::size_t>(tab));
        if (!view || !view->isAncestorOf(control)) continue;
        setCurrentTab(tab);
        if (auto* laboratory = qobject_cast<LabView*>(view)) laboratory->showControl(control);
    }
    m_ring->surround(control);
}

}  // namespace plumb::ui
