// SPDX-License-Identifier: Apache-2.0
// What a calibration finds of a device that replays its steps as graphs.
#include "core/engine/capabilities.h"
#include "core/measure/reading.h"
#include "core/train/executor.h"
#include "tests/gpu/gpu_training.h"
#include "tests/kernels/simulated/gpu.h"
#include "tests/kernels/simulated/simulated_fixture.h"

#include <gtest/gtest.h>

#include <memory>

namespace plumb::test::simulated {
namespace {

class SimulatedSurvey : public Simulated {};

Options withGap(std::int64_t nanoseconds) {
    Options options;
    options.nodeGapNanoseconds = nanoseconds;
    options.hostNanoseconds = 500;
    return options;
}

TEST_F(SimulatedSurvey, FindsTheGapBetweenNodes) {
    for (const std::int64_t nanoseconds : {0, 900, 25'000}) {
        const auto gap = open(withGap(nanoseconds)).capabilities().replay->gapBetweenNodes();
        ASSERT_TRUE(gap.has_value()) << gap.error().text();
        EXPECT_NEAR(*gap, 1e-9 * static_cast<double>(nanoseconds), 1e-11);
    }
}

TEST_F(SimulatedSurvey, KeepsItAndPredictsReplayedStepsWithIt) {
    for (const std::int64_t nanoseconds : {1'000, 200'000}) {
        Backend& device = open(withGap(nanoseconds));
        auto survey = surveyCosts(device, surveyGrid(), {}, {});
        ASSERT_TRUE(survey.has_value()) << survey.error().text();
        ASSERT_TRUE(survey->costs.replay.has_value());
        EXPECT_NEAR(survey->costs.replay->betweenNodes, 1e-9 * static_cast<double>(nanoseconds), 1e-11);
        EXPECT_GE(survey->costs.replay->marks, 0);
        Machine machine = device.machine();
        keepSurvey(std::move(survey).value(), {BandwidthPoint{Bytes{1} << 20, 2e10, 2e10, 2e10}}, machine);

        RunConfig config;
        config.dim = 64;
        config.layers = 2;
        config.batch = config.microBatch = 32;
        auto planned = planStep(config, device.traits());
        ASSERT_TRUE(planned.has_value()) << planned.error().text();
        const auto plan = std::make_shared<const StepPlan>(std::move(planned).value());
        auto executor = Executor::create(plan, device, nullptr);
        ASSERT_TRUE(executor.has_value()) << executor.error().text();
        ASSERT_TRUE((*executor)->captureSteps().has_value());
        (*executor)->timing().setMeasuring(true);
        for (int step = 0; step < 9; ++step) ASSERT_TRUE((*executor)->advance().has_value());
        ASSERT_TRUE((*executor)->drain().has_value());
        const Seconds replayed = (*executor)->timing().medianStep().value_or(0);
        const Seconds predicted = predict(*plan, machine).totals.seconds.value_or(0);
        EXPECT_NEAR(predicted, replayed, 0.1 * replayed) << nanoseconds << " ns between nodes";
        // What was measured op by op knows nothing of that gap.
        machine.costs->replay.reset();
        if (nanoseconds > 10'000) {
            EXPECT_LT(predict(*plan, machine).totals.seconds.value_or(0), 0.9 * replayed);
        }
    }
}

}  // namespace
}  // namespace plumb::test::simulated
