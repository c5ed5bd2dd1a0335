// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workbench/recording.h"

#include "ui/theme/text.h"

#include <utility>

namespace plumb::ui {

Scene sceneOf(const Recording& recording, const Target& target,
              std::shared_ptr<const std::vector<Machine>> dataSheets) {
    const StepFile& file = *recording.file;
    Scene scene{plannedOn(file, target), {}, std::move(dataSheets)};
    std::shared_ptr<const Reading> reading = readingOf(file, target.machine);
    if (reading == nullptr) return scene;
    std::optional<PlannedStep> elsewhere = ranElsewhere(file, scene.whatIf);
    scene.measured.emplace(elsewhere ? *std::move(elsewhere) : scene.whatIf, std::move(reading));
    return scene;
}

QString whatRan(const Scene& scene) {
    const MeasuredStep& measured = *scene.measured;
    return measured.step == scene.whatIf.step ? tr("run on %1").arg(deviceText(measured.machine()))
                                              : tr("run %1").arg(coreText(measured.step->title()));
}

std::shared_ptr<TrainingRun> runOf(const StepFile& file) {
    auto run = std::make_shared<TrainingRun>();
    run->title = coreText(file.step.title());
    run->recorded = std::make_shared<const RecordedLosses>(file.losses);
    run->outcome = coreText(kRecorded);
    run->step = std::make_shared<const RecordedStep>(file.step);
    if (const std::optional<Seconds> median = file.medianSeconds(); median && *median > 0)
        run->stepsPerSecond = 1 / *median;
    if (const std::shared_ptr<const TrainingSeries> series = trainingOf(file)) {
        for (const StepMetrics& step : series->steps) run->history.add(step);
        run->stepsDone = series->stepsDone;
    }
    return run;
}

}  // namespace plumb::ui
