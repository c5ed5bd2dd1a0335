// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/op_listener.h"
#include "core/measure/reading.h"
#include "core/train/executor.h"

#include <cstdint>
#include <functional>
#include <stop_token>

namespace plumb {

/// Told before and while the steps run: how many are done, of how many.
using ProfilingProgress = std::function<void(std::int64_t done, std::int64_t total)>;

/// Runs the training steps that `collector` needs, each exactly once, and returns one entry per op. Errors:
/// RunFailed when the collector wants more steps than it announced, when fp16 skipped a step (which then ran
/// other work than the other passes) or when stopped; those of a step.
[[nodiscard]] Result<std::vector<OpCounters>> countOps(Executor& executor, CounterCollector& collector,
                                                       const std::stop_token& stop,
                                                       const ProfilingProgress& progress);

/// Opens the counters of `backend`, counts, and puts the counts into `measured`. Whatever fails becomes the
/// reason why there are none; what was measured before stays. Errors: the loss of the device, with which the
/// run ends.
[[nodiscard]] Result<void> addCounters(Reading& measured, Executor& executor, Backend& backend,
                                       CounterDetail detail, const std::stop_token& stop,
                                       const ProfilingProgress& progress);

/// Runs `steps` further steps and puts the timeline of the device's own activity records into `measured`, in
/// place of the one that a clock made. Steps of a device that replays them are replayed, after one that runs
/// op by op; ops that nothing has timed then get their seconds from the records. Does nothing where the
/// backend has no such records, or they fail: the other timeline stays, and says its source. Errors: the
/// loss of the device.
[[nodiscard]] Result<void> addActivity(Reading& measured, Executor& executor, Backend& backend,
                                       std::int64_t steps, const std::stop_token& stop);

}  // namespace plumb
