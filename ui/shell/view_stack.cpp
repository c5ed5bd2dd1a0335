// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/view_stack.h"

#include "core/base/entry_at.h"
#include "ui/allocator/allocator_view.h"
#include "ui/lab/lab_view.h"
#include "ui/memory/memory_view.h"
#include "ui/modules/modules_view.h"
#include "ui/operations/operations_view.h"
#include "ui/overview/overview_view.h"
#include "ui/planner/planner_view.h"
#include "ui/recompute/recompute_view.h"
#include "ui/roofline/roofline_view.h"
#include "ui/settings/settings.h"
#include "ui/shell/session.h"
#include "ui/timeline/timeline_view.h"
#include "ui/trace/trace_view.h"
#include "ui/training/training_view.h"

#include <algorithm>
#include <array>

namespace plumb::ui {

/// A view that needs the scene alone.
template <class View>
QWidget* ViewStack::makeFull() {
    return new View(m_context, ViewSize::Full, this);
}

std::span<const ViewStack::Spec> ViewStack::views() {
    static constexpr std::array kViews{
        Spec{"overview", QT_TR_NOOP("&Overview"), &ViewStack::makeOverview},
        Spec{"memory", QT_TR_NOOP("&Memory"), &ViewStack::makeFull<MemoryView>},
        Spec{"operations", QT_TR_NOOP("O&perations"), &ViewStack::makeFull<OperationsView>},
        Spec{"modules", QT_TR_NOOP("Mo&dules"), &ViewStack::makeFull<ModulesView>},
        Spec{"roofline", QT_TR_NOOP("&Roofline"), &ViewStack::makeRoofline},
        Spec{"timeline", QT_TR_NOOP("T&imeline"), &ViewStack::makeTimeline},
        Spec{"training", QT_TR_NOOP("&Training"), &ViewStack::makeFull<TrainingView>},
        Spec{"checkpoint", QT_TR_NOOP("&Checkpoint"), &ViewStack::makeRecompute},
        Spec{"planner", QT_TR_NOOP("P&lanner"), &ViewStack::makePlanner},
        Spec{"lab", QT_TR_NOOP("&Lab"), &ViewStack::makeLab},
        Spec{"trace", QT_TR_NOOP("Tra&ce"), &ViewStack::makeTrace,
             [](const Session& session) { return session.openedFiles.trace.isOpen(); },
             [](Session& session) { session.openedFiles.trace.close(); }},
        Spec{"allocator", QT_TR_NOOP("&Allocator"), &ViewStack::makeAllocator,
             [](const Session& session) { return session.openedFiles.memory.isOpen(); },
             [](Session& session) { session.openedFiles.memory.close(); }},
    };
    return kViews;
}

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
      m_made(views().size(), nullptr) {
    connect(&session.openedFiles, &OpenedFiles::changed, this, &ViewStack::refreshTabs);
}

bool ViewStack::isThere(int tab) const {
    const auto isThere = entryAt(views(), tab).isThere;
    return isThere == nullptr || isThere(m_session);
}

void ViewStack::refreshTabs() {
    emit tabsChanged();
    if (!isThere(currentTab())) goToTab(0);
}

bool ViewStack::canCloseCurrent() const { return entryAt(views(), currentTab()).close != nullptr; }

void ViewStack::closeCurrent() {
    if (const auto close = entryAt(views(), currentTab()).close) close(m_session);
}

QWidget* ViewStack::makeOverview() {
    auto* overview = new OverviewView(m_context, this);
    connect(overview, &OverviewView::openRequested, this, [this](const QString& id) {
        if (tabOf(id) >= 0) goToTab(tabOf(id));
    });
    connect(overview, &OverviewView::calibrateRequested, &m_session.controller, &RunController::calibrate);
    return overview;
}

QWidget* ViewStack::makeRoofline() {
    auto* roofline = new RooflineView(m_context, ViewSize::Full, this);
    connect(roofline, &RooflineView::calibrateRequested, &m_session.controller, &RunController::calibrate);
    return roofline;
}

QWidget* ViewStack::makeTimeline() {
    auto* timeline = new TimelineView(m_context, this);
    connect(timeline, &TimelineView::profileRequested, this, &ViewStack::profileWanted);
    return timeline;
}

QWidget* ViewStack::makeRecompute() {
    auto* recompute = new RecomputeView(m_context, m_session.history, m_session.measurer, this);
    connect(recompute, &RecomputeView::calibrateRequested, &m_session.controller, &RunController::calibrate);
    return recompute;
}

QWidget* ViewStack::makePlanner() {
    auto* planner = new PlannerView(m_context, m_session.library, m_session.history.stack(),
                                    m_settings.plannerInputs(), this);
    connect(planner, &PlannerView::persistChanged, this,
            [this](const QByteArray& inputs) { m_settings.setPlannerInputs(inputs); });
    connect(planner, &PlannerView::devicesWanted, this, &ViewStack::devicesWanted);
    connect(planner, &PlannerView::configWanted, this, &ViewStack::modelConfigWanted);
    return planner;
}

QWidget* ViewStack::makeLab() {
    auto* lab = new LabView(
        {m_context, m_session.controller, m_session.labEngine, m_session.history.stack(), m_settings}, this);
    connect(lab, &LabView::revealed, this, [this] { showView(QStringLiteral("lab")); });
    return lab;
}

QWidget* ViewStack::makeTrace() { return new TraceView(m_context, m_session.openedFiles.trace, this); }

QWidget* ViewStack::makeAllocator() {
    return new AllocatorView(m_context, m_session.openedFiles.memory, this);
}

RecomputeView& ViewStack::recompute() {
    return *qobject_cast<RecomputeView*>(showView(QStringLiteral("checkpoint")));
}

PlannerView& ViewStack::planner() { return *qobject_cast<PlannerView*>(showView(QStringLiteral("planner"))); }

LabView& ViewStack::lab() { return *qobject_cast<LabView*>(showView(QStringLiteral("lab"))); }

QWidget& ViewStack::madeViewAt(int tab) {
    const auto index = static_cast<std::size_t>(tab);
    QWidget*& view = m_made.at(index);
    if (!view) {
        view = (this->*views()[index].make)();
        addWidget(view);
    }
    return *view;
}

int ViewStack::currentTab() const {
    const auto found = std::ranges::find(m_made, currentWidget());
    return found == m_made.end() ? 0 : static_cast<int>(found - m_made.begin());
}

void ViewStack::setCurrentTab(int index) {
    if (!isThere(index)) return;
    setCurrentWidget(&madeViewAt(index));
    emit tabShown(index);
    m_settings.setCurrentView(QString::fromLatin1(entryAt(views(), index).id));
}

void ViewStack::goToTab(int index) {
    setCurrentTab(index);
    if (currentWidget()->focusProxy()) currentWidget()->setFocus(Qt::OtherFocusReason);
}

QWidget* ViewStack::showView(const QString& id) {
    const int tab = tabOf(id);
    if (tab < 0 || !isThere(tab)) return nullptr;
    setCurrentTab(tab);
    return currentWidget();
}

}  // namespace plumb::ui
