// SPDX-License-Identifier: Apache-2.0
#include "core/train/executor.h"
#include "tests/core/train/short_training.h"

#include <gmock/gmock.h>

#include <cmath>
#include <deque>
#include <map>

namespace plumb {
namespace {

using testing::HasSubstr;

struct Recipe {
    Precision precision;
    double tolerance;  ///< the statistics see numbers before they are rounded, the copy has them after
};

/// An executor after `steps` steps.
struct RunningTraining {
    explicit RunningTraining(const RunConfig& config) {
        auto device = makeCpuBackend();
        EXPECT_TRUE(device.has_value());
        backend = std::move(device).value();
        auto plan = planStep(config, backend->traits());
        EXPECT_TRUE(plan.has_value());
        auto made = Executor::create(std::make_shared<const StepPlan>(std::move(*plan)), *backend, nullptr);
        EXPECT_TRUE(made.has_value());
        executor = std::move(made).value();
    }
    std::unique_ptr<Backend> backend;
    std::unique_ptr<Executor> executor;
};

RunConfig wholeBatches(Precision precision) {
    RunConfig config = smallConfig();
    config.microBatch = 0;  // statistics are of all micro-batches together, a copy is of the last one
    config.precision = precision;
    return config;
}

TEST(StepStatistics, AreThoseOfTheNewestStepThatWroteThemAndCountSuchSteps) {
    RunningTraining running(wholeBatches(Precision::Bf16));
    StepStatistics& statistics = running.executor->statistics();
    for (const bool writes : {false, true, false, true, false}) {
        statistics.setOn(writes);
        ASSERT_TRUE(running.executor->runStep().has_value());
        if (running.executor->stepsDone() > 1) continue;
        const auto none = statistics.read();
        ASSERT_TRUE(none.has_value());
        EXPECT_FALSE(none->observedSteps.has_value());
        EXPECT_FALSE(none->tensors.front().rootMeanSquare.has_value());
    }
    const auto read = statistics.read();
    ASSERT_TRUE(read.has_value());
    EXPECT_EQ(read->step, 3);
    EXPECT_EQ(read->observedSteps, 2);
    EXPECT_GT(read->tensors.front().rootMeanSquare.value_or(0), 0);
}

TEST(WatchedTensor, HoldsTheNumbersThatTheStatisticsSawInEveryRecipe) {
    for (const Recipe& recipe : {Recipe{Precision::Fp32, 1e-5}, Recipe{Precision::Bf16, 0.01},
                                 Recipe{Precision::Fp16, 0.005}, Recipe{Precision::Fp8, 0.1}}) {
        RunningTraining running(wholeBatches(recipe.precision));
        running.executor->statistics().setOn(true);
        ASSERT_TRUE(running.executor->runStep().has_value());
        int compared = 0;
        const auto layers = static_cast<std::int32_t>(running.executor->plan().config.layers);
        for (const TensorRole role : {TensorRole::Activation, TensorRole::Weight, TensorRole::Gradient,
                                      TensorRole::ActivationGradient})
            for (std::int32_t layer = 0; layer <= layers + 1; ++layer) {
                if (!running.executor->watch().begin(role, layer).has_value()) continue;
                ASSERT_TRUE(running.executor->runStep().has_value());
                const auto watched = running.executor->watch().take();
                ASSERT_TRUE(watched.has_value()) << static_cast<int>(role) << ' ' << layer;
                const auto statistics = running.executor->statistics().read();
                ASSERT_TRUE(statistics.has_value());
                for (const TensorStatistics& seen : statistics->tensors) {
                    if (statisticsSlot(running.executor->plan().config, seen.role, seen.layer) !=
                        statisticsSlot(running.executor->plan().config, role, layer))
                        continue;
                    const ValueHistogram histogram =
                        histogramOf(decodeValues(watched->tensor.dtype, watched->bytes), 1 / watched->scale);
                    EXPECT_EQ(histogram.count, watched->tensor.elements());
                    EXPECT_NEAR(histogram.rootMeanSquare, *seen.rootMeanSquare,
                                recipe.tolerance * *seen.rootMeanSquare)
                        << static_cast<int>(recipe.precision) << ' ' << static_cast<int>(role) << ' '
                        << layer;
                    ++compared;
                }
            }
        EXPECT_GE(compared, 4 * static_cast<int>(layers)) << static_cast<int>(recipe.precision);
    }
}

TEST(WatchedTensor, WatchingChangesNoLossAndNoMemory) {
    RunningTraining plain(smallConfig()), watched(smallConfig());
    for (int step = 0; step < 4; ++step) {
        const auto expected = plain.executor->runStep();
        ASSERT_TRUE(watched.executor->watch().begin(TensorRole::Gradient, 2).has_value());
        const auto seen = watched.executor->runStep();
        ASSERT_TRUE(expected.has_value() && seen.has_value());
        EXPECT_EQ(seen->loss, expected->loss);
        EXPECT_TRUE(watched.executor->watch().take().has_value());
        EXPECT_EQ(watched.backend->allocationCount().live, plain.backend->allocationCount().live);
    }
    EXPECT_FALSE(watched.executor->watch().take().has_value());
}

TEST(WatchedTensor, ATensorThatTheStepDoesNotHaveIsRefusedByName) {
    RunningTraining running(smallConfig());
    for (const auto& [role, layer] : {std::pair{TensorRole::Activation, 9},
                                      {TensorRole::Weight, 0},
                                      {TensorRole::Gradient, 5},
                                      {TensorRole::Moment1, 1}}) {
        const auto watching = running.executor->watch().begin(role, layer);
        ASSERT_FALSE(watching.has_value()) << layer;
        EXPECT_EQ(watching.error().code, ErrorCode::BadInput);
    }
    EXPECT_THAT(running.executor->watch().begin(TensorRole::Activation, 9).error().text(),
                HasSubstr("no activation of layer 9"));
}

/// Keeps the answers of a training that is asked for tensors.
struct Asker final : TrainingSink {
    void onStep(const StepMetrics&) override {}
    void onReading(const Reading&) override {}
    void onTensor(std::int64_t id, const Result<TensorInspection>& inspection) override {
        EXPECT_TRUE(answers.emplace(id, inspection).second) << "answered twice: " << id;
    }
    std::map<std::int64_t, Result<TensorInspection>> answers;
};

TEST(TensorRequests, TheProductOfALinearModelIsThatOfItsWeights) {
    auto backend = makeCpuBackend();
    ASSERT_TRUE(backend.has_value());
    std::deque<TensorRequest> requests{{1, TensorRole::Weight, 0, {}}};
    TrainOptions options;
    options.steps = 1;
    options.nextRequest = [&]() -> std::optional<TensorRequest> {
        if (requests.empty()) return std::nullopt;
        const TensorRequest next = requests.front();
        requests.pop_front();
        return next;
    };
    RunConfig config = smallConfig();
    config.activation = Activation::None;
    Asker asker;
    ASSERT_TRUE(train(config, **backend, options, asker).has_value());
    const auto& answer = asker.answers.at(1);
    ASSERT_TRUE(answer.has_value()) << answer.error().text();
    EXPECT_EQ(answer->rows, config.dim);
    EXPECT_EQ(answer->columns, config.outputWidth());
    ASSERT_TRUE(answer->recovered.has_value());
    EXPECT_EQ(answer->recovered->expected[2], 2);
    EXPECT_GT(answer->recovered->largestError, 1) << "one step learns nothing";

    Asker bent;
    requests = {{2, TensorRole::Weight, 0, {}}};
    config.activation = Activation::Relu;
    ASSERT_TRUE(train(config, **backend, options, bent).has_value());
    ASSERT_FALSE(bent.answers.at(2).has_value());
    EXPECT_THAT(bent.answers.at(2).error().text(), HasSubstr("activation function"));
}

TEST(TensorRequests, AreEachAnsweredOnceWithTheTensorOrAnError) {
    auto backend = makeCpuBackend();
    ASSERT_TRUE(backend.has_value());
    std::deque<TensorRequest> requests{
        {1, TensorRole::Weight, 1, {}},    {2, TensorRole::Activation, 2, {}},
        {3, TensorRole::Gradient, 9, {}},  {4, TensorRole::Gradient, 4, {}},
        {5, TensorRole::Weight, 77, {}},   {6, TensorRole::ActivationGradient, 1, {}},
        {7, TensorRole::Activation, 0, {}}};
    TrainOptions options;
    options.steps = 3;  // one tensor a step: the last request comes too late
    options.nextRequest = [&]() -> std::optional<TensorRequest> {
        if (requests.empty()) return std::nullopt;
        const TensorRequest next = requests.front();
        requests.pop_front();
        return next;
    };
    Asker asker;
    const auto result = train(smallConfig(), **backend, options, asker);
    ASSERT_TRUE(result.has_value() && !result->failure);
    ASSERT_EQ(asker.answers.size(), 7U);
    const auto of = [&](std::int64_t id) { return asker.answers.at(id); };
    ASSERT_TRUE(of(1).has_value());
    EXPECT_EQ(of(1)->steps, 0);
    EXPECT_EQ(of(1)->histogram.count, 12 * 12);
    ASSERT_TRUE(of(2).has_value());
    EXPECT_EQ(of(2)->steps, 1);
    EXPECT_EQ(of(2)->rows, 4);  // of the last micro-batch
    EXPECT_EQ(of(2)->histogram.negatives, 0) << "behind a ReLU";
    EXPECT_EQ(of(3).error().code, ErrorCode::BadInput);
    ASSERT_TRUE(of(4).has_value());
    EXPECT_EQ(of(4)->steps, 2);
    EXPECT_EQ(of(4)->columns, 2);  // the head
    EXPECT_EQ(of(5).error().code, ErrorCode::BadInput);
    ASSERT_TRUE(of(6).has_value());
    EXPECT_EQ(of(6)->steps, 3);
    EXPECT_EQ(of(7).error().code, ErrorCode::RunFailed);
}

TEST(TensorRequests, AWeightIsLookedAtWhileTheTrainingIsPaused) {
    auto backend = makeCpuBackend();
    ASSERT_TRUE(backend.has_value());
    TrainOptions options;
    options.steps = 2;
    Asker asker;
    int asked = 0;
    options.nextRequest = [&]() -> std::optional<TensorRequest> {
        if (asked != 1) return std::nullopt;
        asked = 2;
        return TensorRequest{5, TensorRole::Weight, 2, {}};
    };
    options.waitWhilePaused = [&](const std::function<void()>& meanwhile) {
        if (asked == 0) {
            asked = 1;
            meanwhile();
            EXPECT_EQ(asker.answers.size(), 1U) << "answered before the pause ends";
        }
        return true;
    };
    ASSERT_TRUE(train(smallConfig(), **backend, options, asker).has_value());
    EXPECT_TRUE(asker.answers.at(5).has_value());
}

}  // namespace
}  // namespace plumb
