// SPDX-License-Identifier: Apache-2.0
#include "core/plan/fit_schedule.h"

namespace plumb {

Result<CheckpointSchedule> fitSchedule(const RunConfig&, const BackendTraits&) {
    return Error{ErrorCode::BadInput, "checkpoint is not in this version (fit)",
                 "use all, none, sqrt or a number of layers"};
}

}  // namespace plumb
