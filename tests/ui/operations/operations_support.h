// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/workbench/workbench.h"

#include <gtest/gtest.h>

#include <memory>

// Scenes for the tests of the operations, training and overview views. The measured readings are invented
// here, by fixed rules, and exist in tests only.
namespace plumb::ui::test {

/// A device with round ceilings, so that expected values can be worked out by hand.
inline Machine testMachine() {
    return Machine{.id = "test-device",
                   .name = "Test device",
                   .backend = "cpu",
                   .memoryBytes = Bytes{64} << 30U,
                   .bandwidthBytesPerSecond = 1e11,
                   .peakFlopPerSecond = {{Dtype::Fp32, 1e12}, {Dtype::Bf16, 2e12}},
                   .perOpOverhead = 2e-6,
                   .source = "made for tests"};
}

inline std::shared_ptr<const StepPlan> testPlan(const RunConfig& config) {
    auto plan = planStep(config, cpuTraits());
    EXPECT_TRUE(plan.has_value());
    return std::make_shared<const StepPlan>(std::move(plan).value());
}

/// Every op `slower` times its prediction, a little more for every third op.
inline std::shared_ptr<const Reading> testReading(const StepPlan& plan, const Machine& machine,
                                                  double slower = 1.1) {
    auto reading = std::make_shared<Reading>(predictedReading(plan, machine));
    reading->source = Source::Clock;
    reading->stepsMeasured = 20;
    double sum = 0;
    for (std::size_t i = 0; i < reading->ops.size(); ++i) {
        reading->ops[i].seconds =
            reading->ops[i].seconds.value_or(1e-6) * (i % 3 == 0 ? slower * 1.2 : slower);
        reading->ops[i].source = Source::Clock;
        sum += *reading->ops[i].seconds;
    }
    reading->totals = makeTotals(plan, machine, sum);
    return reading;
}

inline RunConfig testConfig(std::int64_t layers = 8, std::int64_t dim = 512, std::int64_t batch = 256) {
    return RunConfig{.dim = dim, .layers = layers, .batch = batch};
}

/// A workbench on testMachine() with this configuration, and a reading of it when asked for.
inline std::unique_ptr<Workbench> testWorkbench(const RunConfig& config, bool measured = false) {
    auto workbench = std::make_unique<Workbench>();
    EXPECT_TRUE(workbench->show({testMachine(), cpuTraits()}).has_value());
    EXPECT_TRUE(workbench->show(config).has_value());
    if (measured) {
        const auto plan = testPlan(config);
        workbench->setMeasured(testReading(*plan, testMachine()), plan);
    }
    return workbench;
}

}  // namespace plumb::ui::test
