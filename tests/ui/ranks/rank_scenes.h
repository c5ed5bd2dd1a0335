// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/entry_at.h"
#include "core/measure/predicted_lanes.h"
#include "core/measure/timeline.h"
#include "tests/support/rank_machine.h"
#include "ui/workbench/workbench.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

// Steps of several ranks for tests: times are invented by a law, and in no file that is shipped.
namespace plumb::ui::test {

inline RunConfig rankedConfig(std::int64_t ranks = 2, std::int64_t microBatch = 0) {
    return RunConfig{
        .dim = 1024, .layers = 6, .batch = 64 * ranks, .microBatch = microBatch, .parallel = {.data = ranks}};
}

/// A processor that was calibrated with as many ranks as the configuration has.
inline Machine rankedMachine(const RunConfig& config) {
    Machine machine = plumb::test::machineFor(planStep(config, cpuTraits()).value());
    constexpr Seconds kShortest = 1e-7;  // that anybody could measure
    for (CostTable& table : machine.ofRanks.front().costs.tables)
        for (CostLine& line : table.lines)
            for (Seconds& seconds : line.seconds) seconds = std::max(seconds, kShortest);
    machine.id = "ranked-cpu";
    machine.name = "Intel(R) Xeon(R) Processor, 8 cores";
    machine.memoryBytes = Bytes{16} << 30U;
    return machine;
}

/// What the ranks would have measured: all that their plans say, times `slower` than predicted ones, the
/// second rank slowest; and the lanes of two steps.
inline std::shared_ptr<const Reading> rankedReading(const StepPlan& plan, const Machine& machine,
                                                    double slower = 1.2) {
    auto reading = std::make_shared<Reading>(predictedReading(plan, machine));
    reading->source = Source::Clock;
    reading->memory->source = Source::Allocator;
    reading->stepsMeasured = 20;
    const auto later = [slower](std::optional<Seconds>& seconds) {
        if (seconds) *seconds *= slower;
    };
    for (OpReading& op : reading->ops) later(op.seconds);
    for (CollectiveReading& collective : reading->collectives) later(collective.seconds);
    later(reading->totals.seconds);
    reading->totals.exposed.reset();
    reading->ranks = predictedRanks(plan.config, {machine, plan.traits}).value();
    for (RankReading& rank : reading->ranks) {
        later(rank.seconds);
        later(rank.waited);
        if (rank.rank == 1 && rank.waited) *rank.waited /= 2;
    }
    const auto told = predictedLanes(plan, machine);
    if (!told) return reading;
    TimelineBuilder builder(Source::Clock, 0);
    const std::uint16_t ops = builder.lane(LaneKind::Ops, "ops");
    const std::uint16_t traffic = builder.lane(LaneKind::Traffic, "traffic");
    const std::uint16_t memory = builder.lane(LaneKind::Memory, "memory");
    for (int step = 0; step < 2; ++step) {
        const Seconds begin = step * 2 * slower * told->seconds;
        builder.add({begin, begin, reading->memory->peakBytes, -1, 0, 0, memory, TimelineKind::Memory});
        for (const LaneStretch& stretch : told->stretches) {
            if (stretch.op < 0) continue;
            const bool isTraffic = stretch.lane == Lane::Traffic;
            builder.add({begin + slower * stretch.begin, begin + slower * stretch.end,
                         isTraffic ? plan.op(stretch.op).wireBytes : -1, -1, stretch.op, 0,
                         isTraffic ? traffic : ops, isTraffic ? TimelineKind::Copy : TimelineKind::Op});
        }
        builder.addStep(7 + step, begin, begin + slower * told->seconds);
    }
    reading->timeline = std::make_shared<const Timeline>(builder.take());
    return reading;
}

/// Shows the step of `config`, calibrated, and measured where that is asked for.
inline void showRanked(Workbench& workbench, const RunConfig& config, bool isMeasured = true) {
    const Machine machine = rankedMachine(config);
    EXPECT_TRUE(workbench.show({machine, cpuTraits()}).has_value());
    EXPECT_TRUE(workbench.show(config).has_value());
    const auto plan = workbench.session()->whatIf.plan;
    if (isMeasured) workbench.setMeasured(rankedReading(*plan, machine), plan, machine);
}

}  // namespace plumb::ui::test
