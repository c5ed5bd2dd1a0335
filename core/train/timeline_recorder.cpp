// SPDX-License-Identifier: Apache-2.0
#include "core/train/timeline_recorder.h"

#include <algorithm>
#include <utility>

namespace plumb {

namespace {

/// An op makes a record of its own and at most two points of memory.
constexpr std::size_t kRecordsPerOp = 3;
constexpr std::size_t kMostOps = Timeline::kMostRecords / kRecordsPerOp;

}  // namespace

void TimelineRecorder::beginStep(std::int64_t step, Seconds now) {
    m_open.step = step;
    m_open.begin = now;
    m_open.dropped = 0;
    m_open.ops.clear();
    m_open.traffic.clear();
}

void TimelineRecorder::addOp(std::int32_t op, Seconds begin, Seconds end, Bytes live) {
    if (m_open.ops.size() < kMostOps)
        m_open.ops.push_back({begin, end, live, live, op});
    else
        ++m_open.dropped;
}

void TimelineRecorder::addTraffic(std::int32_t op, Seconds begin, Seconds end, Bytes sent) {
    if (m_open.traffic.size() < kMostOps)
        m_open.traffic.push_back({std::max(begin, m_open.begin), end, sent, op});
    else
        ++m_open.dropped;
}

void TimelineRecorder::addReleased(Bytes live) {
    if (!m_open.ops.empty() && m_open.dropped == 0) m_open.ops.back().after = live;
}

void TimelineRecorder::endStep(Seconds now) {
    m_open.end = now;
    m_steps.push_back(std::move(m_open));
    m_open = {};
    std::size_t ops = 0;
    for (const Step& step : m_steps) ops += step.ops.size();
    while (m_steps.size() > kSteps || (ops > kMostOps && m_steps.size() > 1)) {
        ops -= m_steps.front().ops.size();
        m_open = std::move(m_steps.front());  // the next step takes over its memory
        m_steps.pop_front();
    }
}

void TimelineRecorder::dropStep() {
    m_open.ops.clear();
    m_open.traffic.clear();
}
void TimelineRecorder::clear() { m_steps.clear(); }

std::shared_ptr<const Timeline> TimelineRecorder::timeline(Source source) const {
    if (m_steps.empty()) return nullptr;
    TimelineBuilder builder(source, m_steps.front().begin);
    const std::uint16_t ops = builder.lane(LaneKind::Ops, "ops");
    const std::uint16_t memory = builder.lane(LaneKind::Memory, "memory");
    Bytes alive = -1;
    const auto addPoint = [&](Seconds when, Bytes live, std::int32_t op) {
        if (live == alive) return;
        builder.add({when, when, live, -1, op, 0, memory, TimelineKind::Memory});
        alive = live;
    };
    for (const Step& step : m_steps) {
        builder.addStep(step.step, step.begin, step.end);
        builder.addDropped(step.dropped);
        for (const OpRun& run : step.ops) {
            addPoint(run.begin, run.live, run.op);
            builder.add({run.begin, run.end, -1, -1, run.op, 0, ops, TimelineKind::Op});
            addPoint(run.end, run.after, run.op);
        }
        for (const Transfer& one : step.traffic)
            builder.add({one.begin, one.end, one.sent, -1, one.op, 0,
                         builder.lane(LaneKind::Traffic, "traffic"), TimelineKind::Copy});
    }
    return std::make_shared<const Timeline>(builder.take());
}

}  // namespace plumb
