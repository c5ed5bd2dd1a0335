// SPDX-License-Identifier: Apache-2.0
#include "core/model/rank_choices.h"

#include <algorithm>
#include <numeric>

namespace plumb {

RunConfig withRanks(RunConfig config, std::int64_t ranks) {
    const bool isWhole = config.microBatchSize() == config.rankBatch();
    if (ranks % config.parallel.tensor != 0) config.parallel.tensor = 1;
    config.parallel.data = ranks / config.parallel.tensor;
    if (config.parallel.data == 1) config.parallel.zero = Zero::Off;
    if (isWhole)
        config.microBatch = 0;
    else if (config.rankBatch() > 0)
        config.microBatch = std::gcd(config.microBatch, config.rankBatch());
    return config;
}

std::vector<std::int64_t> rankCounts(const RunConfig& config) {
    std::vector<std::int64_t> counts;
    const std::int64_t most =
        std::min(config.batch, kMostRanks / std::max<std::int64_t>(config.parallel.tensor, 1));
    for (std::int64_t count = 1; count <= most; ++count)
        if (config.batch % count == 0) counts.push_back(count);
    return counts;
}

}  // namespace plumb
