// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/loss_history.h"

#include <vector>

namespace plumb {

/// A smoothed loss where it belongs on either axis of a chart.
struct SmoothLoss {
    double step = 0;
    double seconds = 0;
    double loss = 0;
};

struct SmoothLosses {
    double window = 0;               ///< steps that a mean reaches back and ahead at most; 0: there is none
    std::vector<SmoothLoss> losses;  ///< increasing step; begins and ends where the positive losses do
};

/// The losses of `history` smoothed for a log axis. `smoothing` is 0 (none) to 1; the window is its square of
/// the run, and a window of less than a step is none. What lies further away than the window has no part in a
/// point, and losses that are not positive have none anywhere.
///
/// On a log axis a falling loss is a straight line, which a mean of losses would lift and bend long before
/// the data bends. So the trend is the mean of the logarithms; but that of noisy losses lies below what a
/// model can reach, and so the losses as multiples of the trend have their arithmetic mean put back. All of
/// it is made of the history's exact means and never of the kept extremes: O(kept points), which LossHistory
/// bounds.
[[nodiscard]] SmoothLosses smoothLosses(const LossHistory& history, double smoothing);

}  // namespace plumb
