// SPDX-License-Identifier: Apache-2.0
#include "core/planner/explore.h"

#include "core/base/quantity.h"
#include "core/machine/hardware_database.h"
#include "tests/core/planner/scenarios.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace plumb::planner {
namespace {

Scenario napkin() {
    Scenario s = withDevice("H100 SXM", 1024);
    s.model = modelOfCount(70e9);
    s.workload.tokens = 15e12;
    return s;
}

Scenario sixteenLlamas() {
    Scenario s = scenarioOf("llama-3-8b", 16);
    s.workload.tokens = napkin().workload.tokens;
    s.workload.sequence = 4096;
    return s;
}

TEST(Solve, InvertsTheQuestionForEveryContinuousInput) {
    for (const Input input : {Input::Tokens, Input::Parameters, Input::Mfu, Input::Peak, Input::Goodput}) {
        for (const double factor : {0.8, 1.0, 1.7}) {
            const Scenario s = napkin();
            const double target = factor * *evaluate(Output::Days, s);
            if (input == Input::Goodput && factor < 1) continue;  // more than all of the time
            const auto solved = solveFor(s, Output::Days, target, input);
            ASSERT_TRUE(solved.has_value()) << info(input).key << ": " << solved.error().text();
            Scenario there = s;
            ASSERT_TRUE(setInput(there, input, solved->value).has_value());
            EXPECT_NEAR(*evaluate(Output::Days, there), target, 1e-9 * target) << info(input).key;
        }
    }
}

TEST(Solve, FindsTheFewestDevicesThatAreInTime) {
    const Scenario s = napkin();
    const auto devices = solveFor(s, Output::Days, 30, Input::Devices);
    ASSERT_TRUE(devices.has_value()) << devices.error().text();
    EXPECT_EQ(devices->value, std::floor(devices->value));
    Scenario there = s;
    there.cluster.devices = static_cast<std::int64_t>(devices->value);
    EXPECT_LE(*evaluate(Output::Days, there), 30);
    --there.cluster.devices;
    EXPECT_GT(*evaluate(Output::Days, there), 30);
}

TEST(Solve, FindsTheMemoryAndTheBytesThatFit) {
    Scenario s;
    s.cluster.devices = 8;
    ASSERT_TRUE(setInput(s, Input::Memory, 80e9).has_value());
    EXPECT_NEAR(solveFor(s, Output::LargestModel, 53.3333333e9, Input::BytesPerParameter)->value, 12, 1e-6);
    ASSERT_TRUE(setInput(s, Input::BytesPerParameter, 16).has_value());
    EXPECT_NEAR(solveFor(s, Output::LargestModel, 40e9, Input::Memory)->value, 80e9, 1);
    EXPECT_EQ(solveFor(s, Output::LargestModel, 70e9, Input::Devices)->value, 14);
}

TEST(Solve, FindsWholeDegreesThatDivide) {
    const Scenario s = sixteenLlamas();
    const auto devices = solveFor(s, Output::MemoryPerDevice, 60e9, Input::Devices);
    ASSERT_TRUE(devices.has_value()) << devices.error().text();
    Scenario there = s;
    there.cluster.devices = static_cast<std::int64_t>(devices->value);
    EXPECT_LE(*evaluate(Output::MemoryPerDevice, there), 60e9);
}

TEST(Solve, KeepsToALimitWithWholeNumbers) {
    Scenario s = sixteenLlamas();
    for (const Input input : {Input::MicroBatch, Input::Sequence}) {
        const auto solved = solveFor(s, Output::MemoryPerDevice, 80e9, input);
        ASSERT_TRUE(solved.has_value()) << info(input).key << ": " << solved.error().text();
        Scenario there = s;
        ASSERT_TRUE(setInput(there, input, solved->value).has_value());
        EXPECT_LE(*evaluate(Output::MemoryPerDevice, there), 80e9) << info(input).key;
        ASSERT_TRUE(setInput(there, input, solved->value + 1).has_value());
        EXPECT_GT(*evaluate(Output::MemoryPerDevice, there), 80e9) << info(input).key;
    }
    // What is wanted is enough already with the least, or with all there is.
    EXPECT_EQ(solveFor(napkin(), Output::Days, 1e9, Input::Devices)->value, 1);
    EXPECT_EQ(solveFor(s, Output::MemoryPerDevice, 1e15, Input::Zero)->value, 0);
    const auto none = solveFor(s, Output::StepSeconds, 1e-9, Input::MicroBatch);
    ASSERT_FALSE(none.has_value());
    EXPECT_NE(none.error().hint.find("it is from"), std::string::npos) << none.error().text();
}

TEST(Solve, SaysWhenThereIsNoSolution) {
    const auto none = solveFor(napkin(), Output::Days, 30, Input::Pue);
    ASSERT_FALSE(none.has_value());
    EXPECT_NE(none.error().message.find("does not depend on"), std::string::npos) << none.error().text();
    const auto tooFast = solveFor(napkin(), Output::Days, 1, Input::Mfu);
    ASSERT_FALSE(tooFast.has_value());
    EXPECT_NE(tooFast.error().hint.find("at 1"), std::string::npos) << tooFast.error().text();
    EXPECT_FALSE(solveFor(napkin(), Output::Days, -1, Input::Mfu).has_value());
    EXPECT_FALSE(solveFor(sixteenLlamas(), Output::Days, 10, Input::Parameters).has_value());
}

TEST(Solve, FindsTheThroughputOfAUtilisation) {
    for (const Output output : {Output::MeasuredMfu, Output::MeasuredHfu})
        for (const std::int64_t devices : {1, 8, 4096})
            for (const double target : {1e-4, 0.4, 1.0}) {
                Scenario s = sixteenLlamas();
                s.cluster.devices = devices;
                const auto solved = solveFor(s, output, target, Input::TokensPerSecond);
                ASSERT_TRUE(solved.has_value()) << solved.error().text();
                s.workload.tokensPerSecond = solved->value;
                EXPECT_NEAR(*evaluate(output, s), target, 1e-9 * target);
                // A start above 100 % is none, but the solution is there all the same.
                s.workload.tokensPerSecond = 1e12;
                const auto again = solveFor(s, output, target, Input::TokensPerSecond);
                ASSERT_TRUE(again.has_value()) << again.error().text();
                EXPECT_NEAR(again->value, solved->value, 1e-9 * solved->value);
            }
    Scenario s = sixteenLlamas();
    s.workload.tokensPerSecond = 1e12;
    const auto peak = solveFor(s, Output::MeasuredMfu, 0.5, Input::Peak);
    ASSERT_TRUE(peak.has_value()) << peak.error().text();
    ASSERT_TRUE(setInput(s, Input::Peak, peak->value).has_value());
    EXPECT_NEAR(*evaluate(Output::MeasuredMfu, s), 0.5, 1e-9);
}

/// The step time of one that is spread by a pipeline first falls with the micro-batch, then the bubble grows.
Scenario piped() {
    Scenario s = sixteenLlamas();
    s.cluster.devices = 64;
    s.parallel.pipeline = 8;
    s.parallel.microBatch = 1;
    s.workload.sequence = 128;
    s.workload.batch = 1024;
    return s;
}

TEST(Solve, FindsTheBranchThatComesNearestToTheTarget) {
    const Scenario s = piped();
    std::vector<double> times;  // of micro-batches 1, 2, 4, ...
    for (std::int64_t micro = 1; micro <= 128; micro *= 2) {
        Scenario there = s;
        there.parallel.microBatch = micro;
        times.push_back(*evaluate(Output::StepSeconds, there));
    }
    const auto least = std::ranges::min_element(times);
    ASSERT_GT(times.front(), *least * 1.1);
    ASSERT_GT(times.back(), *least * 1.1);
    for (std::size_t i = 0; i < times.size(); ++i) {
        const double aside = i + 1 < times.size() ? 1.001 : 1;  // none takes longer than the last
        const auto solved = solveFor(s, Output::StepSeconds, times[i] * aside, Input::MicroBatch);
        ASSERT_TRUE(solved.has_value()) << solved.error().text();
        EXPECT_EQ(solved->value, std::exp2(i));
        EXPECT_TRUE(solved->note.empty()) << solved->note;
    }
}

TEST(Solve, LooksForWholeNumbersOfAnySizeAndRefusesWhatNoneOfThemGives) {
    Scenario s = sixteenLlamas();
    s.recipe.recompute = Recompute::Full;
    const auto longest = solveFor(s, Output::MemoryPerDevice, 800e12, Input::Sequence);
    ASSERT_TRUE(longest.has_value()) << longest.error().text();
    ASSERT_TRUE(setInput(s, Input::Sequence, longest->value).has_value());
    EXPECT_NEAR(*evaluate(Output::MemoryPerDevice, s), 800e12, 800e12 * 1e-6);
    const auto none = solveFor(s, Output::MemoryPerDevice, 1e24, Input::Sequence);
    ASSERT_FALSE(none.has_value());
    EXPECT_NE(none.error().hint.find("it is from"), std::string::npos) << none.error().text();
    RunConfig config;
    config.dim = 256;
    config.layers = 2;
    Scenario linear;
    linear.model = modelOf(config);
    const auto batch = solveFor(linear, Output::MemoryPerDevice, 25e9, Input::Batch);
    ASSERT_TRUE(batch.has_value()) << batch.error().text();
    linear.workload.batch = static_cast<std::int64_t>(batch->value);
    EXPECT_NEAR(*evaluate(Output::MemoryPerDevice, linear), 25e9, 25e9 * 1e-6);
    EXPECT_FALSE(solveFor(linear, Output::MemoryPerDevice, 1e30, Input::Batch).has_value());
}

TEST(Solve, RefusesAWholeNumberThatChangesNothing) {
    const auto flat = solveFor(sixteenLlamas(), Output::MemoryPerDevice, 800e9, Input::Batch);
    ASSERT_FALSE(flat.has_value());
    EXPECT_NE(flat.error().message.find("does not depend on batch"), std::string::npos)
        << flat.error().text();
}

TEST(Solve, SaysWhatAWholeNumberGivesThatMissesTheTarget) {
    const auto jump = solveFor(sixteenLlamas(), Output::MemoryPerDevice, 80e9, Input::Zero);
    ASSERT_TRUE(jump.has_value()) << jump.error().text();
    EXPECT_NE(jump->note.find("the next that is possible: none gives 80.0 GB"), std::string::npos)
        << jump->note;
    const auto already = solveFor(napkin(), Output::Days, 1e9, Input::Devices);
    ASSERT_TRUE(already.has_value());
    EXPECT_NE(already->note.find("the least there is"), std::string::npos) << already->note;
}

TEST(Sensitivity, HoldsTheBatchThatFollowsFromTheLayout) {
    Scenario s = sixteenLlamas();
    const auto barOf = [&](Input input) {
        const auto bars = sensitivity(s, Output::StepSeconds);
        EXPECT_TRUE(bars.has_value());
        const auto found = std::ranges::find(*bars, input, &Bar::input);
        EXPECT_NE(found, bars->end()) << info(input).key;
        return found == bars->end() ? Bar{} : *found;
    };
    const Bar followed = barOf(Input::Pipeline);
    s.workload.batch = resolve(s)->batch;  // the same, said aloud
    const Bar given = barOf(Input::Pipeline);
    EXPECT_EQ(followed.inputRange, given.inputRange);
    EXPECT_EQ(followed.atLow, given.atLow);
    EXPECT_EQ(followed.atHigh, given.atHigh);
}

TEST(Sensitivity, ShowsTheWidestBarFirst) {
    Scenario s = napkin();
    ASSERT_TRUE(setInput(s, Input::Mfu, Range{0.3, 0.4, 0.5}).has_value());
    const auto bars = sensitivity(s, Output::Days);
    ASSERT_TRUE(bars.has_value()) << bars.error().text();
    ASSERT_GE(bars->size(), 5U);
    EXPECT_EQ(bars->front().input, Input::Mfu);
    for (std::size_t i = 1; i < bars->size(); ++i) EXPECT_LE((*bars)[i].width(), (*bars)[i - 1].width());
    const double days = *evaluate(Output::Days, s);
    EXPECT_NEAR(bars->front().atLow, days * 0.4 / 0.3, 1e-9 * days);
    EXPECT_NEAR(bars->front().atHigh, days * 0.4 / 0.5, 1e-9 * days);
    for (const Bar& bar : *bars) EXPECT_NE(bar.input, Input::Pue);
}

TEST(PlannerMap, MarksWhatDoesNotFit) {
    const Scenario s = sixteenLlamas();
    auto map = makeMap(s, axisOf(Input::MicroBatch, 1, 64, 7, true), axisOf(Input::Devices, 1, 64, 7, true));
    ASSERT_TRUE(map.has_value()) << map.error().text();
    EXPECT_TRUE(map->complete);
    ASSERT_EQ(map->cells.size(), map->x.values.size() * map->y.values.size());
    EXPECT_EQ(map->x.values, (std::vector<double>{1, 2, 4, 8, 16, 32, 64}));
    int fits = 0, full = 0;
    for (const MapCell& cell : map->cells) {
        ASSERT_TRUE(cell.possible) << cell.problem;
        EXPECT_GT(cell.stepSeconds, 0);
        EXPECT_EQ(cell.fits, cell.memoryBytes <= 80e9);
        ++(cell.fits ? fits : full);
    }
    EXPECT_GT(fits, 0);
    EXPECT_GT(full, 0);
    EXPECT_FALSE(map->cells[0].fits);  // one device does not hold 8e9 parameters at 16 bytes
}

TEST(PlannerMap, KeepsWhyACellIsImpossible) {
    const auto map = makeMap(sixteenLlamas(), {Input::Tensor, {1, 3}}, {Input::Devices, {8}});
    ASSERT_TRUE(map.has_value());
    EXPECT_TRUE(map->cells[0].possible);
    EXPECT_FALSE(map->cells[1].possible);
    EXPECT_NE(map->cells[1].problem.find("cannot be divided"), std::string::npos);
    EXPECT_FALSE(makeMap(sixteenLlamas(), {Input::Tensor, {}}, {Input::Devices, {8}}).has_value());
    EXPECT_FALSE(makeMap(sixteenLlamas(), {Input::Devices, {8}}, {Input::Devices, {8}}).has_value());
}

TEST(PlannerMap, ComparesLayoutsAtOneBatchAlsoWhereNoneIsGiven) {
    Scenario s = sixteenLlamas();
    s.workload.batch = 0;
    const auto map = makeMap(s, {Input::Pipeline, {1, 2, 4, 8}}, {Input::Devices, {64, 128}});
    ASSERT_TRUE(map.has_value());
    for (std::size_t i = 0; i < map->cells.size(); ++i) {
        ASSERT_TRUE(map->cells[i].possible) << map->cells[i].problem;
        Scenario same = s;
        same.cluster.devices = i < 4 ? 64 : 128;
        ASSERT_TRUE(setInput(same, Input::Pipeline, map->x.values[i % 4]).has_value());
        same.workload.batch = 4 * same.cluster.devices;  // 4 micro-batches per stage, as deep as it gets
        EXPECT_EQ(map->cells[i].stepSeconds, *evaluate(Output::StepSeconds, same)) << i;
    }
    // What is given stays.
    s.workload.batch = 1024;
    const auto given = makeMap(s, {Input::Pipeline, {1, 8}}, {Input::Batch, {512}});
    ASSERT_TRUE(given.has_value());
    s.workload.batch = 512;
    EXPECT_EQ(given->cells[0].stepSeconds, *evaluate(Output::StepSeconds, s));
}

TEST(Solve, HoldsABatchThatWasNotGivenWhenTheLayoutIsChanged) {
    Scenario s = sixteenLlamas();
    s.cluster.devices = 64;
    s.workload.batch = 0;
    Scenario held = s;
    held.workload.batch = resolve(s)->batch;
    for (const Input layout : {Input::Pipeline, Input::Tensor}) {
        Scenario there = held;
        ASSERT_TRUE(setInput(there, layout, 4).has_value());
        const double target = *evaluate(Output::StepSeconds, there);
        const auto free = solveFor(s, Output::StepSeconds, target, layout);
        const auto fixed = solveFor(held, Output::StepSeconds, target, layout);
        ASSERT_TRUE(free.has_value() && fixed.has_value());
        EXPECT_EQ(free->value, fixed->value);
    }
}

TEST(PlannerMap, StopsWhenAskedTo) {
    std::stop_source stop;
    int rows = 0;
    const auto map = makeMap(sixteenLlamas(), axisOf(Input::MicroBatch, 1, 4, 4, false),
                             axisOf(Input::Devices, 8, 64, 8, false), stop.get_token(), [&](double) {
                                 if (++rows == 2) stop.request_stop();
                             });
    ASSERT_TRUE(map.has_value());
    EXPECT_FALSE(map->complete);
    EXPECT_EQ(map->cells.size(), 8U);
}

/// Llama 3 70B on 64 devices with a batch of 256.
Scenario seventyBillion() {
    Scenario s = sixteenLlamas();
    s.cluster.devices = 64;
    s.model = findModel("llama-3-70b").value();
    s.workload.batch = 256;
    return s;
}

TEST(Search, PutsTheFastestPlanThatFitsFirst) {
    Scenario s = seventyBillion();
    const auto search = searchShardings(s, 10);
    ASSERT_TRUE(search.has_value()) << search.error().text();
    ASSERT_TRUE(search->fits());
    ASSERT_EQ(search->plans.size(), 10U);
    for (std::size_t i = 0; i < search->plans.size(); ++i) {
        const ShardingOption& option = search->plans[i];
        EXPECT_TRUE(option.fits);
        EXPECT_LE(option.memoryBytes, 80e9);
        EXPECT_EQ(option.why.empty(), i == 0) << option.why;
        if (i > 0) {
            EXPECT_GE(option.stepSeconds, search->plans[i - 1].stepSeconds);
        }
        const Scenario there = withSharding(s, option, search->batch);
        EXPECT_EQ(*evaluate(Output::StepSeconds, there), option.stepSeconds);
        EXPECT_EQ(*evaluate(Output::MemoryPerDevice, there), option.memoryBytes);
    }
    s.cluster.devices = 8;  // 70e9 parameters at 16 bytes do not fit into 640 GB
    const auto none = searchShardings(s, 5);
    ASSERT_TRUE(none.has_value());
    ASSERT_FALSE(none->plans.empty());
    EXPECT_FALSE(none->fits());
    for (const ShardingOption& option : none->plans)
        EXPECT_NE(option.why.find("does not fit by"), std::string::npos) << option.why;
}

TEST(Search, SaysWhyTheOthersLose) {
    Scenario s = seventyBillion();
    const auto search = searchShardings(s, 1000);
    ASSERT_TRUE(search.has_value()) << search.error().text();
    const ShardingOption& best = search->plans.front();
    for (const ShardingOption& option : search->plans) {
        EXPECT_NEAR(std::accumulate(option.parts.begin(), option.parts.end(), 0.0), option.stepSeconds,
                    1e-9 * option.stepSeconds);
        if (&option == &best) continue;
        if (!option.fits) {
            const std::string missing = formatQuantity(option.memoryBytes - 80e9, "B");
            EXPECT_NE(option.why.find("does not fit by " + missing), std::string::npos) << option.why;
        } else if (option.stepSeconds > best.stepSeconds) {
            const double percent = 100 * (option.stepSeconds / best.stepSeconds - 1);
            const std::string by = option.why.substr(option.why.find("by ") + 3);
            EXPECT_NEAR(*parseQuantity(by.substr(0, by.find(' ')), ""), percent, 0.051) << option.why;
        }
    }
    ASSERT_FALSE(search->tooLarge.empty());
    for (const ShardingOption& option : search->tooLarge) {
        EXPECT_FALSE(option.fits);
        EXPECT_LT(option.stepSeconds, best.stepSeconds) << "slower ones are of no interest";
    }
}

TEST(Search, ListsLayoutsThatDifferInMoreThanTheirMicroBatch) {
    Scenario s = scenarioOf("llama-3-8b", 64);
    s.workload.batch = 256;
    const ShardingSearch search = searchShardings(s, 20).value();
    ASSERT_EQ(search.plans.size(), 20U);
    const auto all = searchShardings(s, 1).value();
    EXPECT_EQ(search.plans.front().stepSeconds, all.plans.front().stepSeconds) << "the best is kept";
    for (const auto& plans : {search.plans, search.tooLarge})
        for (std::size_t i = 0; i < plans.size(); ++i)
            for (std::size_t k = 0; k < i; ++k) {
                ParallelLayout same = plans[k].layout;
                same.microBatch = plans[i].layout.microBatch;
                if (plans[i].layout != same) continue;
                EXPECT_NE(plans[i].recompute, plans[k].recompute) << layoutText(plans[i].layout);
                EXPECT_TRUE(plans[i].memoryBytes < plans[k].memoryBytes ||
                            plans[i].stepSeconds < plans[k].stepSeconds)
                    << layoutText(plans[i].layout);
            }
}

TEST(Search, HasTheFrontOfTimeAgainstMemory) {
    Scenario s = sixteenLlamas();
    s.workload.batch = 64;
    const auto search = searchShardings(s, 100000);
    ASSERT_TRUE(search.has_value()) << search.error().text();
    ASSERT_GT(search->front.size(), 2U);
    for (const ShardingOption& option : search->plans) {
        const bool covered =
            std::any_of(search->front.begin(), search->front.end(), [&](const ShardingOption& other) {
                return other.memoryBytes <= option.memoryBytes && other.stepSeconds <= option.stepSeconds;
            });
        EXPECT_TRUE(covered) << layoutText(option.layout);
    }
    for (std::size_t i = 1; i < search->front.size(); ++i) {
        EXPECT_GT(search->front[i].memoryBytes, search->front[i - 1].memoryBytes);
        EXPECT_LT(search->front[i].stepSeconds, search->front[i - 1].stepSeconds);
    }
}

TEST(Search, TriesContextExpertsAndInterleaving) {
    Scenario s = scenarioOf("deepseek-v3", 2048);
    s.workload.batch = 15360;
    s.workload.sequence = 16384;
    const auto search = searchShardings(s, 100000);
    ASSERT_TRUE(search.has_value()) << search.error().text();
    const auto any = [&](auto degree) {
        return std::any_of(search->plans.begin(), search->plans.end(),
                           [&](const ShardingOption& option) { return degree(option.layout) > 1; });
    };
    EXPECT_TRUE(any([](const ParallelLayout& p) { return p.context; }));
    EXPECT_TRUE(any([](const ParallelLayout& p) { return p.expert; }));
    s = scenarioOf("llama-3-70b", 256);
    s.workload.batch = 1024;
    const auto dense = searchShardings(s, 100000);
    ASSERT_TRUE(dense.has_value());
    EXPECT_TRUE(std::any_of(dense->plans.begin(), dense->plans.end(),
                            [](const ShardingOption& option) { return option.layout.chunks > 1; }));
    EXPECT_LT(dense->plans.size(), dense->tried) << "of each layout its best micro-batch";
}

TEST(Search, FindsTheLargestMicroBatch) {
    Scenario s = sixteenLlamas();
    const auto options = largestMicroBatches(s);
    ASSERT_TRUE(options.has_value()) << options.error().text();
    ASSERT_EQ(options->size(),
              5U);  // none and full by 1, 2, 4, 8; with fused attention there is nothing to select
    EXPECT_GT((*options)[1].microBatch, (*options)[0].microBatch);
    for (const BatchOption& option : *options) {
        ASSERT_GT(option.microBatch, 0);
        s.recipe.recompute = option.recompute;
        s.recipe.recomputeInterval = option.interval;
        s.parallel.microBatch = option.microBatch;
        EXPECT_LE(*evaluate(Output::MemoryPerDevice, s), 80e9);
        ++s.parallel.microBatch;
        EXPECT_GT(*evaluate(Output::MemoryPerDevice, s), 80e9);
    }
}

TEST(Search, FindsTheLargestBatchOfTheDeepLinearModel) {
    RunConfig config;
    config.dim = 1024;
    config.layers = 16;
    Scenario s;
    s.model = modelOf(config);
    ASSERT_TRUE(setInput(s, Input::Memory, 1e9).has_value());
    const auto options = largestMicroBatches(s);
    ASSERT_TRUE(options.has_value()) << options.error().text();
    ASSERT_EQ(options->size(), 3U);
    EXPECT_LT((*options)[0].microBatch, (*options)[1].microBatch);
    for (const BatchOption& option : *options) {
        EXPECT_GT(option.microBatch, 0) << option.label;
        EXPECT_LE(option.memoryBytes, 1e9) << option.label;
        EXPECT_GT(option.memoryBytes, 0.9e9) << option.label;
    }
}

TEST(Solve, FindsDevicesThatCanShareTheBatch) {
    Scenario s = scenarioOf("llama-3-8b", 8);
    s.workload.tokens = 1e12;
    s.workload.batch = 128;
    const double present = *evaluate(Output::Days, s);
    for (const double share : {0.95, 0.3, 0.166, 0.07}) {
        const auto found = solveFor(s, Output::Days, share * present, Input::Devices);
        ASSERT_TRUE(found.has_value()) << found.error().text();
        Scenario there = s;
        there.cluster.devices = static_cast<std::int64_t>(found->value);
        EXPECT_TRUE(resolve(there).has_value()) << found->value;
        EXPECT_LE(*evaluate(Output::Days, there), share * present * 1.001);
        there.cluster.devices /= 2;
        EXPECT_GT(*evaluate(Output::Days, there), share * present);
    }
    // The note names what comes next.
    EXPECT_NE(
        solveFor(s, Output::Days, 0.166 * present, Input::Devices)->note.find("at 32, the next that is"),
        std::string::npos)
        << solveFor(s, Output::Days, 0.166 * present, Input::Devices)->note;
    // There are no more sequences than that.
    const auto more = solveFor(s, Output::Days, present / 20, Input::Devices);
    ASSERT_FALSE(more.has_value()) << more->value;
    EXPECT_NE(more.error().hint.find("(128)"), std::string::npos) << more.error().text();
    // So with a batch that the devices have to share.
    const auto batch = solveFor(s, Output::Days, present, Input::Batch);
    if (batch.has_value()) {
        EXPECT_EQ(std::fmod(batch->value, 8), 0) << batch->value;
    }
}

TEST(Solve, AnswersForAPlanThatNoNumberLetsRun) {
    Scenario s = sixteenLlamas();
    s.recipe.recompute = Recompute::Selective;  // not with fused attention, which it has
    s.recipe.fusedAttention = true;
    s.workload.batch = 64;
    ASSERT_FALSE(resolve(s).has_value());
    const auto devices = solveFor(s, Output::Days, 365, Input::Devices);
    ASSERT_TRUE(devices.has_value()) << devices.error().text();
    s.cluster.devices = static_cast<std::int64_t>(devices->value);
    EXPECT_LE(*evaluate(Output::Days, s), 365);
}

TEST(Devices, AreComparedAndTheUnfitSayWhy) {
    Scenario s = napkin();
    s.workload.days = 30;
    const auto options = compareDevices(s, HardwareDatabase::builtIn().machines);
    ASSERT_EQ(options.size(), HardwareDatabase::builtIn().machines.size());
    int usable = 0;
    for (const DeviceOption& option : options) {
        if (!option.problem.empty()) {
            EXPECT_NE(option.problem.find("has no"), std::string::npos) << option.problem;
            continue;
        }
        ++usable;
        EXPECT_GT(option.devicesToHold, 0) << option.device.id;
        ASSERT_TRUE(option.days && option.devicesForDays) << option.device.id;
        EXPECT_GT(option.intensity, 10) << option.device.id;
    }
    EXPECT_GT(usable, 20);
    EXPECT_LT(usable, static_cast<int>(options.size()));
}

}  // namespace
}  // namespace plumb::planner
