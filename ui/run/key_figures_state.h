// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/workbench/workbench.h"

#include <QString>

#include <memory>
#include <span>
#include <vector>

namespace plumb::ui {

enum class Verdict { None, Good, Warning, Bad };

/// Up to these shares measured and predicted differ little, and tolerably.
inline constexpr double kGoodDifference = 0.05;
inline constexpr double kFairDifference = 0.15;

/// One number of the row above the views, as text. "–" stands for what is not known.
struct KeyFigure {
    QString id;  ///< "peakMemory": stable, for tests and object names
    QString title;
    QString predicted;  ///< empty: this figure has no prediction (loss)
    QString measured;
    QString
        difference;  ///< measured against predicted; where they are of different steps, the other way round
    Verdict verdict = Verdict::None;
    QString toolTip;  ///< exact values, the formula with the numbers put in, where each came from
    /// "predicted", or "what-if" when what ran is another step; of times the range and the tier:
    /// "1.2–3.4 ms, data sheet".
    QString predictedCaption;
    QString narrowCaption;    ///< the same where there is little room: "data sheet"
    QString measuredCaption;  ///< "measured", or "run"
    bool operator==(const KeyFigure&) const = default;
};

/// The newest of these trainings, oldest first, that is of the step whose figures stand beside its loss: of
/// the one that was measured, else of the one that is predicted, or the one of a recorded step. Null: there
/// is none.
[[nodiscard]] const TrainingRun* trainingOf(const Scene& scene,
                                            std::span<const std::shared_ptr<TrainingRun>> trainings);

/// Pure function; `run` is trainingOf() the scene or null.
[[nodiscard]] std::vector<KeyFigure> makeKeyFigures(const Scene& scene, const TrainingRun* run);

}  // namespace plumb::ui
