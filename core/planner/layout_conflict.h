// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/planner/scenario.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace plumb::planner {

/// What has to divide what, as whole numbers alone: cheap enough to try many.
struct LayoutFacts {
    std::int64_t devices = 1;
    std::int64_t batch = 0;  ///< 0: follows
    std::int64_t sequence = 1;
    ParallelLayout layout;
    const Transformer* model = nullptr;
    std::int64_t linearBatch = 0;  ///< of the deep linear model, which has no layout; 0: another model

    /// Devices that hold one copy: tensor times pipeline times context; below 1 when beyond all numbers.
    [[nodiscard]] std::int64_t each() const;
    /// Sequences of a step, those that follow where none are given. Pre: each() divides the devices.
    [[nodiscard]] std::int64_t batchOfStep() const;
};

enum class LayoutConflict {
    Devices,
    Chunks,
    ShardGroup,
    ShardedExperts,
    Heads,
    Layers,
    NoExperts,
    Experts,
    DataExperts,
    Sequence,
    LinearLayout,
    LinearBatch,
    Batch
};

/// The first of them that there is. Pre: devices and degrees are at least 1.
[[nodiscard]] std::optional<LayoutConflict> conflictOf(const LayoutFacts& facts);

/// Numbers to give instead, as few as can be, with which there is no conflict at all. A shard group of 0 is
/// one that is left out. Empty: none are near.
using LayoutFixes = std::vector<std::pair<Input, std::int64_t>>;
[[nodiscard]] LayoutFixes fixesOf(const LayoutFacts& facts);

}  // namespace plumb::planner
