// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/measure/counter_set.h"
#include "core/measure/op_counters.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace plumb {

struct Timeline;

/// Is told which op of the plan the device gets work for, so that what the hardware says can be laid to it.
///
/// One at a time: an executor has at most one, which keeps counters and activity apart in time, as
/// the hardware wants it. Called on the thread that runs the ops. Calls are never nested. An error ends the
/// step like one of the backend.
class OpListener {
public:
    virtual ~OpListener() = default;
    [[nodiscard]] virtual Result<void> beginStep(std::int64_t step) = 0;
    /// One execution of op `index` of the plan; ops of later micro-batches come several times in a step.
    [[nodiscard]] virtual Result<void> beginOp(std::int32_t index) = 0;
    [[nodiscard]] virtual Result<void> endOp() = 0;
    [[nodiscard]] virtual Result<void> endStep() = 0;
};

/// Reads hardware counters per op while whole training steps run.
///
/// Each step is one pass over a part of the counters: nothing is saved, restored or run twice, because counts
/// follow from shapes and not from values. Every step must launch the same work. Times of these steps are
/// worthless.
class CounterCollector : public OpListener {
public:
    /// What will be collected and how many steps that takes (`passes`); known before the first step.
    [[nodiscard]] virtual const CounterRun& run() const = 0;
    /// True after the step that was the last one needed.
    [[nodiscard]] virtual bool complete() const = 0;
    /// One entry for each op of the plan, all executions of a step together. Pre: complete().
    [[nodiscard]] virtual Result<std::vector<OpCounters>> take() = 0;
    /// What was asked for and is not in take(), in one sentence; empty when nothing is missing.
    [[nodiscard]] virtual std::string missing() const { return {}; }
};

/// Collects what the device does, with its own time stamps, while training goes on at nearly full speed.
class ActivityCollector : public OpListener {
public:
    /// Ops until endCapture() are noted by the device and run whenever the capture is replayed: in steps
    /// between a beginStep() and its endStep(), in which nobody is told of ops.
    [[nodiscard]] virtual Result<void> beginCapture() = 0;
    [[nodiscard]] virtual Result<void> endCapture() = 0;
    /// Everything since the first beginStep(); what was lost on the way is counted in it. Waits for the
    /// device. Nothing is collected any more.
    [[nodiscard]] virtual Result<std::shared_ptr<const Timeline>> take() = 0;
};

}  // namespace plumb
