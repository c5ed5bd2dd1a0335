// SPDX-License-Identifier: Apache-2.0
#include "tests/support/foreign_step.h"

#include "core/machine/hardware_database.h"
#include "core/measure/operations_tree.h"
#include "core/measure/scene.h"
#include "core/measure/step_summary.h"
#include "tests/support/random_config.h"

#include <gtest/gtest.h>

#include <memory>

namespace plumb {
namespace {

using test::ForeignStep;

const Machine& h200() {
    static const Machine kFound = [] {
        for (const Machine& machine : HardwareDatabase::builtIn().machines)
            if (machine.name.find("H200") != std::string::npos) return machine;
        return Machine{};
    }();
    return kFound;
}

PlannedStep planned(const std::shared_ptr<const ForeignStep>& step) {
    return {Target{h200(), {}}, step, std::make_shared<const Prediction>(predictByCeilings(*step, h200()))};
}

TEST(ForeignStep, HasAMemoryCurveFromItsLifetimes) {
    const ForeignStep step = ForeignStep::attention();
    const std::vector<CategoryBytes> curve = memoryCurve(step);
    ASSERT_EQ(std::ssize(curve), step.opCount());
    constexpr Bytes kWeights = Bytes{2} * 64 * 192, kActivation = Bytes{2} * 2 * 4 * 16 * 16;
    EXPECT_EQ(total(curve[0]), kWeights + kActivation);
    EXPECT_EQ(total(curve[1]), kWeights + 2 * kActivation);
    EXPECT_EQ(total(curve[3]), 2 * kWeights + 2 * kActivation);
    EXPECT_EQ(total(curve[4]), 2 * kWeights);
}

TEST(ForeignStep, IsPredictedAsARangeFromTheDataSheet) {
    const ForeignStep step = ForeignStep::attention();
    const Prediction prediction = predictByCeilings(step, h200());
    ASSERT_TRUE(prediction.totals.seconds && prediction.totals.spread && prediction.totals.mfu);
    EXPECT_GT(*prediction.totals.seconds, prediction.totals.spread->low);
    EXPECT_LT(*prediction.totals.seconds, prediction.totals.spread->high);
    EXPECT_EQ(prediction.totals.flops, step.flops);
    Seconds sum = 0;
    for (const auto& seconds : prediction.opSeconds) sum += seconds.value();
    EXPECT_DOUBLE_EQ(sum, *prediction.totals.seconds);
}

TEST(ForeignStep, IsPredictedLikeOursWhereNothingIsCalibrated) {
    int compared = 0;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        const auto plan = planStep(test::randomConfig(seed), cpuTraits());
        if (!plan.has_value()) continue;
        const Prediction ours = predict(*plan, h200());
        const Prediction any = predictByCeilings(*plan, h200());
        EXPECT_EQ(any.opSeconds, ours.opSeconds) << seed;
        EXPECT_EQ(any.totals.seconds, ours.totals.seconds) << seed;
        EXPECT_EQ(any.totals.mfu, ours.totals.mfu) << seed;
        EXPECT_EQ(any.memory.curve, ours.memory.curve) << seed;
        ++compared;
    }
    EXPECT_GT(compared, 20);
}

TEST(ForeignStep, BecomesAReadingWithItsOwnNames) {
    const ForeignStep step = ForeignStep::attention();
    const Reading reading = toReading(step, predictByCeilings(step, h200()));
    ASSERT_EQ(std::ssize(reading.ops), step.opCount());
    EXPECT_EQ(reading.ops[2].kind, "aten::_softmax");
    EXPECT_EQ(reading.ops[3].name, "attn.qkv · aten::mm");
    Flops flops = 0;
    for (const PhaseSummary& phase : summarisePhases(reading)) flops += phase.flops.value();
    EXPECT_EQ(flops, step.flops);
}

TEST(ForeignStep, StandsInTheTreeOfOperationsBesideWhatWasMeasured) {
    const auto step = std::make_shared<const ForeignStep>(ForeignStep::attention());
    Reading measured = toReading(*step, predictByCeilings(*step, h200()));
    for (OpReading& op : measured.ops) op.seconds = 2e-6;
    auto scene = std::make_shared<Scene>(Scene{planned(step), {}});
    scene->measured.emplace(planned(step), std::make_shared<const Reading>(measured));
    EXPECT_TRUE(scene->sameConfig());
    OperationsTree tree;
    tree.update(scene);
    // Phase > group > op: two products forward are a group, everything else stands alone.
    const auto& phases = tree.nodes().front().children;
    ASSERT_EQ(phases.size(), 3U);
    const auto& forward = tree.node(phases[0]);
    ASSERT_EQ(forward.children.size(), 2U);
    const auto& products = tree.node(forward.children[0]);
    EXPECT_EQ(products.kind, OperationsTree::Kind::Group);
    EXPECT_EQ(tree.id(products), "phase/forward/aten::mm");
    EXPECT_EQ(products.figures.flops, 786'432 + 262'144);
    EXPECT_DOUBLE_EQ(products.figures.measured().value(), 4e-6);
    EXPECT_DOUBLE_EQ(forward.figures.measured().value(), 6e-6);
    EXPECT_TRUE(tree.keepsRows(*scene));
    EXPECT_EQ(tree.find("3/aten::_softmax"), forward.children[1]);
}

TEST(ForeignStep, IsAnotherStepThanAnyOther) {
    const auto step = std::make_shared<const ForeignStep>(ForeignStep::attention());
    const auto ours = planStep(RunConfig{}, cpuTraits());
    ASSERT_TRUE(ours.has_value());
    EXPECT_FALSE(ours->isSameStep(*step));
    EXPECT_FALSE(step->isSameStep(*ours));
    EXPECT_FALSE(ours->hasSameOps(*step));
    EXPECT_FALSE(step->hasSameTensors(*ours));
    EXPECT_TRUE(step->hasSameOps(ForeignStep::attention()));
    EXPECT_TRUE(ours->isSameStep(*planStep(RunConfig{}, cpuTraits())));
}

}  // namespace
}  // namespace plumb
