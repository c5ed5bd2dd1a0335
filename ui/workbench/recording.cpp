// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workbench/recording.h"

#include <utility>

namespace plumb::ui {

Scene sceneOf(const Recording& recording, const Target& target,
              std::shared_ptr<const std::vector<Machine>> dataSheets) {
    const StepFile& file = *recording.file;
    Scene scene{plannedOn(file, target), {}, std::move(dataSheets)};
    std::shared_ptr<const Reading> reading = readingOf(file, target.machine);
    if (reading == nullptr) return scene;
    const RecordingEnvironment& environment = file.environment;
    PlannedStep measured = scene.whatIf;
    if (machineOf(environment, {&target.machine, 1}) == nullptr) {
        Machine elsewhere{.id = "recording"};
        elsewhere.name = environment.deviceName.empty() ? environment.device : environment.deviceName;
        measured = plannedOn(file, {std::move(elsewhere), target.traits});
        measured.step = scene.whatIf.step;  // the very same
    }
    scene.measured.emplace(std::move(measured), std::move(reading));
    return scene;
}

}  // namespace plumb::ui
