// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/planner/holding.h"
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

/// Bytes of one device's parameters that data-parallel devices send each other.
struct SharedBytes {
    double gradients = 0;  ///< of what is trained
    double updated = 0;    ///< weights of what is trained
    double weights = 0;    ///< all of them, as they are kept
    double gathers = 2;  ///< of all weights for each micro-batch: forward and, as far as it reaches, backward
};
[[nodiscard]] SharedBytes sharedBytes(const Recipe& recipe, const Adaptation& adaptation,
                                      const Holding& holding, double backwardShare);
/// Gradients and weights among data-parallel devices, in `pieces` (layers, and what stands beside them), with
/// `rounds` micro-batches that are synchronised one by one where ZeRO shares gradients or weights.
[[nodiscard]] StepTraffic dataTraffic(const SharedBytes& shared, Sharding sharding, double pieces,
                                      double rounds, const Group& group, const Links& links);
/// The same of parameters that are all trained.
[[nodiscard]] StepTraffic dataTraffic(const Recipe& recipe, Sharding sharding, double parameters,
                                      double pieces, double rounds, const Group& group, const Links& links);

/// How data-parallel traffic goes: a pipeline with full sharding keeps gathered weights and sums gradients
/// for the whole step (stage_memory.cpp), and sends what sharded states alone would.
[[nodiscard]] Sharding shardingOfTraffic(const ParallelLayout& layout);

}  // namespace plumb::planner
