// SPDX-License-Identifier: Apache-2.0
#include "core/recorded/recorded_step.h"

namespace plumb {

void RecordedStep::addUp() {
    matmulFlops = recomputedFlops = flops = 0;
    bytes = 0;
    hasAllFlops = true;
    for (const RecordedOp& each : ops) {
        matmulFlops += each.matmulFlops;
        recomputedFlops += each.phase == Phase::Recompute ? each.matmulFlops : 0;
        flops += each.flops;
        bytes += each.bytes;
        hasAllFlops = hasAllFlops && each.hasFlops;
    }
}

std::string RecordedStep::opName(std::int64_t index) const {
    const RecordedOp& each = op(index);
    return each.name.empty() ? opLabel(index) : each.name;
}

std::string RecordedStep::opLabel(std::int64_t index) const {
    const RecordedOp& each = op(index);
    return each.module.empty() ? each.kind : each.module + " · " + each.kind;
}

}  // namespace plumb
