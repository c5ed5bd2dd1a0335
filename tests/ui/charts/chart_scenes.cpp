// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/charts/chart_scenes.h"

#include <QCoreApplication>

#include <gtest/gtest.h>

namespace plumb::ui::test {

Machine roundMachine() {
    return Machine{.id = "round",
                   .name = "Round 1",
                   .backend = "cuda",
                   .memoryBytes = Bytes{140} * 1000 * 1000 * 1000,
                   .bandwidthBytesPerSecond = 5e12,
                   .peakFlopPerSecond = {{Dtype::Fp32, 60e12}, {Dtype::Tf32, 500e12}, {Dtype::Bf16, 1e15}},
                   .perOpOverhead = 3e-6,
                   .source = "data sheet: test"};
}

Machine bareMachine() {
    return Machine{.id = "bare",
                   .name = "Bare 1",
                   .backend = "cpu",
                   .memoryBytes = Bytes{16} * 1000 * 1000 * 1000,
                   .source = "not calibrated"};
}

RunConfig deepConfig(std::int64_t layers, std::int64_t dim, std::int64_t batch) {
    return RunConfig{.dim = dim,
                     .layers = layers,
                     .activation = Activation::Relu,
                     .batch = batch,
                     .precision = Precision::Bf16};
}

std::shared_ptr<const StepPlan> planned(const RunConfig& config) {
    Result<StepPlan> plan = planStep(config, cpuTraits());
    EXPECT_TRUE(plan.has_value()) << plan.error().text();
    return std::make_shared<const StepPlan>(std::move(plan).value());
}

std::shared_ptr<const Reading> perturbedReading(const StepPlan& plan, const Machine& machine) {
    Reading reading = predictedReading(plan, machine);
    reading.source = Source::Clock;
    reading.stepsMeasured = 20;
    std::uint32_t state = 12345;
    for (OpReading& op : reading.ops) {
        state = state * 1664525U + 1013904223U;
        op.source = Source::Clock;
        const double factor = 1.02 + 0.23 * static_cast<double>(state >> 8U) / static_cast<double>(1U << 24U);
        op.seconds = op.seconds ? std::optional(*op.seconds * factor) : std::optional(1e-3 * factor);
    }
    return std::make_shared<const Reading>(std::move(reading));
}

void pretendMeasured(Workbench& workbench) {
    const auto plan = workbench.scene()->whatIf.plan;
    workbench.setMeasured(perturbedReading(*plan, workbench.scene()->whatIf.machine()), plan);
}

}  // namespace plumb::ui::test
