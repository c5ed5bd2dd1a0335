// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/quantity.h"
#include "core/base/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace plumb {

/// Where and how often a training keeps its state.
struct CheckpointOptions {
    std::string folder;          ///< made when it is not there; empty: no checkpoints are written
    std::int64_t saveEvery = 0;  ///< optimizer steps; 0: only at the end
    std::int64_t keepLast = 3;   ///< older ones are deleted once a newer one is durable, or on a full
                                 ///< disk to make room, but never the newest; at least 1
    bool operator==(const CheckpointOptions&) const = default;
};

/// One training checkpoint that was written, or could not be.
struct CheckpointReport {
    std::string path;
    std::int64_t step = 0;     ///< optimizer steps done
    Bytes bytes = 0;           ///< bytes of the tensors
    Seconds copySeconds = 0;   ///< that training stood still
    Seconds writeSeconds = 0;  ///< in the background, until it was durable
    std::optional<Error> failure;
    /// Older checkpoints that were deleted before their time, because the disk was full.
    std::vector<std::string> givenUp = {};
};

}  // namespace plumb
