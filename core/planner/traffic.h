// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/planner/links.h"
#include "core/planner/stage.h"

#include <vector>

namespace plumb::planner {

/// Traffic of one step on a device of `stage`, by axis; axes of one device are left out. `exposed` is what
/// the assumed overlaps leave; what data-parallel devices send hides behind `dataBehind` seconds of
/// computation at most, the rest behind `behind`.
[[nodiscard]] Result<std::vector<StepTraffic>> trafficOf(const Scenario& scenario, const Transformer& model,
                                                         const ResolvedLayout& layout, const Stage& stage,
                                                         const Links& links, double behind,
                                                         double dataBehind);

/// Gradients and weights among data-parallel devices: `parameters` of one device, `rounds` micro-batches that
/// are synchronised one by one where ZeRO shares gradients or weights.
[[nodiscard]] StepTraffic dataTraffic(const Recipe& recipe, Sharding sharding, double parameters,
                                      double rounds, const Group& group, const Links& links);

/// How data-parallel traffic goes: a pipeline with full sharding keeps gathered weights and sums gradients
/// for the whole step (stage_memory.cpp), and sends what sharded states alone would.
[[nodiscard]] Sharding shardingOfTraffic(const ParallelLayout& layout);

}  // namespace plumb::planner
