// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/view_specs.h"

#include "ui/allocator/allocator_view.h"
#include "ui/compare/compare_view.h"
#include "ui/findings/findings_view.h"
#include "ui/history/history_view.h"
#include "ui/lab/lab_view.h"
#include "ui/memory/memory_view.h"
#include "ui/modules/modules_view.h"
#include "ui/notes/notes_view.h"
#include "ui/operations/operations_view.h"
#include "ui/overview/overview_view.h"
#include "ui/planner/planner_view.h"
#include "ui/ranks/ranks_view.h"
#include "ui/recompute/recompute_view.h"
#include "ui/roofline/roofline_view.h"
#include "ui/settings/settings.h"
#include "ui/shell/mark_actions.h"
#include "ui/shell/session.h"
#include "ui/shell/view_stack.h"
#include "ui/timeline/timeline_view.h"
#include "ui/trace/trace_view.h"
#include "ui/training/training_view.h"
#include "ui/widgets/calibrate_button.h"

#include <array>

namespace plumb::ui {
namespace {

/// A view that needs the scene alone.
template <class View>
QWidget* makeFull(const ViewMaking& making) {
    return new View(making.context, ViewSize::Full, &making.stack);
}

/// Lets the charts of `view` that have no ceilings ask for them.
void offerCalibration(QWidget& view, RunController& controller) {
    for (CalibrateButton* const button : view.findChildren<CalibrateButton*>()) {
        QObject::connect(button, &QPushButton::clicked, &controller, &RunController::calibrate);
        const auto follow = [button, &controller] {
            const EngineWork& work = controller.work();
            button->follow(work.engineReady() && !work.busy(),
                           work.engineState() == protocol::EngineState::Calibrating);
        };
        QObject::connect(&controller, &RunController::changed, button, follow);
        follow();
    }
}

QWidget* makeOverview(const ViewMaking& making) {
    auto* overview = new OverviewView(making.context, &making.stack);
    QObject::connect(overview, &OverviewView::openRequested, &making.stack,
                     [stack = &making.stack](const QString& id) { stack->goTo(id); });
    offerCalibration(*overview, making.session.controller);
    return overview;
}

QWidget* makeOperations(const ViewMaking& making) {
    auto* operations = new OperationsView(making.context, ViewSize::Full, &making.stack);
    QObject::connect(operations, &OperationsView::viewWanted, &making.stack, &ViewStack::showView);
    return operations;
}

QWidget* makeRoofline(const ViewMaking& making) {
    auto* roofline = new RooflineView(making.context, ViewSize::Full, &making.stack);
    offerCalibration(*roofline, making.session.controller);
    roofline->setKernels(making.session.openedFiles.kernels);
    return roofline;
}

QWidget* makeTimeline(const ViewMaking& making) { return new TimelineView(making.context, &making.stack); }

QWidget* makeRanks(const ViewMaking& making) {
    return new RanksView(making.context, making.session.history, making.session.controller, &making.stack);
}

QWidget* makeRecompute(const ViewMaking& making) {
    auto* recompute =
        new RecomputeView(making.context, making.session.history, making.session.measurer, &making.stack);
    offerCalibration(*recompute, making.session.controller);
    return recompute;
}

QWidget* makePlanner(const ViewMaking& making) {
    Session& session = making.session;
    auto* planner = new PlannerView(making.context, session.library, session.history.stack(),
                                    session.plan.isEmpty() ? making.settings.plannerInputs() : session.plan,
                                    &making.stack);
    QObject::connect(planner, &PlannerView::persistChanged, &making.stack,
                     [&session, settings = &making.settings](const QByteArray& inputs) {
                         session.plan = inputs;
                         settings->setPlannerInputs(inputs);
                     });
    return planner;
}

QWidget* makeFindings(const ViewMaking& making) {
    auto* findings = new FindingsView(making.context, making.session.history, &making.stack);
    QObject::connect(findings, &FindingsView::viewWanted, &making.stack,
                     [stack = &making.stack](const QString& id) { stack->goTo(id); });
    QObject::connect(findings, &FindingsView::failed, &making.session.history, &ConfigHistory::refused);
    return findings;
}

QWidget* makeLab(const ViewMaking& making) {
    auto* lab = new LabView({making.context, making.session.controller, making.session.labEngine,
                             making.session.history.stack(), making.settings},
                            &making.stack);
    QObject::connect(lab, &LabView::revealed, &making.stack,
                     [stack = &making.stack] { stack->showView(QStringLiteral("lab")); });
    return lab;
}

QWidget* makeTrace(const ViewMaking& making) {
    return new TraceView(making.context, making.session.openedFiles.trace, &making.stack);
}

QWidget* makeAllocator(const ViewMaking& making) {
    OpenedFiles& files = making.session.openedFiles;
    return new AllocatorView(making.context, files.memory, files.memoryBaseline, &making.stack);
}

QWidget* makeCompare(const ViewMaking& making) {
    return new CompareView(making.context, making.session.compared, &making.stack);
}

QWidget* makeNotes(const ViewMaking& making) {
    return new NotesView(making.context, making.session.markEdits, viewTitle, &making.stack);
}

QWidget* makeHistory(const ViewMaking& making) {
    return new HistoryView(making.context, making.session.kept, making.session.history.stack(),
                           &making.stack);
}

constexpr std::array kViews{
    ViewSpec{"overview", QT_TRANSLATE_NOOP("plumb::ui::ViewStack", "&Overview"), makeOverview},
    ViewSpec{"memory", QT_TRANSLATE_NOOP("plumb::ui::ViewStack", "&Memory"), makeFull<MemoryView>},
    ViewSpec{"operations", QT_TRANSLATE_NOOP("plumb::ui::ViewStack", "O&perations"), makeOperations},
    ViewSpec{"modules", QT_TRANSLATE_NOOP("plumb::ui::ViewStack", "Mo&dules"), makeFull<ModulesView>},
    ViewSpec{"roofline", QT_TRANSLATE_NOOP("plumb::ui::ViewStack", "&Roofline"), makeRoofline},
    ViewSpec{"timeline", QT_TRANSLATE_NOOP("plumb::ui::ViewStack", "T&imeline"), makeTimeline},
    // A recorded step is that of one rank.
    ViewSpec{"devices", QT_TRANSLATE_NOOP("plumb::ui::ViewStack", "De&vices"), makeRanks,
             [](const Session& session) { return session.workbench.recording() == nullptr; }, nullptr, true,
             true, true, "Ctrl+Shift+V"},
    ViewSpec{"training", QT_TRANSLATE_NOOP("plumb::ui::ViewStack", "&Training"), makeFull<TrainingView>},
    // The lab is about the deep linear model: of a recorded step nobody knows what recomputing would keep.
    ViewSpec{"checkpoint", QT_TRANSLATE_NOOP("plumb::ui::ViewStack", "&Checkpoint"), makeRecompute,
             [](const Session& session) { return session.workbench.recording() == nullptr; }},
    ViewSpec{"planner", QT_TRANSLATE_NOOP("plumb::ui::ViewStack", "P&lanner"), makePlanner, nullptr, nullptr,
             true, false, false},
    ViewSpec{"lab", QT_TRANSLATE_NOOP("plumb::ui::ViewStack", "&Lab"), makeLab, nullptr, nullptr, true, false,
             false},
    ViewSpec{"findings", QT_TRANSLATE_NOOP("plumb::ui::ViewStack", "&Findings"), makeFindings},
    // A recorded step stands in front of the document whose notes these are.
    ViewSpec{"notes", QT_TRANSLATE_NOOP("plumb::ui::ViewStack", "&Notes"), makeNotes,
             [](const Session& session) { return session.workbench.recording() == nullptr; }, nullptr, false},
    ViewSpec{"history", QT_TRANSLATE_NOOP("plumb::ui::ViewStack", "Histor&y"), makeHistory, nullptr, nullptr,
             false, false},
    ViewSpec{"compare", QT_TRANSLATE_NOOP("plumb::ui::ViewStack", "Compar&e"), makeCompare,
             [](const Session& session) {
                 return !session.compared.steps().empty() || session.compared.isReading();
             },
             [](Session& session) { session.compared.clear(); }, true, false},
    ViewSpec{"trace", QT_TRANSLATE_NOOP("plumb::ui::ViewStack", "Tra&ce"), makeTrace,
             [](const Session& session) { return session.openedFiles.trace.isOpen(); },
             [](Session& session) { session.openedFiles.trace.close(); }, true, false},
    ViewSpec{"allocator", QT_TRANSLATE_NOOP("plumb::ui::ViewStack", "&Allocator"), makeAllocator,
             [](const Session& session) { return session.openedFiles.memory.isOpen(); },
             [](Session& session) { session.openedFiles.memory.close(); }, true, false},
};

}  // namespace

std::span<const ViewSpec> windowViews() { return kViews; }

}  // namespace plumb::ui
