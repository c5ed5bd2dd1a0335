// SPDX-License-Identifier: Apache-2.0
// What frameworks keep beside the formulas of the papers: torchtitan (github.com/pytorch/torchtitan, revision
// 9dec370), PyTorch's FSDP and loss_parallel, Megatron-Core and Transformer Engine.
#include "core/machine/hardware_database.h"
#include "core/planner/evidence.h"
#include "core/planner/frameworks.h"
#include "core/planner/inputs.h"
#include "core/planner/memory.h"
#include "core/planner/priors.h"
#include "core/planner/step_time.h"
#include "core/planner/validation.h"
#include "core/planner/verdict.h"
#include "core/planner/work.h"
#include "tests/core/planner/scenarios.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace plumb::planner {
namespace {

/// Bytes of the part that begins so, of the fullest stage; 0 without one.
double partOf(const Scenario& s, std::string_view begin) {
    const auto memory = memoryPerDevice(s);
    EXPECT_TRUE(memory.has_value()) << memory.error().text();
    for (const MemoryPart& part : memory->worst().parts)
        if (part.label.starts_with(begin)) return part.bytes;
    return 0;
}

double layerBytes(const Recipe& recipe, Software software, std::string_view model = "llama-3-8b") {
    const ModelSpec spec = *findModel(model);
    return activationBytesPerLayer(*spec.transformer(), recipe, ParallelLayout{}, 1, false, software);
}

/// torchtitan keeps the input of a layer, what every second product made (queries, values, gate, result) and
/// what attention made: 2 h + q + v + o + f elements and a number of each head.
TEST(FrameworkMemory, OfEverySecondProductIsTorchtitansList) {
    Recipe recipe;
    recipe.recompute = Recompute::Alternate;
    const double h = 4096, kv = 1024, f = 14336;
    for (const Software software : {Software::Eager, Software::Compiled})
        EXPECT_DOUBLE_EQ(layerBytes(recipe, software), 2 * (2 * h + h + kv + h + f) + 4 * 32);
    // Keys, output and up run again: h (kv + h + f) of the layer's products.
    const ModelSpec model = *findModel("llama-3-8b");
    const Transformer& m = *model.transformer();
    const Recipe none;
    EXPECT_DOUBLE_EQ(workPerToken(m, recipe, 8192).recomputed - workPerToken(m, none, 8192).recomputed,
                     32 * 2 * h * (kv + h + f));
}

/// The step does again what the count of work says, product for product.
TEST(FrameworkMemory, OfEverySecondProductIsWhatTheStepDoesAgain) {
    for (const char* model : {"llama-3-8b", "gpt2-xl"}) {
        Scenario s = scenarioOf(model, 8);
        const Work none = workPerToken(s).value();
        s.recipe.recompute = Recompute::Alternate;
        const auto time = stepTime(s);
        ASSERT_TRUE(time.has_value()) << time.error().text();
        double again = 0;
        for (const TimedOp& op : time->ops)
            if (op.product && op.label.ends_with(", again")) again += op.flops;
        const double perToken = workPerToken(s)->recomputed - none.recomputed;
        EXPECT_NEAR(again, perToken * time->tokens / 8, 1e-9 * again) << model;
    }
}

/// What is not spread between micro-batches is not gathered for each either.
TEST(FrameworkMemory, OfShardedWeightsInAPipelineTravelsOnceAStep) {
    Scenario s = scenarioOf("llama-3-70b", 64);
    s.parallel.pipeline = 4;
    const auto bytes = [&](Sharding sharding) {
        s.parallel.sharding = sharding;
        return std::ranges::find(stepTime(s)->traffic, "data", &StepTraffic::axis)->bytes;
    };
    EXPECT_EQ(bytes(Sharding::Weights), bytes(Sharding::State));
    s.parallel.pipeline = 1;
    EXPECT_GT(bytes(Sharding::Weights), bytes(Sharding::State));
}

/// An eager block with a gate keeps four tensors of the inner width, one fused by hand three, a compiled one
/// two and no normed input.
TEST(FrameworkMemory, OfAGatedBlockGoesByTheSoftware) {
    const double h = 4096, f = 14336;
    const Recipe recipe;
    EXPECT_DOUBLE_EQ(layerBytes(recipe, Software::Eager) - layerBytes(recipe, Software::Fused), 2 * f);
    EXPECT_DOUBLE_EQ(layerBytes(recipe, Software::Eager) - layerBytes(recipe, Software::Compiled),
                     2 * (2 * f + 2 * h));
    EXPECT_DOUBLE_EQ(layerBytes(recipe, Software::Xla), layerBytes(recipe, Software::Eager));
}

/// log_softmax, its gradient and the gradient of the logits in fp32; with loss_parallel of
/// torch.distributed a sum of two beside them; compiled, 16-bit logits and gradient.
TEST(FrameworkMemory, OfALossIsWhatItsKernelHasAtOnce) {
    Scenario s = scenarioOf("llama-3-8b", 8);
    s.workload.sequence = 8192;
    s.recipe.recompute = Recompute::Full;
    const double logits = 8192 * 128256.0, block = 2 * 8192 * 4096.0;
    s.software = Software::Eager;
    EXPECT_DOUBLE_EQ(partOf(s, "logits"), 12 * logits + 2 * block);
    EXPECT_EQ(bytesOfLogits(LossKernel::Plain, 8).expected, 16);
    s.parallel.microBatch = 16;
    s.software = Software::Compiled;
    EXPECT_DOUBLE_EQ(partOf(s, "logits"), 16 * (4 * logits + 2 * block));
    s.software = Software::Eager;
    ASSERT_TRUE(setInput(s, Input::LossChunks, 4).has_value());
    EXPECT_DOUBLE_EQ(partOf(s, "logits"), 16 * (12 * logits / 4 + 2 * block));
}

/// FSDP with a pipeline does not spread again between micro-batches (reshard_after_forward is off), and sums
/// gradients in fp32.
TEST(FrameworkMemory, OfShardedWeightsInAPipelineIsTheWholeStage) {
    Scenario s = scenarioOf("llama-3-70b", 64);
    s.parallel.pipeline = 4;
    const auto stages = stagesOf(*s.model.transformer(), s.parallel);
    const auto memory = memoryPerDevice(s);
    ASSERT_TRUE(memory.has_value()) << memory.error().text();
    const double parameters = stages[memory->fullest].denseParameters;
    EXPECT_DOUBLE_EQ(partOf(s, "gathered weights of the stage"), 2 * parameters);
    EXPECT_DOUBLE_EQ(partOf(s, "sums of gradients"), 4 * parameters);
    s.parallel.pipeline = 1;
    EXPECT_EQ(partOf(s, "gathered weights of the stage"), 0);
    const Stage whole = stagesOf(*s.model.transformer(), s.parallel).front();
    EXPECT_DOUBLE_EQ(partOf(s, "gathered weights of 2 layers"), 2 * 2 * whole.largestLayer);
    EXPECT_DOUBLE_EQ(partOf(s, "gathered embedding and head"), 2 * whole.outside);
    EXPECT_DOUBLE_EQ(whole.outside, 2 * 128256.0 * 8192 + 8192);
}

/// 126 layers fill 64 chunks with embedding and head counted as a layer each (MLPerf's 405B): 15, 16,
/// ..., 15.
TEST(FrameworkMemory, OfInterleavedStagesCountsTheShortChunk) {
    ParallelLayout layout;
    layout.pipeline = 8;
    layout.chunks = 8;
    const auto stages = stagesOf(*findModel("llama-3.1-405b")->transformer(), layout);
    ASSERT_EQ(stages.size(), 3U);
    EXPECT_EQ(stages[0].layers(), 15);
    EXPECT_EQ(stages[1].layers(), 16);
    EXPECT_EQ(stages[2].layers(), 15);
    // 2·7 + 7·8 + 1 forward passes of two layers, 15 of them of the chunk that has one.
    EXPECT_EQ(layersInFlight(layout, 1000, stages[0]), 71 * 2 - 15);
    EXPECT_EQ(layersInFlight(layout, 1000, stages[1]), 69 * 2);
    EXPECT_EQ(layersInFlight(layout, 1000, stages[2]), 57 * 2 - 8 + 7);
}

/// Weights in fp8 lie there a second time, transposed, on devices whose products take one order alone.
TEST(FrameworkMemory, OfFp8WeightsHasATransposedCopyBeforeBlackwell) {
    Scenario s = scenarioOf("llama-3-8b", 8);
    s.parallel.sharding = Sharding::State;
    ASSERT_TRUE(chooseRecipe(s, "fp8-weights-adamw").has_value());
    EXPECT_NEAR(partOf(s, "transposed"), s.model.parameters(), 1);
    s.cluster.device = HardwareDatabase::builtIn().find("B200").value();
    EXPECT_EQ(partOf(s, "transposed"), 0);
    EXPECT_NEAR(partOf(s, "weights"), s.model.parameters(), 1);
}

TEST(FrameworkMemory, RefusesToDropScoresThatAFusedKernelHasNot) {
    Scenario s = scenarioOf("llama-3-8b", 8);
    s.recipe.recompute = Recompute::Selective;
    const auto refused = memoryPerDevice(s);
    ASSERT_FALSE(refused.has_value());
    EXPECT_NE(refused.error().text().find("--recompute selective"), std::string::npos)
        << refused.error().text();
    EXPECT_NE(refused.error().text().find("--recompute none"), std::string::npos) << refused.error().text();
    EXPECT_FALSE(stepTime(s).has_value());
    s.recipe.fusedAttention = false;
    EXPECT_TRUE(memoryPerDevice(s).has_value());
}

TEST(FrameworkMemory, OfAnAllocatorLeavesOutWhatItDoesNotKnow) {
    const Scenario s = scenarioOf("llama-3-8b", 8);
    const auto bytes = [&](const char* kind) {
        return *evaluate(Output::MemoryPerDevice, asMemoryKind(s, kind));
    };
    const double fragmentation = *numberOf(s, Input::Fragmentation);
    EXPECT_NEAR(bytes("reserved"), (1 + fragmentation) * bytes("allocated"), 1);
    EXPECT_NEAR(bytes("device"),
                bytes("reserved") + *numberOf(s, Input::DeviceOverhead) + *numberOf(s, Input::BufferBytes),
                1);
}

/// The goal, on sources that nothing was fitted on; what is not told is said, and what ran is said to fit.
TEST(FrameworkMemory, OfPublishedTrainingsIsNear) {
    const auto& evidence = *Evidence::builtIn();
    const auto rows = validateAgainst(evidence, [&](const PublishedTraining& row) {
        return !evidence.sources[row.source].fits && row.memoryBytes.has_value();
    });
    const auto every = [](const ValidatedRow&) { return true; };
    const ErrorSummary found = summarise(rows, Figure::Memory, every);
    EXPECT_GE(found.rows, 30);
    EXPECT_LT(found.median, 0.07);
    EXPECT_LT(found.ninetieth, 0.2);
    for (const ValidatedRow& row : rows) {
        EXPECT_TRUE(row.memory.has_value() != !row.memoryProblem.empty()) << row.row->id;
        EXPECT_TRUE(row.fits.value_or(true)) << row.row->id;
    }
}

TEST(Frameworks, AreChoicesThatEachCanBeMadeAlone) {
    for (const Framework& each : frameworks()) {
        Scenario s = scenarioOf("llama-3-8b", 64);
        ASSERT_TRUE(chooseFramework(s, each.key).has_value()) << each.key;
        EXPECT_FALSE(each.source.empty());
        EXPECT_EQ(s.software, each.software);
        EXPECT_EQ(s.recipe.recompute, each.recompute);
        EXPECT_EQ(s.parallel.shardGroup, each.shardsInNode ? 8 : 0);
        EXPECT_EQ(numberOf(s, Input::LogitBytes).value(), bytesOfLogits(each.loss, 1).expected) << each.key;
        EXPECT_TRUE(memoryPerDevice(s).has_value()) << each.key;
    }
    // The estimate of Megatron-LM: 6 + 12/d bytes a parameter, d = 64.
    Scenario s = scenarioOf("llama-3-8b", 64);
    ASSERT_TRUE(chooseFramework(s, "megatron-lm").has_value());
    const auto memory = memoryPerDevice(s);
    double model = 0;
    for (const MemoryPart& part : memory->worst().parts)
        if (part.category <= Category::Gradients) model += part.bytes;
    EXPECT_NEAR(model, (6 + 12.0 / 64) * s.model.parameters(), 1);
    const auto refused = chooseFramework(s, "torchtitans");
    ASSERT_FALSE(refused.has_value());
    EXPECT_NE(refused.error().hint.find("torchtitan"), std::string::npos);
}

/// Lines that ran out of memory in BLOOM's chronicles (github.com/bigscience-workshop/bigscience,
/// the prequel, revision 9e64edec, lines 793, 806, 807, 917, 918): 384 A100 of 80 GB, GPT of 2048
/// tokens and 250 880 words, every layer recomputed, ZeRO 1. From "Rebalancing layers" on, gradients are
/// summed in fp32 on each device.
struct OutOfMemory {
    std::int64_t layers;
    std::int64_t hidden;
    std::int64_t tensor;
    std::int64_t pipeline;
    std::int64_t microBatch;
    std::string_view recipe;
};
constexpr OutOfMemory kOutOfMemory[]{{72, 14336, 8, 1, 1, "fp16-adamw"},
                                     {72, 14336, 2, 6, 2, "fp16-adamw"},
                                     {72, 14336, 2, 6, 1, "fp16-adamw"},
                                     {100, 12288, 4, 6, 2, "mixed-adamw-accumulate"},
                                     {100, 12288, 4, 6, 1, "mixed-adamw-accumulate"}};

Scenario contenderOf(const OutOfMemory& line) {
    Scenario s = withDevice("A100 SXM4 80", 384);
    Transformer m = *findModel("gpt3-175b")->transformer();
    m.layers = line.layers;
    m.hidden = line.hidden;
    m.heads = 64;
    m.keyValueHeads = 64;
    m.headWidth = line.hidden / 64;
    m.inner = 4 * line.hidden;
    m.vocabulary = 250880;
    s.model = {"BLOOM's contender", "chronicles", m};
    s.software = Software::Fused;
    EXPECT_TRUE(chooseRecipe(s, line.recipe).has_value());
    s.recipe.recompute = Recompute::Full;
    s.recipe.fusedAttention = false;
    s.parallel.sharding = Sharding::State;
    s.parallel.sequence = false;
    s.parallel.tensor = line.tensor;
    s.parallel.pipeline = line.pipeline;
    s.parallel.microBatch = line.microBatch;
    return s;
}

TEST(FrameworkMemory, OfWhatRanOutOfMemoryDoesNotFit) {
    for (const OutOfMemory& line : kOutOfMemory) {
        const auto verdict = verdictOf(contenderOf(line));
        ASSERT_TRUE(verdict.has_value()) << verdict.error().text();
        EXPECT_FALSE(verdict->fits()) << line.hidden << " " << line.tensor << " " << line.pipeline << " "
                                      << verdict->needed.expected / 1e9;
    }
}

}  // namespace
}  // namespace plumb::planner
