// SPDX-License-Identifier: Apache-2.0
// Predicted memory against measured memory, byte for byte, in every category, at every op.
#include "core/measure/reading.h"
#include "core/plan/fit_schedule.h"
#include "core/train/executor.h"
#include "kernels/cpu/cpu_backend.h"
#include "tests/support/plans.h"
#include "tests/support/random_config.h"
#include "tests/support/threads.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace plumb {
namespace {

std::unique_ptr<Backend> cpu() {
    auto backend = makeCpuBackend(test::kBackendThreads);
    EXPECT_TRUE(backend.has_value());
    return std::move(backend).value();
}

class ConstantSource final : public BatchSource {
public:
    std::int64_t samples() const override { return 1; }
    Result<void> copySamples(std::int64_t, std::span<float> x, std::span<float> t) const override {
        std::fill(x.begin(), x.end(), 0.5F);
        std::fill(t.begin(), t.end(), 0.25F);
        return {};
    }
    std::string describe(std::int64_t) const override { return "the only sample"; }
    std::string summary() const override { return "one sample"; }
};

/// What differs between the plan's memory curve and the one that the allocator counted while it ran; empty
/// when nothing does.
std::string differenceToMeasured(const StepPlan& plan, Backend& backend) {
    const ConstantSource source;
    auto executor = Executor::create(std::make_shared<const StepPlan>(plan), backend,
                                     plan.staging >= 0 ? &source : nullptr);
    if (!executor.has_value()) return "create: " + executor.error().text();
    for (int step = 0; step < 2; ++step) {
        (*executor)->timing().setMeasuring(true);
        auto loss = (*executor)->runStep();
        if (!loss.has_value()) return "run: " + loss.error().text();
    }
    const Reading measured = (*executor)->timing().reading(backend.machine());
    const MemoryReading predicted = summariseCurve(memoryCurve(plan));
    if (measured.memory->peakBytes != predicted.peakBytes)
        return "peak: measured " + std::to_string(measured.memory->peakBytes) + ", predicted " +
               std::to_string(predicted.peakBytes);
    if (measured.memory->categoryPeak != predicted.categoryPeak) return "a category's peak differs";
    for (std::size_t index = 0; index < plan.ops.size(); ++index)
        for (const Category category : kAllCategories) {
            const Bytes seen = measured.memory->curve[index][category];
            const Bytes said = predicted.curve[index][category];
            if (seen != said)
                return opId(plan.ops[index]) + ", " + std::string(categoryName(category)) + ": measured " +
                       std::to_string(seen) + ", predicted " + std::to_string(said);
        }
    return "";
}

std::string optionsOf(const RunConfig& config) {
    std::string text;
    for (const OptionInfo& option : runOptions())
        text += "--" + std::string(option.name) + " " + optionValue(config, option.name) + " ";
    return text;
}

StepPlan planOf(const RunConfig& config, const Backend& backend) {
    return test::planOf(config, backend.traits());
}

TEST(MeasuredMemory, EqualsThePredictionByteForByteForRandomConfigurations) {
    const auto backend = cpu();
    for (std::uint64_t seed = 0; seed < 600; ++seed) {
        RunConfig config = test::randomConfig(seed);
        if (seed % 4 == 3) {  // a prefetch thread fills the staging memory meanwhile
            config.data = "x.npy";
            config.targets = "t.npy";
        }
        const std::string difference = differenceToMeasured(planOf(config, *backend), *backend);
        ASSERT_EQ(difference, "") << "seed " << seed << ": " << optionsOf(config);
    }
}

TEST(MeasuredMemory, EqualsThePredictionForSchedulesThatFitABudget) {
    const auto backend = cpu();
    for (std::uint64_t seed = 0; seed < 120; ++seed) {
        RunConfig config = test::randomConfig(seed);
        const Result<Bytes> least = leastPeak(config, backend->traits());
        ASSERT_TRUE(least.has_value());
        config.recompute = {RecomputePolicy::Kind::Fit, 1,
                            *least + *least * static_cast<Bytes>(seed % 9) / 20};
        const std::string difference = differenceToMeasured(planOf(config, *backend), *backend);
        ASSERT_EQ(difference, "") << "seed " << seed << ": " << optionsOf(config);
    }
}

TEST(MeasuredMemory, EqualsThePredictionForEveryRecipeOptimizerAndPolicy) {
    const auto backend = cpu();
    RunConfig config{
        .dim = 7, .layers = 5, .outputs = 2, .activation = Activation::Relu, .batch = 6, .microBatch = 3};
    using Kind = RecomputePolicy::Kind;
    int compared = 0;
    for (int precision = 0; precision < 5; ++precision)
        for (const bool master : {true, false})
            for (const auto gradients : {GradientPrecision::Same, GradientPrecision::Fp32})
                for (int optimizer = 0; optimizer < 8; ++optimizer)
                    for (const Kind kind : {Kind::All, Kind::None, Kind::Every, Kind::Sqrt}) {
                        config.precision = static_cast<Precision>(precision);
                        config.masterWeights = master;
                        config.gradientPrecision = gradients;
                        config.optimizer = static_cast<Optimizer>(optimizer);
                        config.recompute = {kind, 2};
                        const std::string difference =
                            differenceToMeasured(planOf(config, *backend), *backend);
                        ASSERT_EQ(difference, "") << optionsOf(config);
                        ++compared;
                    }
    EXPECT_EQ(compared, 5 * 2 * 2 * 8 * 4);
}

TEST(MeasuredMemory, IsBackToThePersistentTensorsAfterAStepAndToNothingAfterTheRun) {
    const auto backend = cpu();
    const RunConfig config = test::randomConfig(3);
    const StepPlan plan = planOf(config, *backend);
    Bytes persistent = 0;
    for (const Tensor& tensor : plan.tensors)
        if (tensor.persistent()) persistent += tensor.bytes();
    {
        auto executor = Executor::create(std::make_shared<const StepPlan>(plan), *backend, nullptr);
        ASSERT_TRUE(executor.has_value());
        ASSERT_TRUE((*executor)->runStep().has_value());
        EXPECT_EQ(total(backend->allocationCount().live), persistent);
    }
    EXPECT_EQ(total(backend->allocationCount().live), 0);
}

// The equality above is worth something only if a wrong plan breaks it. Each of these plants one mistake of
// the kind that a planner makes and expects the comparison, or the backend itself, to notice.
class BrokenPlan : public ::testing::Test {
protected:
    void SetUp() override {
        config.dim = 24;
        config.layers = 4;
        config.batch = 16;
        config.microBatch = 8;
        config.precision = Precision::Bf16;
        config.activation = Activation::Relu;
        config.recompute = {RecomputePolicy::Kind::Every, 2};
        plan = planOf(config, *backend);
        ASSERT_EQ(differenceToMeasured(plan, *backend), "");
    }
    Tensor& tensor(TensorRole role) {
        return *std::find_if(plan.tensors.begin(), plan.tensors.end(),
                             [&](const Tensor& candidate) { return candidate.role == role; });
    }
    std::unique_ptr<Backend> backend = cpu();
    RunConfig config;
    StepPlan plan;
};

TEST_F(BrokenPlan, IsNoticedWhenATensorLivesTooLong) {
    ++tensor(TensorRole::Activation).lastOp;
    EXPECT_NE(differenceToMeasured(plan, *backend), "");
}
TEST_F(BrokenPlan, IsNoticedWhenATensorDiesTooEarly) {
    --tensor(TensorRole::ActivationGradient).lastOp;
    EXPECT_NE(differenceToMeasured(plan, *backend), "");
}
TEST_F(BrokenPlan, IsNoticedWhenAShapeIsWrong) {
    tensor(TensorRole::Activation).rows += 1;
    EXPECT_NE(differenceToMeasured(plan, *backend), "");
}
TEST_F(BrokenPlan, IsNoticedWhenADtypeIsWrong) {
    tensor(TensorRole::Gradient).dtype = Dtype::Fp32;
    EXPECT_NE(differenceToMeasured(plan, *backend), "");
}
TEST_F(BrokenPlan, IsNoticedWhenACategoryIsWrong) {
    tensor(TensorRole::HeadOutput).category = Category::Activations;
    EXPECT_NE(differenceToMeasured(plan, *backend), "");
}
TEST_F(BrokenPlan, IsNoticedWhenScratchIsForgotten) {
    const auto op = std::find_if(plan.ops.begin(), plan.ops.end(),
                                 [](const Op& candidate) { return candidate.scratch[0].count > 0; });
    ASSERT_NE(op, plan.ops.end());
    for (TensorId id = op->scratch[0].first; id < op->scratch[0].first + op->scratch[0].count; ++id)
        plan.tensor(id).rows = 0;
    EXPECT_NE(differenceToMeasured(plan, *backend), "");
}
TEST_F(BrokenPlan, IsNoticedWhenAnOpForgetsThatItReadsATensor) {
    const auto op = std::find_if(plan.ops.begin(), plan.ops.end(), [](const Op& candidate) {
        return candidate.kind == OpKind::WeightGradient && candidate.layer == 2;
    });
    ASSERT_NE(op, plan.ops.end());
    op->reads = {};
    EXPECT_NE(differenceToMeasured(plan, *backend), "");
}
TEST_F(BrokenPlan, IsNoticedWhenThePrecisionOfTheMasterCopyIsForgotten) {
    tensor(TensorRole::Master).columns = 0;
    EXPECT_NE(differenceToMeasured(plan, *backend), "");
}

}  // namespace
}  // namespace plumb
