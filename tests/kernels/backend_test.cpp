// SPDX-License-Identifier: Apache-2.0
#include "core/engine/capabilities.h"
#include "tests/kernels/step_harness.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <cstdint>

namespace plumb {
namespace {

using test::ReferenceModel;
using test::StepHarness;

RunConfig smallConfig() {
    return RunConfig{
        .dim = 7, .layers = 3, .outputs = 2, .activation = Activation::Relu, .batch = 6, .seed = 5};
}

ReferenceModel modelOf(const StepHarness& harness) {
    const RunConfig& config = harness.plan.config;
    ReferenceModel model{
        config.dim, config.layers, config.outputWidth(), config.activation == Activation::Relu,
        {},         config.head};
    for (std::int32_t layer = 1; layer <= config.matrices(); ++layer)
        model.weights.push_back(harness.values(harness.find(TensorRole::Weight, layer)));
    return model;
}

/// Loss and every gradient of one step against finite differences of the model in double precision.
void checkGradients(const RunConfig& config, const CpuBackendOptions& options) {
    StepHarness harness(config, options);
    harness.runPasses();
    ReferenceModel model = modelOf(harness);
    // All micro-batches of the step, in order; the harness holds only the last one, so load each again.
    std::vector<double> x, t;
    for (std::int64_t micro = 0; micro < config.microBatches(); ++micro) {
        ASSERT_TRUE(harness.runOp(0, micro).has_value());
        for (const TensorRole role : {TensorRole::Features, TensorRole::Targets}) {
            std::size_t id = 0;  // of pass 0, which op 0 writes
            while (harness.plan.tensors[id].role != role) ++id;
            const auto values = harness.values(id);
            auto& all = role == TensorRole::Features ? x : t;
            all.insert(all.end(), values.begin(), values.end());
        }
    }
    const bool bf16 = config.precision == Precision::Bf16;
    const double loss = model.loss(x, t);
    // fp32: sums of some 50 terms. bf16: three layers of roundings of 2^-9 each, also where a ReLU is near 0.
    EXPECT_NEAR(harness.loss(), loss, (bf16 ? 0.05 : 1e-5) * (1 + loss));
    for (std::int32_t layer = 1; layer <= config.matrices(); ++layer) {
        const auto gradient = harness.values(harness.find(TensorRole::Gradient, layer));
        auto& weight = model.weights[static_cast<std::size_t>(layer - 1)];
        double largest = 0;
        for (const double value : gradient) largest = std::max(largest, std::abs(value));
        for (std::size_t i = 0; i < weight.size(); ++i) {
            constexpr double kStep = 1e-6;
            const double centre = weight[i];
            weight[i] = centre + kStep;
            const double above = model.loss(x, t);
            weight[i] = centre - kStep;
            const double below = model.loss(x, t);
            weight[i] = centre;
            ASSERT_NEAR(gradient[i], (above - below) / (2 * kStep), (bf16 ? 0.1 : 2e-4) * (largest + 0.1))
                << "layer " << layer << " element " << i;
        }
    }
}

TEST(CpuBackend, GradientsOfTheHeadAloneAndOfTheChainAloneAreThoseOfFiniteDifferences) {
    for (const Precision precision : {Precision::Fp32, Precision::Bf16})
        for (const Activation activation : {Activation::None, Activation::Relu})
            for (const std::int64_t layers : {0, 1, 3})
                for (const std::int64_t microBatch : {6, 2}) {
                    SCOPED_TRACE(testing::Message() << name(precision) << " " << name(activation) << ", "
                                                    << layers << " layers, b " << microBatch);
                    RunConfig config = smallConfig();
                    config.precision = precision;
                    config.activation = activation;
                    config.layers = layers;
                    config.head = layers == 0;
                    config.microBatch = microBatch;
                    checkGradients(config, {});
                }
}

TEST(CpuBackend, GradientsAreThoseOfFiniteDifferences) {
    for (const Activation activation : {Activation::None, Activation::Relu})
        for (const std::int64_t microBatch : {6, 2}) {
            SCOPED_TRACE(testing::Message()
                         << "activation " << static_cast<int>(activation) << " b " << microBatch);
            RunConfig config = smallConfig();
            config.activation = activation;
            config.microBatch = microBatch;
            checkGradients(config, {});
        }
}

TEST(CpuBackend, GradientsOfBf16AreNearThem) {
    for (const std::int64_t microBatch : {6, 3}) {
        RunConfig config = smallConfig();
        config.precision = Precision::Bf16;
        config.microBatch = microBatch;
        config.activation = Activation::None;
        checkGradients(config, {});
    }
}

TEST(CpuBackend, EveryInstructionSetGivesTheSameGradients) {
    for (const auto set :
         {cpu::InstructionSet::Baseline, cpu::InstructionSet::Avx2, cpu::InstructionSet::Avx512}) {
        if (cpu::kernelsFor(set) == nullptr) continue;
        CpuBackendOptions options;
        options.instructionSet = set;
        checkGradients(smallConfig(), options);
    }
}

TEST(CpuBackend, RecomputedActivationsGiveTheSameBits) {
    for (const Precision precision : {Precision::Fp32, Precision::Bf16}) {
        RunConfig config = smallConfig();
        config.precision = precision;
        config.layers = 5;
        StepHarness kept(config, {});
        const double loss = kept.runStep();
        for (const auto policy : {RecomputePolicy{RecomputePolicy::Kind::None, 1},
                                  RecomputePolicy{RecomputePolicy::Kind::Every, 2}}) {
            config.recompute = policy;
            StepHarness recomputed(config, {});
            EXPECT_EQ(recomputed.runStep(), loss);
            for (std::int32_t layer = 1; layer <= 6; ++layer)
                EXPECT_EQ(recomputed.values(recomputed.find(TensorRole::Weight, layer)),
                          kept.values(kept.find(TensorRole::Weight, layer)));
        }
    }
}

TEST(CpuBackend, TwoRunsGiveTheSameBits) {
    RunConfig config;
    config.dim = 160;
    config.batch = 256;  // enough for two threads
    config.layers = 2;
    config.outputs = 3;
    config.activation = Activation::Relu;
    CpuBackendOptions options;
    options.threads = 2;
    std::vector<double> first;
    for (int run = 0; run < 2; ++run) {
        StepHarness harness(config, options);
        std::vector<double> losses;
        losses.reserve(4);
        for (int step = 0; step < 4; ++step) losses.push_back(harness.runStep());
        if (first.empty()) first = losses;
        EXPECT_EQ(losses, first);
    }
}

TEST(CpuBackend, OneAndTwoThreadsAgree) {
    RunConfig config;
    config.dim = 160;
    config.batch = 256;  // enough for two
    config.layers = 2;
    std::vector<double> losses;
    for (const int threads : {1, 2}) {
        CpuBackendOptions options;
        options.threads = threads;
        StepHarness harness(config, options);
        double loss = 0;
        for (int step = 0; step < 4; ++step) loss = harness.runStep();
        losses.push_back(loss);
    }
    EXPECT_NEAR(losses[0], losses[1], 1e-5 * losses[0]);
}

TEST(CpuBackend, LossFallsToTheNoiseFloor) {
    for (const Precision precision : {Precision::Fp32, Precision::Bf16}) {
        const RunConfig config{
            .dim = 16, .layers = 2, .batch = 64, .precision = precision, .learningRate = 3e-3, .noise = 0.1};
        StepHarness harness(config, {});
        const double first = harness.runStep();
        double late = 0;
        for (int step = 1; step < 800; ++step) {
            const double loss = harness.runStep();
            if (step >= 700) late += loss / 100;
        }
        EXPECT_GT(first, 0.3);
        EXPECT_GT(late, 0.8 * 0.01);
        // bf16 rounds the activations and the weights: about 2^-9 of a signal of variance 1, in four places.
        EXPECT_LT(late, (precision == Precision::Fp32 ? 1.2 : 2.0) * 0.01);
    }
}

TEST(CpuBackend, CountsScratchWhileAnOpRunsAndNoneAfter) {
    RunConfig config = smallConfig();
    config.precision = Precision::Bf16;
    StepHarness harness(config, {});
    const Category slot = Category::Workspace;
    for (std::size_t index = 0; index < harness.plan.ops.size(); ++index) {
        const Bytes before = harness.backend->allocationCount().live[slot];
        harness.backend->resetHighWater();
        ASSERT_TRUE(harness.runOp(static_cast<std::int32_t>(index)).has_value());
        Bytes planned = 0;
        for (const TensorRange& range : harness.plan.ops[index].scratch)
            for (std::int32_t i = 0; i < range.count; ++i)
                planned += harness.plan.tensor(range.first + i).bytes();
        EXPECT_EQ(harness.backend->allocationCount().highWater[slot] - before, planned)
            << opName(harness.plan, harness.plan.ops[index]);
        EXPECT_EQ(harness.backend->allocationCount().live[slot], before);
    }
}

TEST(CpuBackend, RefusesAPlanForOtherTraits) {
    const auto backend = makeCpuBackend();
    ASSERT_TRUE(backend.has_value());
    for (int change = 0; change < 3; ++change) {
        BackendTraits traits = (*backend)->traits();
        if (change == 0) traits.libraryScratchBytes += 4;
        if (change == 1) traits.castsProducts = false;
        if (change == 2) traits.backend = "cuda";
        const auto plan = planStep(smallConfig(), traits);
        ASSERT_TRUE(plan.has_value());
        const auto prepared = (*backend)->prepare(*plan);
        ASSERT_FALSE(prepared.has_value());
        EXPECT_EQ(prepared.error().code, ErrorCode::BadInput);
    }
}

TEST(CpuBackend, RunsAPlanForAnyProcessorWhateverItMultipliesItself) {
    const auto backend = makeCpuBackend();
    ASSERT_TRUE(backend.has_value());
    EXPECT_EQ((*backend)->traits(), localCpuTraits());
    for (const bool multiplies : {false, true}) {
        BackendTraits traits = cpuTraits();
        traits.multipliesBf16 = multiplies;
        const auto plan = planStep(smallConfig(), traits);
        ASSERT_TRUE(plan.has_value());
        EXPECT_TRUE((*backend)->prepare(*plan).has_value()) << multiplies;
    }
}

TEST(CpuBackend, RefusesAPlanWhoseOpLacksATensor) {
    const auto backend = makeCpuBackend();
    ASSERT_TRUE(backend.has_value());
    auto plan = planStep(smallConfig(), (*backend)->traits());
    ASSERT_TRUE(plan.has_value());
    for (Op& op : plan->ops)
        if (op.kind == OpKind::InputGradient) op.reads[1] = {};
    const auto prepared = (*backend)->prepare(*plan);
    ASSERT_FALSE(prepared.has_value());
    EXPECT_EQ(prepared.error().code, ErrorCode::Internal);
    EXPECT_NE(prepared.error().message.find("does not name"), std::string::npos) << prepared.error().text();
}

TEST(CpuBackend, NamesTheOpAndTheTensorThatIsNotResidentOrTooSmall) {
    StepHarness harness(smallConfig(), {});
    std::size_t op = 0;
    while (harness.plan.ops[op].kind != OpKind::HeadForward) ++op;
    const std::size_t id = harness.find(TensorRole::HeadOutput);
    const Buffer y = harness.buffers[id];
    for (const Buffer& wrong : {Buffer{}, Buffer{y.data, y.bytes - 1, y.category}}) {
        harness.buffers[id] = wrong;
        const auto ran = harness.runOp(static_cast<std::int32_t>(op));
        ASSERT_FALSE(ran.has_value());
        EXPECT_EQ(ran.error().code, ErrorCode::Internal);
        EXPECT_NE(ran.error().message.find(tensorName(harness.plan, harness.plan.tensors[id])),
                  std::string::npos)
            << ran.error().text();
        EXPECT_NE(ran.error().message.find(opName(harness.plan, harness.plan.ops[op])), std::string::npos);
    }
    harness.buffers[id] = y;
}

TEST(CpuBackend, TensorsHaveThePlannedSizesByTheBackendsOwnCount) {
    for (const Precision precision : {Precision::Fp32, Precision::Bf16})
        for (const bool master : {false, true})
            for (const Optimizer optimizer : {Optimizer::Sgd, Optimizer::Adagrad, Optimizer::AdamW}) {
                RunConfig config = smallConfig();
                config.precision = precision;
                config.masterWeights = master;
                config.optimizer = optimizer;
                config.microBatch = 3;
                StepHarness harness(config, {});
                for (std::size_t id = 0; id < harness.buffers.size(); ++id) {
                    if (test::isScratch(harness.plan.tensors[id])) continue;
                    EXPECT_EQ(harness.buffers[id].bytes, harness.plan.tensors[id].bytes())
                        << tensorName(harness.plan, harness.plan.tensors[id]);
                }
            }
}

TEST(CpuBackend, RefusesWhatDoesNotFitInMemory) {
    CpuBackendOptions options;
    options.memoryLimit = 1000;
    const auto backend = makeCpuBackend(options);
    ASSERT_TRUE(backend.has_value());
    RunConfig config;
    const auto plan = planStep(config, (*backend)->traits());
    ASSERT_TRUE(plan.has_value());
    ASSERT_TRUE((*backend)->prepare(*plan).has_value());
    const auto buffer = (*backend)->allocate(plan->tensors[0]);
    ASSERT_FALSE(buffer.has_value());
    EXPECT_EQ(buffer.error().code, ErrorCode::OutOfMemory);
}

TEST(CpuBackend, RefusesAnImpossibleNumberOfThreads) {
    EXPECT_EQ(makeCpuBackend(-1).error().code, ErrorCode::BadInput);
    EXPECT_EQ(makeCpuBackend(100000).error().code, ErrorCode::BadInput);
}

TEST(CpuBackend, WakesNoThreadForTheRowsOfASmallBatch) {
    constexpr std::int64_t kCost = 129;  // of a row of 64 features and a target: see StagedBatches::gather()
    const auto backend = makeCpuBackend(2);
    ASSERT_TRUE(backend.has_value());
    const auto partsOf = [&](std::int64_t rows) {
        std::atomic<int> parts = 0;
        std::atomic<std::int64_t> done = 0;
        (*backend)->capabilities().hostCores->onHostCores(rows, kCost,
                                                          [&](std::int64_t begin, std::int64_t end) {
                                                              ++parts;
                                                              done += end - begin;
                                                          });
        EXPECT_EQ(done, rows);
        return parts.load();
    };
    EXPECT_EQ(partsOf(256), 1);
    EXPECT_EQ(partsOf(4096), 2);
}

TEST(CpuBackend, AsksForAPlanFirst) {
    const auto backend = makeCpuBackend(1);
    ASSERT_TRUE(backend.has_value());
    EXPECT_EQ((*backend)->allocate(Tensor{}).error().code, ErrorCode::Internal);
    EXPECT_EQ((*backend)->run(OpCall{}).error().code, ErrorCode::Internal);
}

}  // namespace
}  // namespace plumb
