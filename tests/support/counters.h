// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/counter_comparison.h"
#include "core/plan/step_plan.h"

#include <cstddef>
#include <vector>

namespace plumb::test {

/// Counts of a step by op: twice the model's FLOPs executed, half of them on tensor cores; DRAM bytes as the
/// model, four times as many in the L2.
inline std::vector<OpCounters> countersOf(const StepPlan& plan) {
    std::vector<OpCounters> counters(plan.ops.size());
    for (std::size_t i = 0; i < plan.ops.size(); ++i) {
        const Op& op = plan.ops[i];
        counters[i][CounterKind::TensorFlops] = Counted{op.flops};
        counters[i][CounterKind::CoreFlops] = Counted{op.flops};
        counters[i][CounterKind::DramBytes] = Counted{op.bytes};
        counters[i][CounterKind::L2Bytes] = Counted{op.bytes * 4};
    }
    return counters;
}

}  // namespace plumb::test
