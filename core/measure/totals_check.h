// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/json_fields.h"
#include "core/measure/reading.h"
#include "core/model/run_config.h"

namespace plumb {

/// Refuses a reading of a file (`field`, read as `reading`) whose times nobody can believe, or whose rates
/// are not those of its seconds: what is shown beside each other would contradict itself. `planned` is the
/// prediction of the same step by the same program, with the FLOPs that nobody measures; null: the rates that
/// need them are compared as far as they can be.
void expectBelievable(const JsonField& field, const Reading& reading, const RunConfig& config,
                      const Machine& machine, const Reading* planned);

}  // namespace plumb
