// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/machine/tier.h"
#include "ui/training/training_state.h"

#include <QString>

#include <cstdint>
#include <optional>

namespace plumb::ui {

/// The steps or seconds of a training that the user has marked; none: all of it.
struct MarkedStretch {
    TrainingWindow window;
    TrainingOptions::Axis axis = TrainingOptions::Axis::Steps;

    [[nodiscard]] bool contains(double step, double seconds) const {
        const double x = axis == TrainingOptions::Axis::Steps ? step : seconds;
        return !window || (x >= window->first && x <= window->second);
    }
};

/// What a run was like in a stretch of it, from the points that its history keeps: the losses of its ends and
/// its mean, and the times of its steps.
struct StretchFigures {
    std::int64_t firstStep = 0, lastStep = 0;  ///< as people count, from 1
    double firstLoss = 0, lastLoss = 0;        ///< of these
    std::optional<double> meanLoss;            ///< of all finite losses, however many points are kept
    std::optional<double> lowestLoss;          ///< of the finite ones
    std::optional<double> stepsPerSecond;      ///< with what was between the steps; absent of one step
    std::optional<Seconds> stepSeconds;        ///< median of the kept steps
    std::optional<Spread> spread;              ///< 10 % to 90 % of them
};
/// Absent where the run has no step in it.
[[nodiscard]] std::optional<StretchFigures> figuresOf(const TrainingRun& run, const MarkedStretch& stretch);
/// One line of them; empty where nothing is marked.
[[nodiscard]] QString stretchText(const TrainingRun* run, const MarkedStretch& stretch);

}  // namespace plumb::ui
