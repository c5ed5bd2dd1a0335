// SPDX-License-Identifier: Apache-2.0
#include "core/plan/shards.h"

#include <algorithm>

namespace plumb {
namespace {

std::int64_t elementsOf(const RunConfig& config, std::int64_t matrix) {
    return partOf(config, matrix).elements();
}

}  // namespace

std::int64_t paddedElements(const RunConfig& config, std::int64_t matrix) {
    const std::int64_t elements = elementsOf(config, matrix), ranks = config.parallel.data;
    return config.parallel.shares(Zero::States) ? ranks * shardElements(elements, ranks) : elements;
}

Slice ownSlice(const RunConfig& config, const Place& place, std::int64_t matrix) {
    const std::int64_t elements = elementsOf(config, matrix);
    if (!config.parallel.shares(Zero::States)) return {0, elements};
    const std::int64_t shard = shardElements(elements, config.parallel.data);
    return {std::min(elements, place.data * shard), std::min(elements, (place.data + 1) * shard)};
}

std::int64_t ownParameters(const StepPlan& plan) {
    // All layers are alike, in rows or in columns.
    const std::int64_t layers = plan.config.layers;
    std::int64_t sum = layers > 0 ? layers * ownSlice(plan.config, plan.place, 1).elements() : 0;
    if (plan.config.head) sum += ownSlice(plan.config, plan.place, layers + 1).elements();
    return sum;
}

}  // namespace plumb
