// SPDX-License-Identifier: Apache-2.0
#include "core/plan/step_plan.h"
#include "tests/support/plans.h"

#include <gtest/gtest.h>

#include <set>

namespace plumb {
namespace {

using test::planOf;

std::string nameOf(const StepPlan& plan, std::string_view id) {
    for (const Op& op : plan.ops) {
        if (opId(op) == id) return opName(plan, op);
    }
    return "no such op";
}

TEST(Names, OpsAreNamedForPeople) {
    RunConfig config{.layers = 4, .microBatch = 32, .recompute = {RecomputePolicy::Kind::None, 1}};
    const StepPlan plan = planOf(config);
    EXPECT_EQ(nameOf(plan, "m1.load"), "load batch");
    EXPECT_EQ(nameOf(plan, "m1.layer3.forward"), "layer 3 · forward");
    EXPECT_EQ(nameOf(plan, "m1.head.forward"), "head · forward");
    EXPECT_EQ(nameOf(plan, "m1.loss"), "loss and gradient");
    EXPECT_EQ(nameOf(plan, "m1.head.backward.input"), "head · backward · input gradient");
    EXPECT_EQ(nameOf(plan, "m1.layer3.backward.weight"), "layer 3 · backward · weight gradient");
    EXPECT_EQ(nameOf(plan, "m1.layer3.recompute"), "layers 1–3 · recompute");
    EXPECT_EQ(nameOf(plan, "m1.layer1.recompute"), "layer 1 · recompute");
    EXPECT_EQ(nameOf(plan, "m2+.layer3.forward"), "layer 3 · forward · micro-batches 2–8");
    EXPECT_EQ(nameOf(plan, "optimizer"), "AdamW");
    config.microBatch = 128;
    EXPECT_EQ(nameOf(planOf(config), "m2+.loss"), "loss and gradient · micro-batch 2");
}

TEST(Names, TheHeadIsKnownByItselfWhenItIsAsWideAsALayer) {
    const RunConfig config{.dim = 5, .layers = 1, .outputs = 5};
    const StepPlan plan = planOf(config);
    EXPECT_EQ(nameOf(plan, "m1.head.backward.weight"), "head · backward · weight gradient");
    EXPECT_EQ(nameOf(plan, "m1.layer1.backward.weight"), "layer 1 · backward · weight gradient");
    EXPECT_EQ(nameOf(plan, "m1.layer2.backward.weight"), "no such op");
}

TEST(Names, AnIdIsTheSameInAPlanOfAnotherSize) {
    RunConfig config;
    const std::string before = nameOf(planOf(config), "m1.layer2.backward.input");
    config.dim = 64;
    config.layers = 9;
    config.batch = 8;
    EXPECT_EQ(nameOf(planOf(config), "m1.layer2.backward.input"), before);
}

TEST(Names, TensorsOfAStepAreToldApart) {
    RunConfig config{
        .layers = 5, .activation = Activation::Relu, .microBatch = 64, .precision = Precision::Bf16};
    for (const auto kind :
         {RecomputePolicy::Kind::All, RecomputePolicy::Kind::None, RecomputePolicy::Kind::Every}) {
        config.recompute = {kind, 2};
        const StepPlan plan = planOf(config);
        std::set<std::string> names;
        for (const Tensor& tensor : plan.tensors)
            EXPECT_TRUE(names.insert(tensorName(plan, tensor)).second) << tensorName(plan, tensor);
        EXPECT_EQ(names.count("layer 3 · weights"), 1U);
        EXPECT_EQ(names.count("head · master weights"), 1U);
        EXPECT_EQ(names.count("layer 3 · activation"), 1U);
        EXPECT_EQ(names.count("layer 3 · activation · recomputed"),
                  kind == RecomputePolicy::Kind::All ? 0U : 1U);
        EXPECT_EQ(names.count("features x · micro-batches 2–4"), 1U);
    }
}

TEST(Names, FileNamesAreThoseOfTheContract) {
    std::vector<std::string_view> categories;
    for (const Category category : kAllCategories) {
        categories.push_back(categoryName(category));
        EXPECT_FALSE(categoryLabel(category).empty());
    }
    EXPECT_EQ(categories, (std::vector<std::string_view>{"parameters", "master_parameters", "optimizer_state",
                                                         "gradients", "activations", "activation_gradients",
                                                         "data", "workspace", "communication"}));
    EXPECT_EQ(categoryLabel(Category::ActivationGradients), "activation gradients");
    EXPECT_EQ(phaseName(Phase::Recompute), "recompute");
    EXPECT_EQ(kindName(OpKind::RecomputeChain), "recompute_chain");
}

}  // namespace
}  // namespace plumb
