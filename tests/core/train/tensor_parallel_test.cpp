// SPDX-License-Identifier: Apache-2.0
// Ranks that divide each matrix (tensor parallel): what they compute against one rank that has all of it,
// what they hold and send against their plans, and mistakes that this finds.
#include "core/model/names.h"
#include "core/train/training_checkpoint.h"
#include "core/train/weights_inspection.h"
#include "tests/core/train/on_executors.h"
#include "tests/core/train/short_training.h"
#include "tests/support/npy_files.h"
#include "tests/support/temporary_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace plumb {
namespace {

using test::differenceToPlan;
using test::onExecutors;
using test::optionsOf;
using testing::HasSubstr;

/// A random configuration whose matrices `tensor` ranks divide, and whose batch `data` groups of them share.
RunConfig tensorConfig(std::uint64_t seed, std::int64_t tensor, std::int64_t data) {
    RunConfig config = test::sharedConfig(seed, data);
    config.parallel.tensor = tensor;
    config.dim = tensor * (1 + config.dim % 24);
    config.layers = std::max<std::int64_t>(config.layers, 1);
    if (!config.head && config.layers % 2 != 0) ++config.layers;
    if (config.optimizer == Optimizer::Adafactor) {
        config.optimizer = Optimizer::Adam;
        config.settings = {};
    }
    if (config.precision == Precision::Fp8) config.precision = Precision::Bf16;
    if (config.precision == Precision::Fp16) config.precision = Precision::Tf32;
    return config;
}

RunConfig fixedConfig(std::int64_t layers, Activation activation = Activation::Relu) {
    RunConfig config{.dim = 48, .layers = layers, .outputs = 3, .activation = activation, .batch = 24};
    config.microBatch = 12;
    return config;
}

/// What training leaves: of each rank its losses, of the first one all that a checkpoint has.
struct DividedTraining {
    std::vector<std::vector<double>> losses;
    std::map<std::string, std::vector<std::byte>> tensors;
};

DividedTraining trainedFor(
    const RunConfig& config, int steps, const std::function<void(StepPlan&)>& change = [](StepPlan&) {}) {
    DividedTraining trained;
    trained.losses.resize(static_cast<std::size_t>(config.parallel.ranks()));
    onExecutors(
        config,
        [&](Executor& executor, Backend&) {
            const StepPlan& plan = executor.plan();
            const std::int64_t rank = config.parallel.rankOf(plan.place);
            for (int step = 0; step < steps; ++step) {
                const auto metrics = executor.runStep();
                ASSERT_TRUE(metrics.has_value()) << metrics.error().text();
                trained.losses[static_cast<std::size_t>(rank)].push_back(metrics->loss);
            }
            for (const TensorId id : checkpointTensors(plan)) {
                const Tensor& tensor = plan.tensor(id);
                std::int64_t elements = 1;
                for (const std::int64_t side : checkpointShape(plan, tensor)) elements *= side;
                std::vector<std::byte> bytes(static_cast<std::size_t>(elements * dtypeSize(tensor.dtype)));
                const auto collected = executor.tensors().collect(id, bytes);
                ASSERT_TRUE(collected.has_value()) << collected.error().text();
                if (rank == 0) trained.tensors[checkpointTensorName(plan, tensor)] = std::move(bytes);
            }
        },
        change);
    return trained;
}

std::string firstDifference(const DividedTraining& a, const DividedTraining& b) {
    for (std::size_t step = 0; step < a.losses[0].size(); ++step)
        if (std::bit_cast<std::uint64_t>(a.losses[0][step]) !=
            std::bit_cast<std::uint64_t>(b.losses[0].at(step)))
            return "the loss of step " + std::to_string(step);
    for (const auto& [name, bytes] : a.tensors)
        if (bytes != b.tensors.at(name)) return name;
    return a.tensors.size() == b.tensors.size() ? "" : "what there is";
}

/// The largest relative difference of the first rank's losses.
double lossDistance(const DividedTraining& a, const DividedTraining& b) {
    double most = 0;
    for (std::size_t step = 0; step < a.losses[0].size(); ++step)
        most = std::max(most, std::abs(a.losses[0][step] - b.losses[0].at(step)) /
                                  std::max(1e-9, std::abs(b.losses[0].at(step))));
    return most;
}

TEST(TensorParallel, StartsFromTheWeightsOfOneRankBitForBit) {
    for (const auto& [initialisation, name] : kInitialisationNames)
        for (const std::int64_t layers : {1, 2, 5}) {
            RunConfig config = fixedConfig(layers);
            config.initialisation = initialisation;
            config.precision = Precision::Bf16;  // with a master copy
            const DividedTraining alone = trainedFor(config, 0);
            for (const std::int64_t tensor : {2, 3}) {
                config.parallel.tensor = tensor;
                EXPECT_EQ(firstDifference(trainedFor(config, 0), alone), "") << name << ", " << layers;
            }
        }
}

TEST(TensorParallel, TrainsAsOneRankButForRounding) {
    for (const std::int64_t layers : {1, 2, 3, 6})
        for (const Activation activation : {Activation::None, Activation::Relu})
            for (const Optimizer optimizer : {Optimizer::Sgd, Optimizer::AdamW}) {
                RunConfig config = fixedConfig(layers, activation);
                config.optimizer = optimizer;
                const DividedTraining alone = trainedFor(config, 20);
                ASSERT_TRUE(std::isfinite(alone.losses[0].back()));
                for (const std::int64_t tensor : {2, 3, 4}) {
                    config.parallel.tensor = tensor;
                    EXPECT_LT(lossDistance(trainedFor(config, 20), alone), 1e-6)
                        << layers << " layers, tensor " << tensor;
                }
            }
}

TEST(TensorParallel, TrainsRandomConfigurationsAsOneRankButForRounding) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        RunConfig config = tensorConfig(seed, 2 + static_cast<std::int64_t>(seed % 3),
                                        1 + static_cast<std::int64_t>(seed % 5 == 0));
        config.precision = Precision::Fp32;
        config.optimizer = Optimizer::Sgd;  // others divide by small numbers, of which the rounding is most
        config.settings = {};
        config.learningRate = 1e-3;
        config.residentBatch = false;
        RunConfig one = config;
        one.parallel = {};

        const DividedTraining divided = trainedFor(config, 3), alone = trainedFor(one, 3);
        for (std::size_t step = 0; step < 3; ++step) {
            const double other = alone.losses[0][step];
            if (!std::isfinite(other)) break;
            ASSERT_NEAR(divided.losses[0][step], other, 2e-6 * std::max(1.0, std::abs(other)))
                << "seed " << seed << ", step " << step << ": " << optionsOf(config);
        }
    }
}

TEST(TensorParallel, TellsAllRanksTheSameBitsOfWhatTheyAllHave) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        const RunConfig config = tensorConfig(seed, 2 + static_cast<std::int64_t>(seed % 2),
                                              1 + static_cast<std::int64_t>(seed % 3 == 0));
        std::vector<std::vector<std::byte>> heads(static_cast<std::size_t>(config.parallel.ranks()));
        std::vector<StepMetrics> told(heads.size());
        onExecutors(config, [&](Executor& executor, Backend&) {
            const auto rank = static_cast<std::size_t>(config.parallel.rankOf(executor.plan().place));
            for (int step = 0; step < 3; ++step) told[rank] = executor.runStep().value();
            const std::int64_t last = config.matrices();
            if (splitOf(config, last) == MatrixSplit::None)
                heads[rank] = executor.tensors().weight(static_cast<std::int32_t>(last)).value().bytes;
        });
        for (std::size_t rank = 1; rank < told.size(); ++rank) {
            ASSERT_EQ(heads[rank], heads[0]) << "seed " << seed;
            ASSERT_EQ(std::bit_cast<std::uint64_t>(told[rank].loss),
                      std::bit_cast<std::uint64_t>(told[0].loss));
            ASSERT_EQ(std::bit_cast<std::uint64_t>(told[rank].gradientNorm),
                      std::bit_cast<std::uint64_t>(told[0].gradientNorm));
        }
    }
}

// Ranks that share the batch besides add what one has of several micro-batches.
TEST(TensorParallel, SharesTheBatchAsOneGroupWithAsManyMicroBatchesBitForBit) {
    for (const std::int64_t layers : {1, 4, 5})
        for (const Optimizer optimizer : {Optimizer::Sgd, Optimizer::AdamW}) {
            RunConfig config = fixedConfig(layers);
            config.optimizer = optimizer;
            config.parallel.tensor = 2;
            const DividedTraining alone = trainedFor(config, 5);  // 2 micro-batches of 12
            config.parallel.data = 2;
            EXPECT_EQ(firstDifference(trainedFor(config, 5), alone), "") << layers;
        }
}

TEST(TensorParallel, ClipsByTheNormOfAllPartsAndTellsIt) {
    for (const std::int64_t layers : {3, 4}) {
        RunConfig config = fixedConfig(layers);
        config.optimizer = Optimizer::Sgd;
        config.learningRate = 0.5;
        const auto metricsOf = [](const RunConfig& of) {
            std::vector<StepMetrics> told;
            onExecutors(of, [&](Executor& executor, Backend&) {
                for (int step = 0; step < 3; ++step) {
                    const StepMetrics done = executor.runStep().value();
                    if (executor.plan().place == Place{}) told.push_back(done);
                }
            });
            return told;
        };
        for (const double clip : {0.0, 0.05}) {
            config.clipNorm = clip;
            config.parallel.tensor = 1;
            const auto alone = metricsOf(config);
            for (const std::int64_t tensor : {2, 4}) {
                config.parallel.tensor = tensor;
                const auto divided = metricsOf(config);
                for (std::size_t step = 0; step < alone.size(); ++step) {
                    EXPECT_NEAR(divided[step].loss / alone[step].loss, 1, 1e-5);
                    EXPECT_NEAR(divided[step].gradientNorm / alone[step].gradientNorm, 1, 1e-5);
                    EXPECT_NEAR(divided[step].updateRatio / alone[step].updateRatio, 1, 1e-5);
                }
            }
        }
    }
}

TEST(TensorParallel, HoldsAndSendsWhatItsPlansSayAtEveryOpOfRandomConfigurations) {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        const bool both = seed % 4 == 3;
        const RunConfig config =
            tensorConfig(seed, both ? 2 : 2 + static_cast<std::int64_t>(seed % 3), both ? 2 : 1);
        onExecutors(config, [&](Executor& executor, Backend& backend) {
            EXPECT_EQ(differenceToPlan(executor, backend), "")
                << "seed " << seed << ", rank " << config.parallel.rankOf(executor.plan().place) << ": "
                << optionsOf(config);
        });
        if (testing::Test::HasFailure()) return;
    }
}

TEST(TensorParallel, IsNoticedWhereItsPlanIsWrong) {
    RunConfig config = fixedConfig(4);
    config.parallel.tensor = 2;
    const auto difference = [&](const std::function<void(StepPlan&)>& plant) {
        std::string found;
        onExecutors(
            config,
            [&](Executor& executor, Backend& backend) {
                const std::string own = differenceToPlan(executor, backend);
                if (executor.plan().place == Place{}) found = own;
            },
            plant);
        return found;
    };
    const auto first = [](StepPlan& plan, TensorRole role) -> Tensor& {
        return *std::ranges::find(plan.tensors, role, &Tensor::role);
    };
    EXPECT_EQ(difference([](StepPlan&) {}), "");
    EXPECT_THAT(difference([&](StepPlan& plan) { ++first(plan, TensorRole::ActivationGradient).lastOp; }),
                HasSubstr("activation_gradients: measured"));
    // A part of h as wide as all of it, and a matrix that nobody divides.
    EXPECT_THAT(difference([&](StepPlan& plan) { first(plan, TensorRole::Activation).columns *= 2; }),
                HasSubstr("activations: measured"));
    EXPECT_THAT(difference([&](StepPlan& plan) { first(plan, TensorRole::Moment1).columns *= 2; }),
                HasSubstr("optimizer_state: measured"));
    EXPECT_THAT(difference([](StepPlan& plan) {
                    for (Op& op : plan.ops)
                        if (op.lane == Lane::Traffic) op.wireBytes *= 2;
                }),
                HasSubstr("all_reduce: sent"));
    // A ReLU before the sum, and a sum that nobody makes.
    RunConfig one = config;
    one.parallel = {};
    const DividedTraining alone = trainedFor(one, 3);
    EXPECT_LT(lossDistance(trainedFor(config, 3), alone), 1e-6);
    EXPECT_GT(lossDistance(trainedFor(config, 3,
                                      [](StepPlan& plan) {
                                          for (Op& op : plan.ops)
                                              if (op.isPartial && op.phase == Phase::Forward)
                                                  op.fusedActivation = true;
                                      }),
                           alone),
              1e-4);
    for (const Phase phase : {Phase::Forward, Phase::Backward})
        EXPECT_GT(lossDistance(trainedFor(config, 3,
                                          [phase](StepPlan& plan) {
                                              for (Op& op : plan.ops)
                                                  if (op.lane == Lane::Traffic && op.phase == phase)
                                                      op.columns = 1;  // of all elements the first
                                          }),
                               alone),
                  1e-5);
}

TEST(TensorParallel, GoesOnFromWhatAnyNumberOfRanksHasSaved) {
    for (const std::int64_t layers : {3, 4}) {
        RunConfig config = smallConfig();
        config.layers = layers;
        config.microBatch = 0;
        const auto as = [&](const Parallel& parallel) {
            RunConfig of = config;
            of.parallel = parallel;
            return of;
        };
        const Parallel alone{}, two{.tensor = 2}, three{.tensor = 3}, four{.data = 2, .tensor = 2};
        const Outcome one = trainOnRanks(config, 8);
        for (const Parallel& before : {alone, two, three, four}) {
            const TemporaryFolder folder;
            const std::vector<std::uint64_t> all = trainOnRanks(as(before), 8).seen.lossBits();
            trainOnRanks(as(before), 5, folder.path());
            EXPECT_THAT(checkpointSteps(folder.path()).value(), testing::ElementsAre(3, 5));
            for (const Parallel& after : {alone, two, three, four}) {
                const Outcome rest = trainOnRanks(as(after), 8, {}, folder.path());
                if (after == before) {
                    EXPECT_EQ(rest.seen.lossBits(), std::vector(all.begin() + 5, all.end()));
                }
                ASSERT_EQ(rest.seen.points.size(), 3U);
                for (std::size_t step = 0; step < 3; ++step)
                    EXPECT_NEAR(rest.seen.points[step].loss / one.seen.points[step + 5].loss, 1, 1e-5);
                ASSERT_EQ(rest.result->weights.size(), one.result->weights.size());
                for (std::size_t i = 0; i < rest.result->weights.size(); ++i) {
                    const LearnedMatrix &ours = rest.result->weights[i], &other = one.result->weights[i];
                    ASSERT_EQ(ours.values.size(), other.values.size());
                    EXPECT_EQ(ours.columns, other.columns);
                    for (std::size_t at = 0; at < ours.values.size(); ++at)
                        ASSERT_NEAR(ours.values[at], other.values[at], 1e-4);
                }
            }
        }
    }
}

TEST(TensorParallel, MeasuresTheLossOfWhatIsHeldOut) {
    RunConfig config = smallConfig();
    config.microBatch = 0;
    config.holdOut = 0.3;
    std::vector<float> x, t;
    for (int i = 0; i < 40 * 12; ++i) x.push_back(static_cast<float>(i * 37 % 101) / 50 - 1);
    for (int i = 0; i < 40 * 2; ++i) t.push_back(static_cast<float>(i * 13 % 17) / 10);
    config.data = test::writeNpy("tx.npy", 40, 12, x);
    config.targets = test::writeNpy("tt.npy", 40, 2, t);
    for (const std::int64_t layers : {1, 2}) {
        config.layers = layers;
        config.parallel = {};
        const auto alone = trainOnRanks(config, 9).result->series.holdOut;
        ASSERT_GT(alone.size(), 1U);
        for (const Parallel& parallel : {Parallel{.tensor = 2}, Parallel{.data = 2, .tensor = 2}}) {
            config.parallel = parallel;
            const auto divided = trainOnRanks(config, 9).result->series.holdOut;
            ASSERT_EQ(divided.size(), alone.size());
            for (std::size_t i = 0; i < alone.size(); ++i)
                EXPECT_NEAR(divided[i].loss / alone[i].loss, 1, 1e-5);
        }
    }
}

TEST(TensorParallel, HasStatisticsOfWhatIsWholeAndOfTheFirstRanksParts) {
    for (const Activation activation : {Activation::None, Activation::Relu}) {
        RunConfig config = fixedConfig(4, activation);
        const auto statistics = [&](std::int64_t tensor) {
            config.parallel.tensor = tensor;
            LayerStatistics first;
            onExecutors(config, [&](Executor& executor, Backend&) {
                executor.statistics().setOn(true);
                ASSERT_TRUE(executor.runStep().has_value());
                if (executor.plan().place.tensor == 0) first = executor.statistics().read().value();
            });
            return first;
        };
        const LayerStatistics alone = statistics(1), divided = statistics(2);
        ASSERT_EQ(divided.tensors.size(), alone.tensors.size());
        for (std::size_t i = 0; i < alone.tensors.size(); ++i) {
            const TensorStatistics &one = alone.tensors[i], &part = divided.tensors[i];
            const bool isMatrix = one.role == TensorRole::Weight || one.role == TensorRole::Gradient;
            const bool isWhole = isMatrix ? one.layer == 5 : one.layer % 2 == 0 || one.layer == 5;
            EXPECT_NEAR(*part.rootMeanSquare / *one.rootMeanSquare, 1, isWhole ? 1e-5 : 0.5)
                << statisticsRoleName(one.role) << " " << one.layer;
            if (isWhole) {
                EXPECT_NEAR(*part.amax / *one.amax, 1, 1e-5);
            }
        }
    }
}

TEST(TensorParallel, LooksAtSumsWhenTheyAreWholeAndAtTheWeightsOfOneRankNowhere) {
    for (const Activation activation : {Activation::None, Activation::Relu}) {
        RunConfig config = fixedConfig(4, activation);
        config.microBatch = 0;
        const auto watched = [&](std::int64_t tensor, TensorRole role, std::int32_t layer) {
            config.parallel.tensor = tensor;
            std::vector<float> values;
            onExecutors(config, [&](Executor& executor, Backend&) {
                ASSERT_TRUE(executor.watch().begin(role, layer).has_value());
                ASSERT_TRUE(executor.runStep().has_value());
                const auto copy = executor.watch().take();
                ASSERT_TRUE(copy);
                if (executor.plan().place == Place{}) values = decodeValues(copy->tensor.dtype, copy->bytes);
            });
            return values;
        };
        for (const TensorRole role : {TensorRole::Activation, TensorRole::ActivationGradient}) {
            const std::vector<float> alone = watched(1, role, 2), divided = watched(2, role, 2);
            ASSERT_EQ(alone.size(), divided.size());
            for (std::size_t i = 0; i < alone.size(); ++i) EXPECT_NEAR(divided[i], alone[i], 1e-6);
            EXPECT_EQ(watched(2, role, 1).size(), alone.size() / 2);
        }
    }
    RunConfig config = fixedConfig(2);
    config.parallel.tensor = 2;
    onExecutors(config, [&](Executor& executor, Backend&) {
        const auto weight = executor.tensors().weight(1);
        ASSERT_FALSE(weight.has_value());
        EXPECT_EQ(weight.error().text(),
                  "a rank has a part of each weight alone while it trains (tensor 2): look at them when the "
                  "training has ended, or train with tensor 1");
        EXPECT_TRUE(executor.tensors().weight(3).has_value()) << "the head is on every rank";
    });
}

}  // namespace
}  // namespace plumb
