// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/reading.h"

#include <optional>

namespace plumb {

/// A prediction as it was written into a file, laid beside `plan`, the way back from toReading(). Empty where
/// the two are not of the same ops with the same FLOPs and bytes, or without a memory curve: another version
/// of the program describes the step otherwise, and its numbers belong to no op of this plan. `machine`: of
/// the file, which tells the tier of times in a file that does not name one.
[[nodiscard]] std::optional<Prediction> filedPrediction(const StepPlan& plan, const Reading& predicted,
                                                        const Machine& machine);

}  // namespace plumb
