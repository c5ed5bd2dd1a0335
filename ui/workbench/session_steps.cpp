// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workbench/session_steps.h"

#include "ui/theme/text.h"
#include "ui/workbench/workbench.h"

#include <QFileInfo>

#include <utility>

namespace plumb::ui {
namespace {

std::vector<StepMetrics> lossesOf(const TrainingRuns& runs, const RunConfig& config) {
    for (std::size_t i = runs.all().size(); i-- > 0;)
        if (runs.all()[i]->config == config) return runs.all()[i]->history.points();
    return {};
}

}  // namespace

SessionStep measuredStepOf(const Workbench& workbench, std::size_t index) {
    const Measurement& measurement = workbench.measurements().at(index);
    const QString title = tr("measured %1 · %2").arg(index + 1).arg(runTitle(measurement.config));
    return {title,
            [config = measurement.config, target = measurement.target, reading = measurement.reading,
             losses = lossesOf(workbench.runs(), measurement.config),
             label = title.toStdString()]() -> Result<ComparedStep> {
                PLUMB_TRY(ComparedStep step, comparedStep(config, target, reading, label));
                step.training = losses;
                return step;
            }};
}

std::vector<SessionStep> sessionSteps(const Workbench& workbench) {
    std::vector<SessionStep> steps;
    const PlannedStep planned = workbench.session()->whatIf;
    const QString predicted = tr("predicted · %1").arg(coreText(planned.step->title()));
    steps.push_back({predicted, [planned, label = predicted.toStdString()]() -> Result<ComparedStep> {
                         return comparedStep(planned, label);
                     }});
    if (const Recording* recording = workbench.recording()) {
        const QString name = QFileInfo(recording->path).fileName();
        steps.push_back(
            {name, [file = recording->file, label = name.toStdString()]() -> Result<ComparedStep> {
                 return comparedStep(*file, label);
             }});
        const QString here = tr("%1 · predicted here").arg(name);
        steps.push_back(
            {here, [shown = workbench.scene()->whatIf, label = here.toStdString()]() -> Result<ComparedStep> {
                 return comparedStep(shown, label);
             }});
    }
    for (std::size_t i = workbench.measurements().size(); i-- > 0;)
        steps.push_back(measuredStepOf(workbench, i));
    return steps;
}

}  // namespace plumb::ui
