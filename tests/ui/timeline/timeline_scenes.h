// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/timeline.h"
#include "tests/ui/operations/operations_support.h"

// Timelines for tests: invented by fixed rules, and in no file that is shipped.
namespace plumb::ui::test {

struct TimelineShape {
    int steps = 2;
    bool device = false;  ///< kernels, copies and host calls as a driver tells of them
    int split = 1;        ///< bars into which each execution of an op is cut, to have many
};

/// `reading` with a timeline: its ops one after the other, each as long as it was measured, the memory of its
/// curve, a gap of 1 % between ops and of 5 % of the first op between steps.
inline std::shared_ptr<const Reading> withTimeline(const Reading& reading, const TimelineShape& shape) {
    auto made = std::make_shared<Reading>(reading);
    TimelineBuilder builder(shape.device ? Source::Activity : Source::Clock, 0);
    const std::uint16_t ops = builder.lane(LaneKind::Ops, "ops");
    const std::uint16_t memory = builder.lane(LaneKind::Memory, "memory");
    const std::uint16_t stream = shape.device ? builder.lane(LaneKind::Stream, "stream 7") : ops;
    const std::uint16_t copies = shape.device ? builder.lane(LaneKind::Copies, "copies") : ops;
    const std::uint16_t host = shape.device ? builder.lane(LaneKind::Host, "host thread 1") : ops;
    Seconds now = 0;
    std::uint32_t correlation = 0;
    for (int step = 0; step < shape.steps; ++step) {
        const Seconds begin = now;
        if (shape.device)
            builder.add({now, now + 2e-6, 1'000'000, builder.name("host to device"), -1, 0, copies,
                         TimelineKind::Copy});
        for (std::size_t i = 0; i < reading.ops.size(); ++i) {
            const OpReading& op = reading.ops[i];
            const auto index = static_cast<std::int32_t>(i);
            for (std::int64_t run = 0; run < op.executions; ++run) {
                const Seconds seconds = op.seconds.value_or(1e-6) / static_cast<double>(op.executions);
                const Seconds part = seconds / shape.split;
                if (reading.memory)
                    builder.add({now, now, total(reading.memory->curve[i]), -1, index, 0, memory,
                                 TimelineKind::Memory});
                for (int k = 0; k < shape.split; ++k)
                    builder.add(
                        {now + k * part, now + (k + 1) * part, -1, -1, index, 0, ops, TimelineKind::Op});
                if (shape.device) {
                    ++correlation;
                    builder.add({now, now + seconds * 0.2, -1, builder.name("cudaLaunchKernelExC"), -1,
                                 correlation, host, TimelineKind::Call});
                    builder.add({now + seconds * 0.1, now + seconds * 0.7, -1,
                                 builder.name("kernel_" + op.kind), index, correlation, stream,
                                 TimelineKind::Kernel});
                    builder.add({now + seconds * 0.75, now + seconds, -1, builder.name("reduce"), index,
                                 correlation, stream, TimelineKind::Kernel});
                }
                now += seconds * 1.01;
            }
        }
        builder.addStep(10 + step, begin, now);
        now += reading.ops.front().seconds.value_or(1e-6) * 0.05;
    }
    made->timeline = std::make_shared<const Timeline>(builder.take());
    return made;
}

/// A workbench with a measured step of `config` that has a timeline.
inline std::unique_ptr<Workbench> timelineWorkbench(const RunConfig& config,
                                                    const TimelineShape& shape = {}) {
    auto workbench = testWorkbench(config);
    const auto plan = testPlan(config);
    workbench->setMeasured(withTimeline(*testReading(*plan, testMachine()), shape), plan);
    return workbench;
}

}  // namespace plumb::ui::test
