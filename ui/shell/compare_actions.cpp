// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/compare_actions.h"

#include "core/io/file.h"
#include "ui/compare/compare_view.h"
#include "ui/settings/settings.h"
#include "ui/shell/action_registry.h"
#include "ui/shell/session.h"
#include "ui/shell/view_stack.h"
#include "ui/theme/error_text.h"
#include "ui/theme/text.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/dialogs.h"
#include "ui/workbench/session_steps.h"

#include <QDir>
#include <QFileInfo>

#include <algorithm>
#include <utility>

namespace plumb::ui {

CompareActions::CompareActions(ActionRegistry& actions, Session& session, ViewStack& views,
                               Settings& settings, Banner& banner, QWidget& window)
    : QObject(&window),
      m_actions(actions),
      m_session(session),
      m_views(views),
      m_settings(settings),
      m_banner(banner),
      m_window(window) {
    actions.add({QStringLiteral("file.compare"), tr("Compare &with…"),
                 tr("Lay snapshots or recorded steps beside what is open"), keys("Ctrl+Shift+O")},
                [this] { askFiles(); });
    actions.add({QStringLiteral("run.compareMeasurements"),
                 tr("&Compare the measurements"),
                 tr("Lay the measurements of this session side by side, the earliest as the baseline"),
                 {}},
                [this] { compareMeasurements(); });
    actions.add({QStringLiteral("file.compareClear"),
                 tr("E&nd the comparison"),
                 tr("Take all steps out of the comparison"),
                 {}},
                [this] { m_session.compared.clear(); });
    ComparedSteps& compared = session.compared;
    connect(&compared, &ComparedSteps::changed, this, &CompareActions::refresh);
    connect(&compared, &ComparedSteps::changed, this, [this] {
        // What was wrong with a file before is over once another one stands there.
        const std::size_t count = m_session.compared.steps().size();
        if (count > std::exchange(m_count, count)) m_banner.end(MessageSubject::Document);
    });
    connect(&compared, &ComparedSteps::failed, this,
            [this](const Error& error) { m_banner.showMessage(Banner::Kind::Error, errorSentence(error)); });
    connect(&session.workbench, &Workbench::sceneChanged, this, &CompareActions::refresh);
    connect(&views, &ViewStack::viewMade, this, &CompareActions::connectView);
    connect(&session.document, &Document::changed, this, [this] {
        if (m_offered.isEmpty() || m_session.document.opening()) return;
        const QStringList paths = m_offered;
        m_offered.clear();
        m_banner.showMessage(Banner::Kind::Ongoing,
                             tr("%1 files were opened together, and the last is shown.").arg(paths.size()),
                             tr("Compare them"), [this, paths] {
                                 m_session.compared.clear();
                                 m_session.compared.open(paths);
                                 m_views.showView(QStringLiteral("compare"));
                             });
    });
    refresh();
}

void CompareActions::connectView(int tab) {
    const auto* view = qobject_cast<const CompareView*>(m_views.viewAt(tab));
    if (view == nullptr) return;
    connect(view, &CompareView::filesWanted, this, &CompareActions::askFiles);
    connect(view, &CompareView::budgetWanted, this, &CompareActions::askBudget);
    connect(view, &CompareView::exportWanted, this, &CompareActions::askExport);
}

void CompareActions::offer(const QStringList& paths) { m_offered = paths.size() > 1 ? paths : QStringList(); }

void CompareActions::askFiles() {
    askOpenPaths(m_window, tr("Compare with"), m_settings.lastFolder(),
                 tr("Snapshots and recorded steps (*.plumb);;All files (*)"),
                 [this](const QStringList& paths) {
                     // Two files that were chosen are compared with each other.
                     if (m_session.compared.steps().empty() && paths.size() == 1) addShown();
                     m_session.compared.open(paths);
                     m_settings.setLastFolder(QFileInfo(paths.front()).absolutePath());
                     m_views.showView(QStringLiteral("compare"));
                 });
}

void CompareActions::askBudget() {
    askOpenPath(m_window, tr("Choose a budget"), m_settings.lastFolder(),
                tr("Budgets (*.json);;All files (*)"),
                [this](const QString& path) { m_session.compared.budget().open(path); });
}

void CompareActions::askExport() {
    const auto* view = qobject_cast<const CompareView*>(m_views.showView(QStringLiteral("compare")));
    if (view == nullptr) return;
    const QString csv = view->csv();
    askSavePath(m_window, tr("Export the differences"),
                QDir(m_settings.lastFolder()).filePath(QStringLiteral("differences.csv")),
                tr("Comma-separated values (*.csv)"), QStringLiteral("csv"),
                [this, csv](const QString& path) {
                    const Result<void> written = writeFileAtomically(path.toStdString(), csv.toStdString());
                    if (written.has_value())
                        m_banner.showMessage(Banner::Kind::Notice, tr("Exported to %1").arg(path));
                    else
                        m_banner.showMessage(Banner::Kind::Error, errorSentence(written.error()));
                });
}

void CompareActions::addShown() {
    const Workbench& workbench = m_session.workbench;
    const std::vector<SessionStep> steps = sessionSteps(workbench);
    // The recorded step that is shown stands behind the prediction of the sliders.
    const SessionStep shown = workbench.recording() != nullptr ? steps[1]
                              : workbench.shownMeasurement()
                                  ? measuredStepOf(workbench, *workbench.shownMeasurement())
                                  : steps.front();
    if (Result<ComparedStep> step = shown.make(); step.has_value())
        m_session.compared.add(std::move(step.value()));
}

void CompareActions::compareMeasurements() {
    const Workbench& workbench = m_session.workbench;
    const std::size_t all = workbench.measurements().size();
    m_session.compared.clear();
    for (std::size_t i = all - std::min(all, ComparedSteps::kMostSteps); i < all; ++i) {
        Result<ComparedStep> step = measuredStepOf(workbench, i).make();
        if (!step.has_value()) {
            emit m_session.compared.failed(step.error());
            return;
        }
        m_session.compared.add(std::move(step.value()));
    }
    m_views.showView(QStringLiteral("compare"));
}

void CompareActions::refresh() {
    m_actions.enable("run.compareMeasurements", m_session.workbench.measurements().size() >= 2);
    m_actions.enable("file.compareClear", !m_session.compared.steps().empty());
}

}  // namespace plumb::ui
