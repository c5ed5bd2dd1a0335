// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/export/exported_step.h"
#include "core/io/table.h"

namespace plumb {

/// One row per op: id, name, phase, kind, FLOPs, bytes, predicted and measured seconds with their tier, a
/// column of bytes per category from both memory curves, the counters, and where the step says it module,
/// layer and executions. Of a prediction or measurement that this version cannot plan too.
[[nodiscard]] Table opsTable(const ExportedStep& step);
/// One row per tensor: name, category, module, type, shape, bytes, and the ops during which it lives. Pre:
/// step.step().
[[nodiscard]] Table tensorsTable(const ExportedStep& step);
/// One row per op: bytes alive while it runs, by category, predicted and measured.
[[nodiscard]] Table memoryTable(const ExportedStep& step);
/// One row per module with all below it. Pre: step.planned.
[[nodiscard]] Table modulesTable(const ExportedStep& step);
/// One row per record of a timeline, in seconds since it began. Pre: a measured timeline.
[[nodiscard]] Table timelineTable(const ExportedStep& step);
/// One row per kept step of a training: step, loss, seconds, step_seconds, gradient_norm, update_ratio,
/// learning_rate, loss_scale; of a recorded step also pass. Pre: training.
[[nodiscard]] Table trainingTable(const ExportedStep& step);

}  // namespace plumb
