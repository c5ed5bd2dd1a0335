// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/reading_actions.h"

#include "core/base/program_version.h"
#include "ui/shell/action_registry.h"
#include "ui/shell/session.h"
#include "ui/theme/text.h"
#include "ui/widgets/dialogs.h"
#include "ui/workbench/prediction_difference.h"

#include <QMenu>

namespace plumb::ui {
namespace {

/// "3 · D 256 · L 4 · B 256 · fp32 · AdamW · 20 steps of 1.21 ms": the number tells equal ones apart.
QString measurementTitle(const Measurement& measurement, std::size_t number) {
    const auto seconds = measurement.reading->totals.seconds;
    QString title =
        (seconds ? ReadingActions::tr("%1 · %2 · %3 steps of %4") : ReadingActions::tr("%1 · %2 · %3 steps"))
            .arg(number)
            .arg(runTitle(measurement.config))
            .arg(measurement.reading->stepsMeasured);
    if (seconds) title = title.arg(quantityText(*seconds, "s"));
    if (!measurement.reading->engine.empty())
        title += QStringLiteral(" · ") + toText(measurement.reading->engine);
    return title;
}

}  // namespace

ReadingActions::ReadingActions(ActionRegistry& actions, Session& session, QWidget& window)
    : QObject(&window), m_actions(actions), m_session(session), m_window(window) {
    actions.add({QStringLiteral("run.predictAgain"),
                 tr("Predict again with &this version"),
                 tr("Lay this version's prediction beside the one that was read from the file"),
                 {}},
                [this] { predictAgain(); });
    actions.add({QStringLiteral("run.earlierMeasurement"), tr("Show the earlier m&easurement"),
                 tr("Show what was measured before; nothing is lost by a new measurement"),
                 keys("Ctrl+Alt+Left")},
                [this] { showMeasurementBeside(-1); });
    actions.add({QStringLiteral("run.laterMeasurement"), tr("Show the &later measurement"),
                 tr("Show what was measured after it"), keys("Ctrl+Alt+Right")},
                [this] { showMeasurementBeside(1); });
    connect(&session.controller, &RunController::changed, this, &ReadingActions::refresh);
    connect(&session.workbench, &Workbench::sceneChanged, this, &ReadingActions::refresh);
    refresh();
}

void ReadingActions::setMenu(QMenu& menu) {
    menu.setObjectName(QStringLiteral("measurementsMenu"));
    connect(&menu, &QMenu::aboutToShow, this, [this, &menu] { fill(menu); });
}

void ReadingActions::refresh() {
    const Workbench& workbench = m_session.workbench;
    const bool can = canShow();
    const std::size_t measured = workbench.measurements().size();
    const std::size_t shown = workbench.shownMeasurement().value_or(measured);
    m_actions.enable("run.earlierMeasurement", shown > 0 && can);
    m_actions.enable("run.laterMeasurement", shown + 1 < measured && can);
    const bool filed = workbench.filedPrediction() != nullptr && workbench.recording() == nullptr;
    m_actions.enable("run.predictAgain", filed);
    m_actions.action(QStringLiteral("run.predictAgain"))
        ->setText(filed && !workbench.session()->whatIf.isFiled ? tr("Show the predic&tion of the file")
                                                                : tr("Predict again with &this version"));
}

// A recorded step stands in front of all that was measured.
bool ReadingActions::canShow() const {
    return m_session.workbench.recording() == nullptr && !m_session.controller.work().busy();
}

void ReadingActions::predictAgain() {
    Workbench& workbench = m_session.workbench;
    const FiledPrediction* filed = workbench.filedPrediction();
    if (!filed) return;
    const bool again = workbench.session()->whatIf.isFiled;
    const FiledPrediction before = *filed;
    workbench.showFiledPrediction(!again);
    if (!again) return;
    const Scene& scene = *workbench.session();
    showPage(
        m_window, tr("The prediction of the file and that of this version"),
        differencePage(comparePredictions(*scene.whatIf.step, *before.prediction, *scene.whatIf.prediction),
                       before.program, toText(programVersion())));
}

void ReadingActions::fill(QMenu& menu) {
    menu.clear();
    for (const char* id : {"run.earlierMeasurement", "run.laterMeasurement", "run.compareMeasurements"})
        menu.addAction(m_actions.action(QLatin1String(id)));
    menu.addSeparator();
    const auto& all = m_session.workbench.measurements();
    for (std::size_t i = all.size(); i-- > 0;) {
        QAction* entry = menu.addAction(
            // A name of a file has no mnemonics.
            measurementTitle(all[i], i + 1).replace(QLatin1Char('&'), QStringLiteral("&&")), this,
            [this, i] { showMeasurement(i); });
        entry->setCheckable(true);
        entry->setChecked(m_session.workbench.shownMeasurement() == i &&
                          m_session.workbench.recording() == nullptr);
        entry->setEnabled(canShow());
        entry->setStatusTip(deviceText(all[i].target.machine));
    }
    if (all.empty()) menu.addAction(tr("Nothing was measured yet"))->setEnabled(false);
}

void ReadingActions::showMeasurement(std::size_t index) {
    if (index >= m_session.workbench.measurements().size() || !canShow()) return;
    if (const Result<void> shown = m_session.workbench.show(MeasurementAt{index}); !shown.has_value())
        emit failed(shown.error());
}

void ReadingActions::showMeasurementBeside(int steps) {
    const auto count = static_cast<std::ptrdiff_t>(m_session.workbench.measurements().size());
    const auto shown = m_session.workbench.shownMeasurement();
    const std::ptrdiff_t wanted = (shown ? static_cast<std::ptrdiff_t>(*shown) : count) + steps;
    if (wanted >= 0 && wanted < count) showMeasurement(static_cast<std::size_t>(wanted));
}

}  // namespace plumb::ui
