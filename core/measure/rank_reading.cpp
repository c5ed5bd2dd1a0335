// SPDX-License-Identifier: Apache-2.0
#include "core/measure/rank_reading.h"

#include "core/measure/reading.h"
#include "core/plan/traffic.h"

namespace plumb {

Result<std::vector<RankReading>> predictedRanks(const RunConfig& config, const BackendTraits& traits) {
    std::vector<RankReading> readings;
    const std::int64_t ranks = config.parallel.ranks();
    if (ranks < 2 || ranks > kMostToldRanks) return readings;
    for (std::int64_t rank = 0; rank < ranks; ++rank) {
        PLUMB_TRY(const StepPlan plan, planStep(config, traits, {.data = rank}));
        RankReading& reading = readings.emplace_back();
        reading.rank = rank;
        reading.peakBytes = summariseCurve(memoryCurve(plan)).peakBytes;
        for (const Op& op : plan.ops) {
            if (op.lane != Lane::Traffic) continue;
            const CommBytes bytes = bytesOnWire(plan, op);
            reading.sentBytes += op.executions * bytes.sent;
            reading.receivedBytes += op.executions * bytes.received;
        }
    }
    return readings;
}

}  // namespace plumb
