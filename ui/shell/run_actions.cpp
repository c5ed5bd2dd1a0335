// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/run_actions.h"

#include "ui/recompute/recompute_view.h"
#include "ui/run/proof_dialog.h"
#include "ui/run/run_panel.h"
#include "ui/shell/action_registry.h"
#include "ui/shell/session.h"
#include "ui/shell/shown_views.h"
#include "ui/shell/view_stack.h"
#include "ui/theme/error_text.h"

#include <QAction>
#include <QShortcut>

#include <functional>

namespace plumb::ui {

RunActions::RunActions(ActionRegistry& actions, Session& session, RunPanel& panel, ViewStack& views,
                       Theme& theme, QWidget& window)
    : QObject(&window), m_actions(actions), m_session(session), m_panel(panel), m_views(views) {
    actions.add(
        {QStringLiteral("run.run"), tr("&Run"), tr("Train with the settings of the panel"), keys("F5")},
        [this] { start(&RunController::run); });
    actions.add(
        {QStringLiteral("run.pause"), tr("&Pause"), tr("Pause the run, or go on with it"), keys("Ctrl+P")},
        [this] { m_session.controller.pauseOrResume(); });
    actions.add({QStringLiteral("run.stop"), tr("&Stop"), tr("End the run; what it measured is kept"),
                 keys("Ctrl+.")},
                [this] { m_session.controller.stop(); });
    actions.add({QStringLiteral("run.profile"), tr("Pro&file"), tr("Measure every operation over some steps"),
                 keys("F6")},
                [this] { start(&RunController::profile); });
    actions.add({QStringLiteral("run.measureCurve"),
                 tr("&Measure the checkpoint curve"),
                 tr("Profile several checkpoint policies one after another, or cancel that"),
                 {}},
                [this] { measureCurve(); });
    actions.add({QStringLiteral("run.prove"),
                 tr("Pro&ve the largest batch…"),
                 tr("Run the largest batch that fits and the next one, which must not, for one step each"),
                 {}},
                [this, &theme, &window] {
                    ProofDialog::ask(theme, m_session.workbench, m_session.controller, &window);
                });
    actions.add({QStringLiteral("run.apply"), tr("&Apply and restart"),
                 tr("Restart the run with the settings of the panel"), keys("Ctrl+Return")},
                [this] { start(&RunController::apply); });
    actions.add({QStringLiteral("run.calibrate"),
                 tr("&Calibrate this machine"),
                 tr("Measure peak and bandwidth, so that times can be predicted"),
                 {}},
                [this] { m_session.controller.calibrate(); });
    for (const char* id : {"run.run", "run.profile"}) {
        const QString action = QString::fromLatin1(id);
        m_answers[action] = new QShortcut(&window);
        connect(m_answers[action], &QShortcut::activated, this, [this, action] { answer(action); });
    }
    connect(&session.controller, &RunController::changed, this, &RunActions::refresh);
    connect(&session.measurer, &CurveMeasurer::changed, this, &RunActions::refresh);
    connect(&session.workbench, &Workbench::sceneChanged, this, &RunActions::refresh);
    refresh();
}

void RunActions::start(void (RunController::*action)()) {
    // Not (controller.*action)(): with -fsanitize=vptr GCC 12 sets `this` for virtual ones only.
    if (m_panel.commitEntries()) std::invoke(action, m_session.controller);
}

void RunActions::measureCurve() {
    if (m_panel.commitEntries()) showRecompute(m_views).measureOrCancel();
}

void RunActions::refresh() {
    RunController& controller = m_session.controller;
    const CurveMeasurer& measurer = m_session.measurer;
    // What runs is the model of the sliders, which a recorded step hides.
    const bool isHidden = m_session.workbench.recording() != nullptr;
    const bool isFree = !isHidden && !controller.work().busy();
    const bool canStart = isFree && controller.chosen().whyNotRun().isEmpty();
    const bool isPlannedOnly = controller.work().engineReady() && controller.devices().runnable() == nullptr;
    m_actions.enable("run.run", isFree && controller.chosen().canTrain());
    m_actions.enable("run.pause", controller.work().training());
    m_actions.enable("run.stop", controller.work().busy());
    m_actions.enable("run.profile", canStart);
    m_actions.enable("run.measureCurve", !isHidden && (measurer.running() || measurer.whyNot().isEmpty()));
    m_actions.enable("run.prove", !isHidden);
    m_actions.enable("run.calibrate", controller.work().engineReady() && !controller.work().busy());
    m_actions.enable("run.apply", !isHidden && controller.canApply());
    const bool paused = controller.work().engineState() == protocol::EngineState::Paused;
    m_actions.action(QStringLiteral("run.pause"))->setText(paused ? tr("Resu&me") : tr("&Pause"));
    for (auto each = m_answers.cbegin(); each != m_answers.cend(); ++each) {
        QAction* const action = m_actions.action(each.key());
        // What a view that is empty says in place of the button.
        action->setToolTip(isPlannedOnly ? sentenceText(controller.chosen().whyNotRun())
                                         : action->statusTip());
        (*each)->setKey(action->shortcut());
        (*each)->setEnabled(!isHidden && !action->isEnabled());
    }
}

void RunActions::answer(const QString& action) {
    RunController& controller = m_session.controller;
    if (controller.work().engineState() == protocol::EngineState::Paused &&
        action == QStringLiteral("run.run"))
        return controller.pauseOrResume();
    if (const QString why = controller.chosen().whyNotRun(); !why.isEmpty() && !controller.work().busy())
        emit controller.noticed(sentenceText(why));
}

}  // namespace plumb::ui
