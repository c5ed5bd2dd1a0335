// SPDX-License-Identifier: Apache-2.0
#include "core/measure/step_summary.h"

#include "core/measure/known_sum.h"
#include "tests/support/random_config.h"

#include <gtest/gtest.h>

#include <limits>

namespace plumb {
namespace {

TEST(KnownSum, IsUnknownAsSoonAsAPartIs) {
    KnownSum<Seconds> seconds;
    EXPECT_EQ(seconds.value(), 0.0);
    seconds.add(1.5);
    seconds.add(2.0);
    EXPECT_EQ(seconds.value(), 3.5);
    seconds.add(std::nullopt);
    seconds.add(1.0);
    EXPECT_FALSE(seconds.value().has_value());
}

TEST(KnownSum, DoesNotCountBeyond63Bits) {
    KnownSum<Bytes> bytes;
    bytes.add(std::numeric_limits<Bytes>::max());
    bytes.add(0);
    EXPECT_EQ(bytes.value(), std::numeric_limits<Bytes>::max());
    bytes.add(1);
    bytes.add(1);
    EXPECT_FALSE(bytes.value().has_value());
}

TEST(StepSummary, ThePhasesOfAStepAddUpToTheStep) {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        const auto plan = planStep(test::randomConfig(seed), cpuTraits());
        if (!plan.has_value()) continue;
        const Reading reading = predictedReading(*plan, Machine{});
        std::int64_t ops = 0;
        KnownSum<Flops> flops;
        KnownSum<Bytes> bytes;
        for (const PhaseSummary& phase : summarisePhases(reading)) {
            EXPECT_GT(phase.ops, 0);
            EXPECT_FALSE(phase.seconds.has_value()) << "no ceiling is known";
            ops += phase.ops;
            flops.add(phase.flops);
            bytes.add(phase.bytes);
        }
        EXPECT_EQ(ops, static_cast<std::int64_t>(plan->ops.size()));
        EXPECT_EQ(flops.value(), plan->flops);
        EXPECT_EQ(bytes.value(), plan->bytes);
    }
}

TEST(StepSummary, TheMedianErrorIsOverTheOpsOfWhichBothTimesAreKnown) {
    Reading predicted, measured;
    for (const double factor : {1.1, 0.5, 3.0, 1.0}) {
        OpReading op;
        op.seconds = 2.0;
        predicted.ops.push_back(op);
        *op.seconds *= factor;
        measured.ops.push_back(op);
    }
    predicted.ops[3].seconds.reset();
    EXPECT_DOUBLE_EQ(*medianOpError(predicted, measured), 0.5);
    measured.ops[0].seconds.reset();
    measured.ops[1].seconds.reset();
    EXPECT_DOUBLE_EQ(*medianOpError(predicted, measured), 2.0);
    measured.ops.clear();
    EXPECT_FALSE(medianOpError(predicted, measured).has_value());
}

}  // namespace
}  // namespace plumb
