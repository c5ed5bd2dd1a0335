// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/step_plan.h"

#include <vector>

namespace plumb {

/// Where the tensors that come and go during a step lie when they get one block of memory, once.
struct ArenaLayout {
    std::vector<Bytes> offset;  ///< by TensorId, multiples of the alignment; -1 for persistent tensors
    Bytes bytes = 0;            ///< bytes of the block
    /// Most bytes of them that are resident at once, each rounded up to the alignment: no layout needs less.
    Bytes leastBytes = 0;
};

/// Tensors that are resident at the same time do not overlap.
///
/// Finding the smallest layout is a bin packing problem. Tensors are placed one after the other where they
/// fit best, in several orders, and what ends highest is moved forward and all is placed again, until
/// `leastBytes` are reached or a fixed amount of work is done: a function of the plan alone. Nearly all steps
/// reach it; the others need up to a few per cent more. Of layouts that are as small, a step with a side
/// branch (BackendTraits::sideBranch) gets one in which the ops behind those of the branch leave their memory
/// alone, so that nobody waits. Pre: `alignment` is a power of two.
[[nodiscard]] ArenaLayout arenaLayout(const StepPlan& plan, Bytes alignment = 256);

}  // namespace plumb
