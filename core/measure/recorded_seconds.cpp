// SPDX-License-Identifier: Apache-2.0
#include "core/base/quantile.h"
#include "core/measure/reading.h"
#include "core/measure/timeline.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace plumb {

namespace {

constexpr std::size_t kNoStep = static_cast<std::size_t>(-1);

std::size_t stepAt(const Timeline& timeline, Seconds when) {
    for (std::size_t step = 0; step < timeline.steps.size(); ++step)
        if (when >= timeline.steps[step].begin && when <= timeline.steps[step].end) return step;
    return kNoStep;
}

}  // namespace

void addRecordedSeconds(Reading& measured) {
    if (measured.timeline == nullptr) return;
    const Timeline& timeline = *measured.timeline;
    if (timeline.source != Source::Activity || timeline.dropped > 0 || timeline.steps.empty()) return;
    // Seconds by op, then step.
    std::vector<std::vector<Seconds>> seconds(measured.ops.size(),
                                              std::vector<Seconds>(timeline.steps.size(), 0));
    for (const TimelineRecord& record : timeline.records) {
        if (record.kind != TimelineKind::Op || record.op < 0) continue;
        const auto op = static_cast<std::size_t>(record.op);
        const std::size_t step = stepAt(timeline, record.begin);
        if (op < seconds.size() && step != kNoStep) seconds[op][step] += record.end - record.begin;
    }
    for (std::size_t op = 0; op < seconds.size(); ++op) {
        const std::vector<Seconds>& steps = seconds[op];
        OpReading& reading = measured.ops[op];
        if (reading.seconds || *std::min_element(steps.begin(), steps.end()) <= 0) continue;
        reading.seconds = medianOf(steps);
        reading.tier = Tier::Measured;
        reading.source = Source::Activity;
    }
}

}  // namespace plumb
