// SPDX-License-Identifier: Apache-2.0
#include "core/measure/training_series.h"

namespace plumb {

TrainingEnd endOf(std::string_view outcome) {
    if (outcome.starts_with("finished")) return TrainingEnd::Finished;
    if (outcome.starts_with("stopped")) return TrainingEnd::Stopped;
    if (outcome.empty() || outcome == kStillRunning || outcome == kFromFile || outcome == kRecorded)
        return TrainingEnd::Unknown;
    return TrainingEnd::Failed;
}

}  // namespace plumb
