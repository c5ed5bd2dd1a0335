// SPDX-License-Identifier: Apache-2.0
#include "core/plan/recompute_schedule.h"

#include "core/base/entry_at.h"
#include "core/plan/fit_schedule.h"

#include <algorithm>
#include <cmath>

namespace plumb {
namespace {

RecomputeSchedule emptySchedule(std::int32_t depth) {
    RecomputeSchedule schedule;
    schedule.keeps.assign(static_cast<std::size_t>(depth) + 1, false);
    schedule.keeps.front() = true;
    schedule.keeps.back() = true;
    schedule.firstStretch.assign(static_cast<std::size_t>(depth) + 2, 0);
    return schedule;
}

RecomputeSchedule keepAll(std::int32_t depth) {
    RecomputeSchedule schedule = emptySchedule(depth);
    schedule.keeps.assign(schedule.keeps.size(), true);
    return schedule;
}

/// h_{l-1} of every layer from the input.
RecomputeSchedule keepNone(std::int32_t depth) {
    RecomputeSchedule schedule = emptySchedule(depth);
    for (std::int32_t layer = depth; layer >= 1; --layer) {
        if (layer > 1) schedule.stretches.push_back({0, layer - 1});
        entryAt(schedule.firstStretch, layer) = static_cast<std::int32_t>(schedule.stretches.size());
    }
    schedule.firstStretch[0] = schedule.firstStretch[1];
    return schedule;
}

/// h_k, h_2k, ... and the last segment, which would be recomputed at once, stay. The others come back segment
/// by segment, each layer by itself.
RecomputeSchedule keepEvery(std::int32_t depth, std::int64_t interval) {
    RecomputeSchedule schedule = emptySchedule(depth);
    const std::int64_t lastSegment = (depth - 1) / interval * interval;
    const auto keeps = [&](std::int32_t layer) { return layer % interval == 0 || layer > lastSegment; };
    for (std::int32_t layer = 1; layer <= depth; ++layer) entryAt(schedule.keeps, layer) = keeps(layer);
    std::int32_t madeFrom = depth;  // h of this layer and above need no recomputation any more
    for (std::int32_t layer = depth; layer >= 1; --layer) {
        const std::int32_t needed = layer - 1;
        if (!keeps(needed) && needed < madeFrom) {
            auto start = static_cast<std::int32_t>(needed / interval * interval);
            madeFrom = start;
            for (; start < needed; ++start) schedule.stretches.push_back({start, start + 1});
        }
        entryAt(schedule.firstStretch, layer) = static_cast<std::int32_t>(schedule.stretches.size());
    }
    schedule.firstStretch[0] = schedule.firstStretch[1];
    return schedule;
}

}  // namespace

std::int64_t RecomputeSchedule::recomputedLayers() const {
    std::int64_t layers = 0;
    for (const RecomputeStretch& stretch : stretches) layers += stretch.to - stretch.from;
    return layers;
}

std::int64_t sqrtInterval(std::int64_t layers) {
    return std::max<std::int64_t>(
        1, static_cast<std::int64_t>(std::ceil(std::sqrt(static_cast<double>(layers)))));
}

Result<RecomputeSchedule> recomputeSchedule(const RunConfig& config, const BackendTraits& traits) {
    const auto depth = static_cast<std::int32_t>(config.layers);
    switch (config.recompute.kind) {
    case RecomputePolicy::Kind::All:
        return keepAll(depth);
    case RecomputePolicy::Kind::None:
        return keepNone(depth);
    case RecomputePolicy::Kind::Every:
        return keepEvery(depth, config.recompute.interval);
    case RecomputePolicy::Kind::Sqrt:
        return keepEvery(depth, sqrtInterval(config.layers));
    case RecomputePolicy::Kind::Fit:
        return fitSchedule(config, traits);
    }
    return keepAll(depth);
}

}  // namespace plumb
