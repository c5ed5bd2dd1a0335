// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/planned_step.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace plumb {

/// What the numbers of a step say of where its time or its memory goes.
struct Finding {
    /// Where one looks at it.
    enum class Place : std::uint8_t { Operations, Memory };
    std::string title;     ///< "Copies take 8.3 % of the time of all operations"
    std::string evidence;  ///< the numbers behind it
    Place place = Place::Operations;
    std::string opId;  ///< the operation that shows it best
    double share = 0;  ///< of the time of all operations, or of the peak: 0 to 1
};

/// The findings with the largest shares, those first. Times are measured, or predicted where nothing was
/// measured; of a step with neither only those of memory. `measured` is of the same step, or null.
[[nodiscard]] std::vector<Finding> findingsOf(const PlannedStep& planned, const MeasuredStep* measured,
                                              std::size_t most = 3);

}  // namespace plumb
