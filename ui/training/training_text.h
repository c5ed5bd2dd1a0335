// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/run_config.h"
#include "ui/training/training_figures.h"
#include "ui/training/training_state.h"

#include <QString>
#include <QStringList>

#include <cstdint>
#include <string_view>

namespace plumb::ui {

// How the training view writes its numbers.

/// ", in units of the variance of the targets" where those were standardized; empty without a unit.
[[nodiscard]] QString lossUnit(const TrainingRun& run);

/// The pass of a recording that a step was: "T"; empty for a run of our own model.
[[nodiscard]] QString passText(const TrainingRun& run, std::int64_t step);

/// How a run ended, with groups in its steps: "stopped after 2 132 steps".
[[nodiscard]] QString outcomeText(const QString& outcome);

/// "loss 0.013 · 1.2 k steps/s · ETA 02:14 · outcome", as far as there are.
[[nodiscard]] QString trainingSummary(const TrainingRun& run);
/// Caption, value and explanation of each figure; a dash for a value that there is not. `run` may be null.
[[nodiscard]] QVector<TrainingFigures::Figure> trainingFigures(const TrainingRun* run);
/// What is to be said about the newest run; `unseen`: some losses have no place on the log axis.
[[nodiscard]] QStringList trainingNotes(const TrainingRun* run, bool unseen);
/// How far the mean reaches: "±120 steps". `steps` is TrainingCurve::window.
[[nodiscard]] QString smoothingText(int smoothing, double steps);

}  // namespace plumb::ui
