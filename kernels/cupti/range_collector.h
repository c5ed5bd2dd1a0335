// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/op_listener.h"
#include "core/plan/step_plan.h"
#include "kernels/cupti/counter_support.h"
#include "kernels/cupti/detect.h"

#include <functional>
#include <memory>

namespace plumb::cupti {

struct CollectorOptions {
    Libraries libraries;
    std::size_t mostRanges = kMostRanges;
    /// Waits a second; empty: that is what it does.
    std::function<void()> wait;
};

/// Counters of the ops of `plan` on the context that is current on this thread, one range for each execution
/// of an op. Ops must run one by one and not from a graph. Everything that may be refused is asked here, so
/// that nothing was disturbed when it is. Errors: Unavailable with the reason and the remedy; those of CUPTI.
[[nodiscard]] Result<std::unique_ptr<CounterCollector>>
openRangeCollector(const StepPlan& plan, CounterDetail detail, const CollectorOptions& options = {});

}  // namespace plumb::cupti
