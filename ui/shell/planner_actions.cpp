// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/planner_actions.h"

#include "core/planner/plan_comparison.h"
#include "core/planner/scenario_file.h"
#include "ui/devices/devices_dialog.h"
#include "ui/planner/plan_comparison_dialog.h"
#include "ui/planner/planner_view.h"
#include "ui/settings/settings.h"
#include "ui/shell/action_registry.h"
#include "ui/shell/session.h"
#include "ui/shell/shown_views.h"
#include "ui/shell/view_stack.h"
#include "ui/widgets/dialogs.h"

#include <QDir>
#include <QFileInfo>

namespace plumb::ui {
namespace {

QString plansFilter() { return PlannerActions::tr("Plans (*.plan.json);;All files (*)"); }

/// The name of a file without folder and ending.
std::string nameOfPlan(const QString& path) {
    QString name = QFileInfo(path).fileName();
    if (const QString suffix = QString::fromLatin1(planner::kPlanSuffix.data(), planner::kPlanSuffix.size());
        name.endsWith(suffix))
        name.chop(suffix.size());
    return name.toStdString();
}

}  // namespace

PlannerActions::PlannerActions(ActionRegistry& actions, Session& session, ViewStack& views, Theme& theme,
                               Settings& settings, QWidget& window)
    : QObject(&window),
      m_session(session),
      m_views(views),
      m_theme(theme),
      m_settings(settings),
      m_window(window) {
    actions.add({QStringLiteral("planner.next"), tr("&Next question"),
                 tr("Ask the planner the next question"), keys("Alt+Right")},
                [this] { showPlanner(m_views).nextQuestion(1); });
    actions.add({QStringLiteral("planner.previous"), tr("&Previous question"),
                 tr("Ask the planner the question before"), keys("Alt+Left")},
                [this] { showPlanner(m_views).nextQuestion(-1); });
    actions.add({QStringLiteral("planner.solve"), tr("&Solve for an input"),
                 tr("Change one input of the planner until the answer is what you want"), keys("Ctrl+Alt+S")},
                [this] { showPlanner(m_views).focusSolve(); });
    actions.add({QStringLiteral("planner.evidence"),
                 tr("&Evidence"),
                 tr("See how far predictions are from what others measured and published"),
                 {}},
                [this] { showPlanner(m_views).showEvidence(true); });
    actions.add({QStringLiteral("planner.loadConfig"),
                 tr("Load &config.json…"),
                 tr("Plan for the model of a Hugging Face config.json"),
                 {}},
                [this] { askModelConfig(); });
    actions.add({QStringLiteral("planner.openPlan"),
                 tr("&Open plan…"),
                 tr("Plan with everything that a plan file says"),
                 {}},
                [this] { askOpenPlan(); });
    actions.add({QStringLiteral("planner.savePlan"),
                 tr("Save p&lan…"),
                 tr("Save everything that the planner's answers go by, for the command line and for others"),
                 {}},
                [this] { askSavePlan(); });
    actions.add({QStringLiteral("planner.useMeasurement"),
                 tr("&Use measurement…"),
                 tr("Plan from a step that was measured: a snapshot, or a recorded step of the model that is "
                    "planned"),
                 {}},
                [this] { askMeasurement(); });
    actions.add({QStringLiteral("planner.comparePlans"),
                 tr("Co&mpare plans…"),
                 tr("Set what is planned beside one or two plan files"),
                 {}},
                [this] { askComparePlans(); });
    actions.add({QStringLiteral("planner.devices"), tr("&Devices…"),
                 tr("Look at the device records; add, edit, import and export your own"),
                 keys("Ctrl+Shift+D")},
                [this] { showDevices(); });
    actions.add({QStringLiteral("planner.copyText"), tr("Copy the &answer"),
                 tr("Copy the planner's answer, its formula and its numbers as text"), keys("Ctrl+Alt+C")},
                [this] { showPlanner(m_views).copyText(); });
    actions.add({QStringLiteral("planner.copyJson"), tr("Copy the answer as &JSON"),
                 tr("Copy the planner's answer and every number behind it as JSON"), keys("Ctrl+Alt+J")},
                [this] { showPlanner(m_views).copyJson(); });
    connect(&views, &ViewStack::viewMade, this, &PlannerActions::connectView);
}

void PlannerActions::connectView(int tab) {
    const auto* planner = qobject_cast<const PlannerView*>(m_views.viewAt(tab));
    if (planner == nullptr) return;
    connect(planner, &PlannerView::devicesWanted, this, &PlannerActions::showDevices);
    connect(planner, &PlannerView::planToOpenWanted, this, &PlannerActions::askOpenPlan);
    connect(planner, &PlannerView::planToSaveWanted, this, &PlannerActions::askSavePlan);
    connect(planner, &PlannerView::configWanted, this, &PlannerActions::askModelConfig);
}

void PlannerActions::askModelConfig() {
    askOpenPath(m_window, tr("Load a model's config.json"), m_settings.lastFolder(),
                tr("Model configurations (*.json);;All files (*)"),
                [this](const QString& path) { showPlanner(m_views).edits().loadConfig(path); });
}

void PlannerActions::openPlans(const QStringList& paths) {
    if (paths.size() > 1) return comparePlans(paths, false);
    const Result<void> opened = showPlanner(m_views).edits().openPlan(paths.front());
    if (!opened.has_value()) return emit failed(opened.error());
    showPlanner(m_views).setPlanFile(paths.front());
    emit used(paths);
}

void PlannerActions::askOpenPlan() {
    askOpenPath(m_window, tr("Open a plan"), m_settings.lastFolder(), plansFilter(),
                [this](const QString& path) { openPlans({path}); });
}

void PlannerActions::askMeasurement() {
    askOpenPath(m_window, tr("Plan from a measured step"), m_settings.lastFolder(),
                tr("Steps (*.plumb);;All files (*)"), [this](const QString& path) {
                    const Result<void> used = showPlanner(m_views).edits().useMeasurement(path);
                    if (!used.has_value()) emit failed(used.error());
                });
}

void PlannerActions::askSavePlan() {
    const auto* planner =
        qobject_cast<const PlannerView*>(m_views.viewAt(ViewStack::tabOf(QStringLiteral("planner"))));
    const QString file = planner == nullptr ? QString() : planner->planFile();
    const QString proposal =
        file.isEmpty() ? QDir(m_settings.lastFolder()).filePath(QStringLiteral("training.plan.json")) : file;
    askSavePath(m_window, tr("Save the plan"), proposal, plansFilter(), QStringLiteral("plan.json"),
                [this](const QString& path) {
                    const Result<void> saved = showPlanner(m_views).savePlan(path);
                    if (!saved.has_value()) return emit failed(saved.error());
                    showPlanner(m_views).setPlanFile(path);
                    emit used({path});
                    emit noticed(tr("The plan is saved as %1.").arg(QFileInfo(path).fileName()));
                });
}

void PlannerActions::askComparePlans() {
    askOpenPaths(m_window, tr("Compare with one or two plans"), m_settings.lastFolder(), plansFilter(),
                 [this](const QStringList& paths) { comparePlans(paths, true); });
}

void PlannerActions::comparePlans(const QStringList& paths, bool withCurrent) {
    std::vector<planner::NamedScenario> plans;
    for (const QString& path : paths) {
        auto scenario = planner::readScenario(path.toStdString());
        if (!scenario.has_value()) return emit failed(scenario.error());
        plans.push_back({nameOfPlan(path), *std::move(scenario)});
    }
    if (withCurrent)
        plans.insert(plans.begin(), {tr("as planned").toStdString(),
                                     planBeside(plans, showPlanner(m_views).model().inputs())});
    auto compared = planner::comparePlans(plans);
    if (!compared.has_value()) return emit failed(compared.error());
    (new PlanComparisonDialog(m_theme, *std::move(compared), &m_window))->show();
    emit used(paths);
}

void PlannerActions::showDevices() {
    if (!m_devices) {
        m_devices = new DevicesDialog(m_theme, m_session.library, &m_window);
        connect(m_devices, &DevicesDialog::chosen, this, &PlannerActions::chooseDevice);
    }
    m_session.library.reload();  // this machine may have been calibrated meanwhile
    m_devices->show();
    m_devices->raise();
    m_devices->activateWindow();
}

void PlannerActions::chooseDevice(const std::string& id) {
    if (auto* shown = qobject_cast<PlannerView*>(m_views.currentView())) return shown->edits().setDevice(id);
    DeviceChoices& devices = m_session.controller.devices();
    for (std::size_t i = 0; i < devices.all().size(); ++i)
        if (devices.all()[i].target.machine.id == id && devices.all()[i].enabled)
            return devices.choose(static_cast<int>(i));
}

}  // namespace plumb::ui
