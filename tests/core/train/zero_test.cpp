// SPDX-License-Identifier: Apache-2.0
// Ranks that share states, gradients and weights (ZeRO) besides the batch: what they compute against ranks
// that have all of it, what they hold and send against their plans, and mistakes that this finds.
#include "core/model/names.h"
#include "core/plan/control_tensors.h"
#include "core/plan/shards.h"
#include "core/train/training_checkpoint.h"
#include "tests/core/train/on_executors.h"
#include "tests/core/train/short_training.h"
#include "tests/support/npy_files.h"
#include "tests/support/temporary_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <map>
#include <string>
#include <vector>

namespace plumb {
namespace {

using test::differenceToPlan;
using test::onExecutors;
using test::optionsOf;
using testing::HasSubstr;

constexpr std::array kStages{Zero::States, Zero::Gradients, Zero::Weights};

/// A random configuration that ranks share in some stage, of one micro-batch where gradients are to be the
/// same bits.
RunConfig zeroConfig(std::uint64_t seed, std::int64_t ranks) {
    RunConfig config = test::sharedConfig(seed, ranks);
    if (config.optimizer == Optimizer::Adafactor) {
        config.optimizer = Optimizer::Adam;
        config.settings = {};
    }
    return config;
}

/// What the first rank has after some steps, of tensors that all share put together: the bits.
struct TrainedInStage {
    std::map<std::string, std::vector<std::byte>> tensors;
    std::vector<std::uint64_t> losses;
    bool operator==(const TrainedInStage&) const = default;
};

TrainedInStage afterStepsInStages(const RunConfig& config, int steps) {
    TrainedInStage first;
    onExecutors(config, [&](Executor& executor, Backend&) {
        const StepPlan& plan = executor.plan();
        const bool isFirst = plan.place.data == 0;
        for (int step = 0; step < steps; ++step) {
            const auto metrics = executor.runStep();
            ASSERT_TRUE(metrics.has_value()) << metrics.error().text();
            if (isFirst) first.losses.push_back(std::bit_cast<std::uint64_t>(metrics->loss));
        }
        for (const TensorId id : checkpointTensors(plan)) {
            const Tensor& tensor = plan.tensor(id);
            std::int64_t elements = 1;
            for (const std::int64_t side : checkpointShape(plan, tensor)) elements *= side;
            std::vector<std::byte> bytes(static_cast<std::size_t>(elements * dtypeSize(tensor.dtype)));
            const auto collected = executor.tensors().collect(id, bytes);
            ASSERT_TRUE(collected.has_value()) << collected.error().text();
            if (isFirst) first.tensors[checkpointTensorName(plan, tensor)] = std::move(bytes);
        }
    });
    return first;
}

std::string firstDifference(const TrainedInStage& a, const TrainedInStage& b) {
    for (std::size_t step = 0; step < a.losses.size(); ++step)
        if (a.losses[step] != b.losses.at(step)) return "the loss of step " + std::to_string(step);
    for (const auto& [name, bytes] : a.tensors)
        if (bytes != b.tensors.at(name)) return name;
    return a == b ? "" : "what there is";
}

TEST(Zero, TrainsBitForBitAsRanksThatShareTheBatchAlone) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        RunConfig config = zeroConfig(seed, 2 + static_cast<std::int64_t>(seed % 3));
        config.clipNorm = 0;  // the norm is a sum of other parts
        if (seed % 2 == 0) config.batch = config.parallel.data * config.microBatch;
        const TrainedInStage alike = afterStepsInStages(config, 4);
        for (const Zero stage : kStages) {
            // The gradients of later micro-batches are added in another order.
            if (stage != Zero::States && config.microBatches() > 1) continue;
            config.parallel.zero = stage;
            ASSERT_EQ(firstDifference(afterStepsInStages(config, 4), alike), "")
                << "seed " << seed << ": " << optionsOf(config);
        }
    }
}

TEST(Zero, TrainsAllRecipesAndOptimizersBitForBit) {
    for (const auto& [precision, precisionName] : kPrecisionNames)
        for (const auto& [optimizer, optimizerName] : kOptimizerNames) {
            if (optimizer == Optimizer::Adafactor) continue;
            RunConfig config{.dim = 20, .layers = 3, .outputs = 3, .batch = 12, .parallel = {.data = 3}};
            config.activation = Activation::Relu;
            config.precision = precision;
            config.optimizer = optimizer;
            const TrainedInStage alike = afterStepsInStages(config, 5);
            for (const Zero stage : kStages) {
                config.parallel.zero = stage;
                EXPECT_EQ(firstDifference(afterStepsInStages(config, 5), alike), "")
                    << precisionName << " " << optimizerName << " zero " << kZeroNames.name(stage);
            }
        }
}

TEST(Zero, SharesGradientsOfSeveralMicroBatchesButForRounding) {
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        RunConfig config = zeroConfig(seed, 2 + static_cast<std::int64_t>(seed % 3));
        config.precision = Precision::Fp32;
        config.optimizer = Optimizer::Sgd;  // others divide by small numbers, of which the rounding is most
        config.settings = {};
        config.learningRate = 1e-3;
        config.residentBatch = false;
        config.batch = 3 * config.parallel.data * config.microBatch;
        const TrainedInStage alike = afterStepsInStages(config, 3);
        config.parallel.zero = Zero::Gradients;
        const TrainedInStage gradients = afterStepsInStages(config, 3);
        for (std::size_t step = 0; step < 3; ++step) {
            const auto loss = std::bit_cast<double>(gradients.losses[step]),
                       other = std::bit_cast<double>(alike.losses[step]);
            if (!std::isfinite(other)) break;
            ASSERT_NEAR(loss, other, 2e-6 * std::max(1.0, std::abs(other)))
                << "seed " << seed << ", step " << step << ": " << optionsOf(config);
        }
        config.parallel.zero = Zero::Weights;
        config.clipNorm = 0;
        RunConfig two = config;
        two.parallel.zero = Zero::Gradients;
        ASSERT_EQ(firstDifference(afterStepsInStages(config, 3), afterStepsInStages(two, 3)), "")
            << "seed " << seed << ": " << optionsOf(config);
    }
}

TEST(Zero, ClipsByTheNormOfAllGradients) {
    RunConfig config{.dim = 40, .layers = 3, .outputs = 3, .batch = 24, .parallel = {.data = 3}};
    config.clipNorm = 0.05;
    config.optimizer = Optimizer::Sgd;
    config.learningRate = 0.5;
    for (const Precision precision : {Precision::Fp32, Precision::Fp16}) {
        config.precision = precision;
        config.parallel.zero = Zero::Off;
        const TrainedInStage alike = afterStepsInStages(config, 5);
        RunConfig loose = config;
        loose.clipNorm = 0;
        EXPECT_NE(std::bit_cast<double>(afterStepsInStages(loose, 5).losses.back()),
                  std::bit_cast<double>(alike.losses.back()));
        for (const Zero stage : kStages) {
            config.parallel.zero = stage;
            const TrainedInStage shared = afterStepsInStages(config, 5);
            for (std::size_t step = 0; step < 5; ++step)
                EXPECT_NEAR(std::bit_cast<double>(shared.losses[step]),
                            std::bit_cast<double>(alike.losses[step]), 1e-5);
        }
    }
}

TEST(Zero, TellsTheNormsOfAllSlices) {
    RunConfig config{.dim = 40, .layers = 2, .outputs = 3, .batch = 24, .parallel = {.data = 3}};
    for (const Precision precision : {Precision::Fp32, Precision::Fp16}) {
        config.precision = precision;
        const auto metricsOf = [](const RunConfig& of) {
            std::vector<StepMetrics> told(3);
            onExecutors(of, [&](Executor& executor, Backend&) {
                told[static_cast<std::size_t>(executor.plan().place.data)] = executor.runStep().value();
            });
            return told;
        };
        config.parallel.zero = Zero::Off;
        const StepMetrics alike = metricsOf(config).front();
        for (const Zero stage : kStages) {
            config.parallel.zero = stage;
            for (const StepMetrics& rank : metricsOf(config)) {
                EXPECT_NEAR(rank.gradientNorm / alike.gradientNorm, 1, 1e-5);
                EXPECT_NEAR(rank.updateRatio / alike.updateRatio, 1, 1e-5);
            }
        }
    }
}

TEST(Zero, SkipsAStepOnAllRanksWhereOneSliceDoesNotFit) {
    RunConfig config = smallConfig();
    config.precision = Precision::Fp16;
    config.batch = 8;
    config.microBatch = 0;
    config.parallel.data = 2;
    config.lossScaling.initial = 1e30;
    config.lossScaling.interval = 1000;
    const TrainedInStage alike = afterStepsInStages(config, 110);
    for (const Zero stage : kStages) {
        config.parallel.zero = stage;
        EXPECT_EQ(firstDifference(afterStepsInStages(config, 110), alike), "");
    }
    std::vector<double> row(kLossScaleColumns);
    const std::vector<std::byte>& bytes = alike.tensors.at("loss_scale");
    std::memcpy(row.data(), bytes.data(), bytes.size());
    EXPECT_GT(row[kLossScaleSkipped], 10);
    EXPECT_GT(row[kLossScaleGoodSteps], 1);
}

TEST(Zero, HoldsAndSendsWhatItsPlansSayAtEveryOpOfRandomConfigurations) {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        RunConfig config = zeroConfig(seed, 2 + static_cast<std::int64_t>(seed % 3));
        config.parallel.zero = kStages[seed / 3 % kStages.size()];
        onExecutors(config, [&](Executor& executor, Backend& backend) {
            EXPECT_EQ(differenceToPlan(executor, backend), "")
                << "seed " << seed << ", rank " << executor.plan().place.data << ": " << optionsOf(config);
        });
        if (testing::Test::HasFailure()) return;
    }
}

TEST(Zero, IsNoticedWhereItsPlanIsWrong) {
    RunConfig config{.dim = 20, .layers = 4, .outputs = 3, .batch = 12, .microBatch = 2};
    config.parallel.data = 2;
    const auto difference = [&](Zero stage, const std::function<void(StepPlan&)>& plant) {
        config.parallel.zero = stage;
        std::string found;
        onExecutors(
            config,
            [&](Executor& executor, Backend& backend) {
                const std::string own = differenceToPlan(executor, backend);
                if (executor.plan().place.data == 0) found = own;
            },
            plant);
        return found;
    };
    const auto first = [](StepPlan& plan, TensorRole role) -> Tensor& {
        return *std::ranges::find(plan.tensors, role, &Tensor::role);
    };
    for (const Zero stage : kStages) EXPECT_EQ(difference(stage, [](StepPlan&) {}), "");
    // A gradient that has gone, held an op longer.
    EXPECT_THAT(
        difference(Zero::Gradients, [&](StepPlan& plan) { ++first(plan, TensorRole::WholeGradient).lastOp; }),
        HasSubstr("gradients: measured"));
    EXPECT_THAT(
        difference(Zero::Weights, [&](StepPlan& plan) { ++first(plan, TensorRole::GatheredWeight).lastOp; }),
        HasSubstr("parameters: measured"));
    // The slice of the weights that is updated, with memory of its own instead of a part of the weights.
    EXPECT_THAT(difference(Zero::States,
                           [&](StepPlan& plan) {
                               Tensor slice = first(plan, TensorRole::Weight);
                               slice.role = TensorRole::GatheredWeight;
                               slice.firstOp = slice.lastOp = first(plan, TensorRole::Gradient).lastOp;
                               plan.tensors.push_back(slice);
                           }),
                HasSubstr("parameters: measured"));
    // A slice, and a whole, without what makes the slices equal: 400 elements are 2 times 256.
    EXPECT_THAT(
        difference(Zero::States, [&](StepPlan& plan) { first(plan, TensorRole::Moment1).columns = 200; }),
        HasSubstr("optimizer_state: measured"));
    EXPECT_THAT(
        difference(Zero::States, [&](StepPlan& plan) { first(plan, TensorRole::Gradient).padding = 0; }),
        testing::Not(""));
    // Bytes that nobody sends.
    EXPECT_THAT(difference(Zero::Gradients,
                           [](StepPlan& plan) {
                               for (Op& op : plan.ops)
                                   if (op.kind == OpKind::ReduceScatter) op.wireBytes *= 2;
                           }),
                HasSubstr("reduce_scatter: sent"));
}

TEST(Zero, GoesOnBitForBitInAnyStageFromWhatAnyHasSaved) {
    RunConfig config = smallConfig();
    config.microBatch = 0;
    config.parallel.data = 2;
    for (const Precision precision : {Precision::Fp32, Precision::Fp16, Precision::Fp8}) {
        config.precision = precision;
        config.parallel.zero = Zero::Off;
        const Outcome whole = trainOnRanks(config, 8);
        const std::vector<std::uint64_t> all = whole.seen.lossBits();
        for (const Zero before : {Zero::Off, Zero::States, Zero::Weights}) {
            const TemporaryFolder folder;
            config.parallel.zero = before;
            const Outcome begun = trainOnRanks(config, 5, folder.path());
            EXPECT_THAT(checkpointSteps(folder.path()).value(), testing::ElementsAre(3, 5));
            EXPECT_EQ(begun.seen.reports.size(), 2U);
            for (const Zero after : {Zero::Off, Zero::States, Zero::Gradients, Zero::Weights}) {
                config.parallel.zero = after;
                const Outcome rest = trainOnRanks(config, 8, {}, folder.path());
                EXPECT_EQ(rest.seen.lossBits(), std::vector(all.begin() + 5, all.end()))
                    << kPrecisionNames.name(precision) << " from zero " << kZeroNames.name(before) << " to "
                    << kZeroNames.name(after);
                ASSERT_EQ(rest.result->weights.size(), whole.result->weights.size());
                for (std::size_t i = 0; i < rest.result->weights.size(); ++i)
                    EXPECT_EQ(rest.result->weights[i].values, whole.result->weights[i].values);
            }
        }
    }
}

TEST(Zero, GoesOnWithAnotherNumberOfRanks) {
    RunConfig config = smallConfig();
    config.microBatch = 0;
    const Outcome whole = runTraining(config, 8);
    for (const Zero stage : kStages)
        for (const std::int64_t before : {1, 2, 4}) {
            const TemporaryFolder folder;
            const auto as = [&](std::int64_t ranks) {
                RunConfig of = config;
                of.parallel = {.data = ranks, .zero = ranks > 1 ? stage : Zero::Off};
                return of;
            };
            trainOnRanks(as(before), 3, folder.path());
            for (const std::int64_t after : {1, 2, 4}) {
                if (after == before) continue;
                const Outcome rest = trainOnRanks(as(after), 8, {}, folder.path());
                ASSERT_EQ(rest.seen.points.size(), 5U);
                for (std::size_t step = 0; step < 5; ++step)
                    EXPECT_NEAR(rest.seen.points[step].loss, whole.seen.points[step + 3].loss,
                                1e-5 * std::abs(whole.seen.points[step + 3].loss))
                        << before << " to " << after << ", step " << step + 3;
            }
        }
}

TEST(Zero, MeasuresTheLossOfWhatIsHeldOutWithWeightsThatAllShare) {
    RunConfig config = smallConfig();
    config.layers = 2;
    config.microBatch = 0;
    config.holdOut = 0.3;
    config.recompute.kind = RecomputePolicy::Kind::None;
    config.parallel.data = 2;
    std::vector<float> x, t;
    for (int i = 0; i < 40 * 12; ++i) x.push_back(static_cast<float>(i * 37 % 101) / 50 - 1);
    for (int i = 0; i < 40 * 2; ++i) t.push_back(static_cast<float>(i * 13 % 17) / 10);
    config.data = test::writeNpy("zx.npy", 40, 12, x);
    config.targets = test::writeNpy("zt.npy", 40, 2, t);
    const auto heldOut = [&](Zero stage) {
        config.parallel.zero = stage;
        return trainOnRanks(config, 9).result->series.holdOut;
    };
    const auto alike = heldOut(Zero::Off);
    ASSERT_GT(alike.size(), 1U);
    for (const Zero stage : kStages) {
        const auto shared = heldOut(stage);
        ASSERT_EQ(shared.size(), alike.size());
        for (std::size_t i = 0; i < alike.size(); ++i) EXPECT_EQ(shared[i].loss, alike[i].loss);
    }
}

TEST(Zero, HasStatisticsOfTheFirstRanksSlices) {
    // All of a layer's 64 elements are the first rank's.
    RunConfig config{.dim = 8, .layers = 3, .outputs = 2, .batch = 8, .parallel = {.data = 2}};
    const auto statistics = [&](Zero stage) {
        config.parallel.zero = stage;
        LayerStatistics first;
        onExecutors(config, [&](Executor& executor, Backend&) {
            executor.statistics().setOn(true);
            ASSERT_TRUE(executor.runStep().has_value());
            if (executor.plan().place.data == 0) first = executor.statistics().read().value();
        });
        return first;
    };
    const LayerStatistics alike = statistics(Zero::Off);
    for (const Zero stage : kStages) {
        const LayerStatistics shared = statistics(stage);
        ASSERT_EQ(shared.tensors.size(), alike.tensors.size());
        for (std::size_t i = 0; i < alike.tensors.size(); ++i) {
            EXPECT_DOUBLE_EQ(*shared.tensors[i].rootMeanSquare, *alike.tensors[i].rootMeanSquare);
            EXPECT_EQ(*shared.tensors[i].amax, *alike.tensors[i].amax);
        }
    }
}

TEST(Zero, LooksAtTheWeightsOfOneRankNowhere) {
    RunConfig config = smallConfig();
    config.microBatch = 0;
    config.parallel = {.data = 2, .zero = Zero::Weights};
    onExecutors(config, [&](Executor& executor, Backend&) {
        const auto weight = executor.tensors().weight(1);
        ASSERT_FALSE(weight.has_value());
        EXPECT_THAT(weight.error().text(),
                    HasSubstr("a slice of each weight alone while it trains (zero 3)"));
    });
    config.parallel.zero = Zero::States;
    onExecutors(config, [&](Executor& executor, Backend&) {
        const auto weight = executor.tensors().weight(1);
        ASSERT_TRUE(weight.has_value());
        EXPECT_EQ(weight->bytes.size(), 12U * 12 * 4) << "without padding";
    });
}

}  // namespace
}  // namespace plumb
