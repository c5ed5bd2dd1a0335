// SPDX-License-Identifier: Apache-2.0
#include "core/measure/rank_reading.h"

#include "core/base/entry_at.h"
#include "core/measure/reading.h"
#include "core/plan/traffic.h"

namespace plumb {

Result<std::vector<RankReading>> predictedRanks(const RunConfig& config, const Target& target) {
    std::vector<RankReading> readings;
    const std::int64_t ranks = config.parallel.ranks();
    if (ranks < 2 || ranks > kMostToldRanks) return readings;
    for (std::int64_t rank = 0; rank < ranks; ++rank) {
        PLUMB_TRY(const StepPlan plan, planStep(config, target.traits, config.parallel.placeOf(rank)));
        RankReading& reading = readings.emplace_back();
        reading.rank = rank;
        const Prediction prediction = predict(plan, target.machine);
        reading.peakBytes = prediction.memory.peakBytes;
        reading.atPeak = prediction.memory.atPeak;
        reading.seconds = prediction.totals.seconds;
        if (reading.seconds) reading.waited = 0;
        for (const CollectiveReading& collective : prediction.collectives) {
            const Op& op = plan.op(collective.op);
            if (reading.waited) *reading.waited += *entryAt(prediction.opSeconds, collective.op);
            const CommBytes bytes = bytesOnWire(plan, op);
            reading.sentBytes += op.executions * bytes.sent;
            reading.receivedBytes += op.executions * bytes.received;
        }
    }
    return readings;
}

}  // namespace plumb
