// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/run_config.h"

#include <cstdint>

namespace plumb {

/// Which of the stream of samples a rank has. A step takes the same samples whatever the number of ranks:
/// those of rank r are its r-th part, and of these each micro-batch the next ones.
struct DataShare {
    std::int64_t rank = 0;
    std::int64_t ranks = 1;
    std::int64_t microBatches = 1;  ///< of one rank in one step

    DataShare() = default;
    DataShare(const RunConfig& config, const Place& place)
        : rank(place.data), ranks(config.parallel.data), microBatches(config.microBatches()) {}

    /// Among the micro-batches of all ranks in a step, the number of one of this rank's.
    [[nodiscard]] std::int64_t inStep(std::int64_t microBatch) const {
        return rank * microBatches + microBatch;
    }
    /// Among those of all ranks and all steps, the number of the `count`-th that this rank takes.
    [[nodiscard]] std::int64_t inStream(std::int64_t count) const {
        return count / microBatches * ranks * microBatches + inStep(count % microBatches);
    }
};

}  // namespace plumb
