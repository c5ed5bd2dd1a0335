// SPDX-License-Identifier: GPL-3.0-or-later
// The tabs of the window.
#include "ui/checkpoint/checkpoint_view.h"
#include "ui/lab/lab_view.h"
#include "ui/memory/memory_view.h"
#include "ui/operations/operations_view.h"
#include "ui/overview/overview_view.h"
#include "ui/roofline/roofline_view.h"
#include "ui/run/key_figures.h"
#include "ui/run/run_panel.h"
#include "ui/shell/main_window.h"
#include "ui/shell/top_bar.h"
#include "ui/timeline/timeline_view.h"
#include "ui/training/training_view.h"

#include <QStackedWidget>

#include <algorithm>
#include <array>

namespace plumb::ui {

/// A view that needs nothing but the document.
template <class View>
QWidget* MainWindow::makeFull() {
    return new View({m_workbench, m_theme}, ViewSize::Full, m_stack);
}

std::span<const MainWindow::ViewSpec> MainWindow::views() {
    static constexpr std::array kViews{
        ViewSpec{"overview", QT_TR_NOOP("&Overview"), &MainWindow::makeOverview},
        ViewSpec{"memory", QT_TR_NOOP("&Memory"), &MainWindow::makeFull<MemoryView>},
        ViewSpec{"operations", QT_TR_NOOP("O&perations"), &MainWindow::makeFull<OperationsView>},
        ViewSpec{"roofline", QT_TR_NOOP("&Roofline"), &MainWindow::makeRoofline},
        ViewSpec{"timeline", QT_TR_NOOP("T&imeline"), &MainWindow::makeTimeline},
        ViewSpec{"training", QT_TR_NOOP("&Training"), &MainWindow::makeFull<TrainingView>},
        ViewSpec{"checkpoint", QT_TR_NOOP("&Checkpoint"), &MainWindow::makeCheckpoint},
        ViewSpec{"planner", QT_TR_NOOP("P&lanner"), &MainWindow::makePlanner},
        ViewSpec{"lab", QT_TR_NOOP("&Lab"), &MainWindow::makeLab},
    };
    return kViews;
}

QWidget* MainWindow::makeOverview() {
    auto* overview = new OverviewView({m_workbench, m_theme}, m_stack);
    connect(overview, &OverviewView::openRequested, this, [this](const QString& id) {
        if (tabOf(id) >= 0) goToTab(tabOf(id));
    });
    connect(overview, &OverviewView::calibrateRequested, &m_controller, &RunController::calibrate);
    return overview;
}

QWidget* MainWindow::makeRoofline() {
    auto* roofline = new RooflineView({m_workbench, m_theme}, ViewSize::Full, m_stack);
    connect(roofline, &RooflineView::calibrateRequested, &m_controller, &RunController::calibrate);
    return roofline;
}

QWidget* MainWindow::makeTimeline() {
    auto* timeline = new TimelineView({m_workbench, m_theme}, m_stack);
    connect(timeline, &TimelineView::profileRequested, this, [this] {
        if (m_panel->commitEntries()) m_controller.profile();
    });
    return timeline;
}

QWidget* MainWindow::makeCheckpoint() {
    auto* checkpoint = new CheckpointView({m_workbench, m_theme}, m_history, m_measurer, m_stack);
    connect(checkpoint, &CheckpointView::calibrateRequested, &m_controller, &RunController::calibrate);
    return checkpoint;
}

QWidget* MainWindow::makeLab() {
    auto* view = new LabView(
        {{m_workbench, m_theme}, m_controller, m_labEngine, m_history.stack(), m_settings}, m_stack);
    connect(view, &LabView::revealed, this, [this] { showView(QStringLiteral("lab")); });
    return view;
}

LabView& MainWindow::lab() { return *qobject_cast<LabView*>(showView(QStringLiteral("lab"))); }

int MainWindow::tabOf(const QString& id) {
    const auto found =
        std::ranges::find_if(views(), [&](const ViewSpec& view) { return id == QLatin1String(view.id); });
    return found == views().end() ? -1 : static_cast<int>(found - views().begin());
}

void MainWindow::setCurrentTab(int index) {
    QWidget*& view = m_views.at(static_cast<std::size_t>(index));
    if (!view) {
        view = (this->*views()[static_cast<std::size_t>(index)].make)();
        m_stack->addWidget(view);
    }
    m_stack->setCurrentWidget(view);
    m_topBar->setCurrentTab(index);
    // Planner and Lab say nothing of the step that the key figures are of, and need the room.
    m_keyFigures->setVisible(index != tabOf(QStringLiteral("lab")) &&
                             index != tabOf(QStringLiteral("planner")));
    m_settings.setCurrentView(QString::fromLatin1(views()[static_cast<std::size_t>(index)].id));
}

void MainWindow::goToTab(int index) {
    setCurrentTab(index);
    if (currentView()->focusProxy()) currentView()->setFocus(Qt::OtherFocusReason);
}

int MainWindow::currentTab() const {
    const auto found = std::ranges::find(m_views, m_stack->currentWidget());
    return found == m_views.end() ? 0 : static_cast<int>(found - m_views.begin());
}

QWidget* MainWindow::currentView() const { return m_stack->currentWidget(); }

QWidget* MainWindow::showView(const QString& id) {
    const int tab = tabOf(id);
    if (tab < 0) return nullptr;
    setCurrentTab(tab);
    return m_stack->currentWidget();
}

}  // namespace plumb::ui
