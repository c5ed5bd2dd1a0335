// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/scene.h"
#include "core/recorded/step_file.h"
#include "ui/workbench/training_runs.h"

#include <QString>

#include <memory>
#include <vector>

namespace plumb::ui {

/// A step that a recorder of another program wrote down, opened to be looked at.
struct Recording {
    QString path;
    std::shared_ptr<const StepFile> file;   ///< never null
    std::shared_ptr<TrainingRun> run = {};  ///< its steps and losses; never null of what a workbench shows
};

/// The recorded step predicted for a target, with what was measured of it: on that target where its machine
/// is the one that the step ran on, else on one of which the name alone is known.
[[nodiscard]] Scene sceneOf(const Recording& recording, const Target& target,
                            std::shared_ptr<const std::vector<Machine>> dataSheets);

/// "run D 64 · L 8", "run on AMD EPYC": what was measured where it is another step, or on another machine,
/// than what is asked for. Pre: scene.measured.
[[nodiscard]] QString whatRan(const Scene& scene);

/// The steps of a recording as a run; without points where the file has no losses.
[[nodiscard]] std::shared_ptr<TrainingRun> runOf(const StepFile& file);

}  // namespace plumb::ui
