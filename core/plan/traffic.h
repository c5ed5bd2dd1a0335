// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/comm/comm_call.h"
#include "core/plan/step_plan.h"

#include <cstdint>
#include <functional>

namespace plumb {

/// A training's gradients travel in buckets: in the order in which the backward pass makes them, until a
/// bucket has so many bytes. The first is small, so that traffic begins early.
inline constexpr Bytes kFirstBucketBytes = Bytes{1} << 20;
inline constexpr Bytes kBucketBytes = Bytes{25} << 20;

/// Ranks that take a step at the same time on one machine: those of a processor are threads of one process, a
/// GPU is of one rank.
[[nodiscard]] inline std::int64_t ranksOfMachine(const RunConfig& config, const BackendTraits& traits) {
    return traits.exchanges ? config.parallel.ranks() : 1;
}

/// Ranks that take part in an op of lane Traffic.
[[nodiscard]] inline std::int64_t ranksOf(const StepPlan& plan, const Op& op) {
    return plan.config.parallel.along(op.axis);
}

/// The call that an op of this kind is. Pre: it is of lane Traffic.
[[nodiscard]] CommKind commKindOf(OpKind kind);
/// The call that an op of lane Traffic is, with a piece for each tensor that it moves; `memoryOf` says where
/// a tensor lies. Without it and without scratch: what bytes follow from.
[[nodiscard]] CommCall callOf(const StepPlan& plan, const Op& op,
                              const std::function<std::byte*(TensorId)>& memoryOf = {});

// Of one such op on the plan's rank. Bytes of what it moves, as a whole; those that it reads and writes, and
// those that it sends and is sent; bytes of the other ranks' slices that wait to be reduced, and what adding
// them takes.
[[nodiscard]] Bytes movedBytes(const StepPlan& plan, const Op& op);
[[nodiscard]] Bytes touchedBytes(const StepPlan& plan, const Op& op);
[[nodiscard]] CommBytes bytesOnWire(const StepPlan& plan, const Op& op);
[[nodiscard]] Bytes exchangeBytes(const StepPlan& plan, const Op& op);
[[nodiscard]] Flops reducedFlops(const StepPlan& plan, const Op& op);

}  // namespace plumb
