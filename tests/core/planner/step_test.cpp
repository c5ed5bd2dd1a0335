// SPDX-License-Identifier: Apache-2.0
#include "core/machine/hardware_database.h"
#include "core/planner/answer.h"
#include "core/planner/attention_time.h"
#include "core/planner/links.h"
#include "core/planner/op_work.h"
#include "core/planner/published_mfu.h"
#include "core/planner/step_ceiling.h"
#include "core/planner/step_time.h"
#include "core/planner/traffic.h"
#include "core/planner/work.h"
#include "tests/core/planner/scenarios.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace plumb::planner {
namespace {

StepTime stepOf(const Scenario& s) {
    auto time = stepTime(s);
    EXPECT_TRUE(time.has_value()) << time.error().text();
    return time.has_value() ? std::move(time).value() : StepTime{};
}

const StepTraffic* axisOf(const StepTime& time, std::string_view axis) {
    for (const StepTraffic& traffic : time.traffic)
        if (traffic.axis == axis) return &traffic;
    return nullptr;
}

TEST(StepTime, IsTheSumOfItsParts) {
    for (const char* model : {"gpt2-xl", "llama-3-70b", "mixtral-8x22b", "deepseek-v3"}) {
        Scenario s = scenarioOf(model, 256);
        s.parallel.pipeline = 2;
        s.recipe.recompute = Recompute::Full;
        const StepTime time = stepOf(s);
        double ops = 0, exposed = 0, hidden = 0;
        for (const TimedOp& op : time.ops) {
            EXPECT_GT(op.seconds, 0) << op.label;
            ops += op.seconds;
        }
        for (const StepTraffic& traffic : time.traffic) {
            EXPECT_GE(traffic.exposed, 0) << traffic.axis;
            EXPECT_LE(traffic.exposed, traffic.seconds) << traffic.axis;
            exposed += traffic.exposed;
            hidden += traffic.seconds - traffic.exposed;
        }
        // What hides behind computation slows it down.
        const double communication = exposed + *numberOf(s, Input::Contention) * hidden;
        EXPECT_NEAR(ops, time.compute + time.recomputed + time.update, 1e-9 * ops);
        EXPECT_NEAR(communication, time.communication, 1e-9 * exposed);
        const double busy = ops + communication + time.bubble;
        // 32 nodes are five doublings.
        EXPECT_NEAR(time.waiting, 5 * *numberOf(s, Input::Straggling) * busy, 1e-9 * busy);
        EXPECT_NEAR(time.total(), busy + time.waiting, 1e-9 * time.total());
        EXPECT_GT(time.recomputed, 0);
        EXPECT_GT(time.bubble, 0);
        EXPECT_GT(time.mfu, 0.01);
        EXPECT_LT(time.mfu, 1);
        EXPECT_GT(time.hfu, time.mfu);
    }
}

/// The products of the op list against the FLOPs that workPerToken() counts on its own.
TEST(StepTime, DoesTheFlopsThatTheModelHas) {
    for (const char* model : {"gpt2", "llama-3-8b", "qwen3-30b-a3b", "deepseek-v3"}) {
        Scenario s = scenarioOf(model, 1);
        ASSERT_TRUE(setInput(s, Input::ExpertImbalance, 1.0).has_value());
        for (const bool fused : {false, true}) {
            s.recipe.fusedAttention = fused;
            const StepTime time = stepOf(s);
            double products = 0;
            for (const TimedOp& op : time.ops) {
                if (op.product) products += op.flops;
            }
            EXPECT_NEAR(products, time.hardwareFlops, 1e-9 * products) << model;
            if (!fused) {
                EXPECT_NEAR(time.modelFlops, time.hardwareFlops, 1e-9 * products);
            }
        }
    }
}

TEST(StepTime, ShowsBothEndsOfAUtilisationThatCountsSkippedPairs) {
    Scenario s = scenarioOf("llama-3-8b", 8);
    s.parallel.tensor = 8;
    ASSERT_TRUE(setInput(s, Input::AttentionEfficiency, Range{0.6, 0.8, 0.9}).has_value());
    for (const std::int64_t sequence : {98304, 131072, 1000000}) {
        s.workload.sequence = sequence;
        const auto time = answer(Output::StepSeconds, s), mfu = answer(Output::StepMfu, s);
        const auto hfu = answer(Output::StepHfu, s);
        ASSERT_TRUE(time.has_value() && mfu.has_value() && hfu.has_value()) << sequence;
        for (const Answer* share : {&*mfu, &*hfu}) {
            const double work = share->value.expected * time->value.expected;
            EXPECT_NEAR(share->value.high * time->value.low, work, 1e-9 * work) << sequence;
            EXPECT_NEAR(share->value.low * time->value.high, work, 1e-9 * work) << sequence;
        }
        EXPECT_GT(mfu->value.high, 1) << sequence;
        EXPECT_LT(hfu->value.high, 0.95) << sequence;  // products reach 92 % at best
        ASSERT_EQ(mfu->notes.size(), 1U) << sequence;
        EXPECT_NE(mfu->notes.front().find("masked pairs, which the kernel skips"), std::string::npos);
        const StepTime step = stepOf(s);
        EXPECT_LT(step.executedMfu, step.hfu);
        EXPECT_TRUE(judgeStepMfu(s, step.mfu).front().starts_with("without masked query-key pairs"));
        EXPECT_LE(stepCeiling(s)->mfu, 1) << sequence;
    }
    s.recipe.fusedAttention = false;
    s.workload.sequence = 98304;
    EXPECT_TRUE(answer(Output::StepMfu, s)->notes.empty());
    EXPECT_EQ(stepOf(s).executedMfu, stepOf(s).mfu);
}

TEST(StepTime, DividesTheProductsAmongTheDevices) {
    const StepTime one = stepOf(scenarioOf("llama-3-8b", 1));
    Scenario s = scenarioOf("llama-3-8b", 4);
    s.parallel.tensor = 4;
    const StepTime four = stepOf(s);
    const auto flops = [](const StepTime& time, std::string_view label) {
        double sum = 0;
        for (const TimedOp& op : time.ops)
            if (op.label.starts_with(label)) sum += op.flops;
        return sum;
    };
    for (const char* label : {"attention", "feed-forward", "head"})
        EXPECT_NEAR(4 * flops(four, label), flops(one, label), 1e-6 * flops(one, label)) << label;
}

TEST(StepTime, HasTheBubbleOfItsPipeline) {
    Scenario s = scenarioOf("gpt3-175b", 64);
    s.parallel.tensor = 8;
    s.parallel.pipeline = 8;
    ASSERT_TRUE(setInput(s, Input::PipelineOverlap, 1.0).has_value());
    ASSERT_TRUE(setInput(s, Input::TensorOverlap, 1.0).has_value());
    ASSERT_TRUE(setInput(s, Input::Contention, 0.0).has_value());
    s.workload.batch = 32;
    const StepTime plain = stepOf(s);
    EXPECT_NEAR(plain.bubble, 7.0 / 32 * (plain.compute + plain.recomputed), 1e-6 * plain.bubble);
    s.parallel.chunks = 4;
    const StepTime interleaved = stepOf(s);
    EXPECT_NEAR(interleaved.bubble, plain.bubble / 4, 1e-6 * plain.bubble);
    EXPECT_NEAR(axisOf(interleaved, "pipeline")->bytes, 4 * axisOf(plain, "pipeline")->bytes, 1);
}

/// Both passes together take what the efficiency of both says, whatever the kernel; neither is above the
/// peak.
TEST(AttentionTime, OfBothPassesIsThatOfTheirEfficiency) {
    for (const AttentionKernel kernel : kEnumerators<AttentionKernel>)
        for (const double both : {0.1, 0.5, 0.8, 0.95, 1.0, 1.01}) {
            const PassRates rates = passRatesOf(kernel, both, 1);
            EXPECT_NEAR(1 / rates.forward + 2.5 / rates.backward, 3.5 / std::min(both, 1.0), 1e-12);
            EXPECT_LE(rates.forward, 1);
            EXPECT_LE(rates.backward, 1 + 1e-12);
            EXPECT_GE(rates.forward, rates.backward - 1e-12);
        }
    // 63 and 73 % of the peak of an A100 (arXiv 2307.08691, section 4.1).
    const PassRates second = passRatesOf(AttentionKernel::Flash2, 0.5, 1);
    EXPECT_NEAR(second.backward / second.forward, 0.63 / 0.73, 1e-12);
    EXPECT_EQ(speedBesideFlash2(AttentionKernel::Flash3, false), 1) << "no device before Hopper has it";
}

TEST(AttentionTime, GrowsOverShortSequencesByTheTilesOfTheMask) {
    const Scenario s = scenarioOf("llama-3-8b", 1);
    const Transformer& m = *s.model.transformer();
    EXPECT_NEAR(shareOfFullTiles(m, s.recipe, 8192), 1, 1e-12);
    // A query sees 256.5 of 512 keys in the mean, and 64 more are worked out beside it.
    EXPECT_NEAR(shareOfFullTiles(m, s.recipe, 512) * 8193 / 8321, 513.0 / 641, 1e-12);
    Transformer encoder = m;
    encoder.causal = false;
    EXPECT_EQ(shareOfFullTiles(encoder, s.recipe, 512), 1);
    Recipe plain = s.recipe;
    plain.fusedAttention = false;
    EXPECT_EQ(shareOfFullTiles(m, plain, 512), 1);
}

TEST(Traffic, OfEachZeroStageIsThePublishedVolume) {
    const Links links{450e9, 50e9, 0, 0, 8};
    const Group group{64, 1};
    const double psi = 1e9;
    Recipe recipe;  // 2-byte weights and gradients: volumes in elements are bytes / 2
    const double share = 63.0 / 64;
    const auto elements = [&](Sharding sharding, double rounds) {
        return dataTraffic(recipe, sharding, psi, 1, rounds, group, links).bytes / 2 / share;
    };
    EXPECT_NEAR(elements(Sharding::None, 1), 2 * psi, 1);
    EXPECT_NEAR(elements(Sharding::State, 1), 2 * psi, 1);
    EXPECT_NEAR(elements(Sharding::Gradients, 1), 2 * psi, 1);
    EXPECT_NEAR(elements(Sharding::Weights, 1), 3 * psi, 1);
    EXPECT_NEAR(elements(Sharding::None, 8), 2 * psi, 1);      // once a step
    EXPECT_NEAR(elements(Sharding::Weights, 8), 24 * psi, 1);  // at each micro-batch
}

TEST(Traffic, OfTensorParallelismIsFourAllReducesALayer) {
    Scenario s = scenarioOf("llama-3-8b", 8);
    s.parallel.tensor = 8;
    s.workload.sequence = 4096;
    const StepTime time = stepOf(s);
    ASSERT_NE(axisOf(time, "tensor"), nullptr);
    EXPECT_EQ(axisOf(time, "tensor")->bytes, 4.0 * 32 * 2 * 7 / 8 * (4096.0 * 4096 * 2));
    EXPECT_FALSE(axisOf(time, "tensor")->leavesNode);
    EXPECT_EQ(axisOf(time, "data"), nullptr);
    s.recipe.recompute = Recompute::Full;
    EXPECT_EQ(axisOf(stepOf(s), "tensor")->bytes, 1.5 * axisOf(time, "tensor")->bytes);
}

/// What NCCL's model has for two nodes of eight: of a ring 14 steps within nodes and one between them, of a
/// tree up and down.
TEST(Traffic, WaitsForItsMessages) {
    const Links links{450e9, 50e9, 3.4e-6, 14e-6, 8};
    const Group group{16, 1};
    EXPECT_NEAR(gatherSeconds(0, group, links), 14 * 3.4e-6 + 14e-6, 1e-12);
    const double within = 6;  // three dimensions of a cube of eight
    EXPECT_NEAR(reduceSeconds(0, group, links), 2 * (within * 3.4e-6 + 14e-6), 1e-12);
    EXPECT_NEAR(gatherSeconds(0, {4, 1}, links), 3 * 3.4e-6, 1e-12);
    // The same bytes in more pieces reach less of the bandwidth; a large piece reaches nearly all of it.
    const double whole = gatherSeconds(8e9, group, links);
    EXPECT_NEAR(gatherSeconds(8e9, group, links, 100) - whole, 99 * (14 * 3.4e-6 + 14e-6), 1e-9);
    EXPECT_NEAR(whole * 450e9 / 7e9, 1, 0.01);
    EXPECT_GT(gatherSeconds(8e6, group, links) * 450e9 / 7e6, 4);
    // More nodes wait longer in a ring, and hardly longer in a tree.
    const Group large{1024, 1};
    EXPECT_GT(gatherSeconds(0, large, links), 60 * gatherSeconds(0, group, links));
    EXPECT_LT(reduceSeconds(0, large, links), 4 * reduceSeconds(0, group, links));
}

TEST(Traffic, IsSlowerWhereItLeavesTheNode) {
    const Links links{450e9, 50e9, 0, 0, 8};
    EXPECT_DOUBLE_EQ(gatherSeconds(8e9, {8, 1}, links), 7e9 / 450e9);
    // Two nodes of eight: each device moves an eighth over its network card.
    EXPECT_DOUBLE_EQ(gatherSeconds(8e9, {16, 1}, links), std::max(7e9 / 450e9, 0.5e9 / 50e9));
    // Every member on a node of its own.
    EXPECT_DOUBLE_EQ(gatherSeconds(8e9, {2, 8}, links), 4e9 / 50e9);
    EXPECT_EQ(gatherSeconds(8e9, {1, 1}, links), 0);
    EXPECT_EQ(allReduceBytes(1e9, 1), 0);
    EXPECT_EQ(allReduceBytes(1e9, 4), 1.5e9);
}

TEST(Traffic, DoesNotOverflowAtTheLargestSizesAccepted) {
    Scenario s = scenarioOf("llama-3-8b", 8);
    s.parallel.tensor = 2;
    s.parallel.microBatch = 1'000'000'000;
    s.workload.sequence = 1'000'000'000;
    const StepTime time = stepOf(s);
    const StepTraffic* tensor = axisOf(time, "tensor");
    ASSERT_NE(tensor, nullptr);
    EXPECT_NEAR(tensor->bytes, 4 * 32 * 1e18 * 4096 * 2, 1e25);  // 4 per layer, 2 bytes each
}

TEST(StepTime, OfAnUnknownPeakIsAnErrorAndNeverANeighbours) {
    Scenario s = scenarioOf("llama-3-8b", 1);
    s.cluster.device = HardwareDatabase::builtIn().find("V100 SXM2 32").value();  // fp16, and no bf16
    for (const Output output : {Output::StepSeconds, Output::Days, Output::TokensPerSecond}) {
        s.workload.tokens = 1e12;
        const auto refused = evaluate(output, s);
        ASSERT_FALSE(refused.has_value());
        EXPECT_NE(refused.error().text().find("no bf16 peak"), std::string::npos) << refused.error().text();
        EXPECT_NE(refused.error().hint.find("fp16"), std::string::npos) << refused.error().text();
    }
    ASSERT_TRUE(setInput(s, Input::Peak, 1e14).has_value());
    EXPECT_TRUE(evaluate(Output::StepSeconds, s).has_value());
}

TEST(StepTime, OfTheDeepLinearModelIsItsPrediction) {
    RunConfig config{.dim = 4096, .layers = 8, .batch = 1024, .precision = Precision::Bf16};
    Scenario assumed = scenarioOf("gpt2", 1);
    Scenario roofline = assumed;
    for (const Input input : {Input::MatmulEfficiency, Input::MemoryEfficiency})
        ASSERT_TRUE(setInput(roofline, input, 1.0).has_value());
    ASSERT_TRUE(setInput(roofline, Input::OpOverhead, 0.0).has_value());
    for (const Precision precision : {Precision::Bf16, Precision::Fp8}) {
        config.precision = precision;
        // fp8 transposes its operands first; the planner knows of no ops that run beside others.
        BackendTraits traits = *cudaTraits(90);
        traits.sideBranch = false;
        const auto plan = planStep(config, traits);
        ASSERT_TRUE(plan.has_value()) << plan.error().text();
        const Prediction prediction = predict(*plan, *assumed.cluster.device);
        for (Scenario* s : {&assumed, &roofline}) {
            s->model = modelOf(config);
            s->recipe = recipeOf(config);
        }
        // What both assume of a device that only its data sheet is known of.
        EXPECT_NEAR(stepOf(assumed).total(), *prediction.totals.seconds, 1e-9);
        EXPECT_NEAR(stepOf(assumed).mfu, *prediction.totals.mfu, 1e-9);
        // The best case of a prediction is the roofline itself.
        ASSERT_TRUE(prediction.totals.spread.has_value());
        EXPECT_NEAR(stepOf(roofline).total(), prediction.totals.spread->low, 1e-9);
        const auto range = answer(Output::StepSeconds, assumed);
        ASSERT_TRUE(range.has_value()) << range.error().text();
        EXPECT_NEAR(range->value.low, prediction.totals.spread->low, 1e-9);
        EXPECT_NEAR(range->value.high, prediction.totals.spread->high, 1e-9);
    }
}

TEST(StepTime, OfACalibratedMachineIsItsPrediction) {
    const RunConfig config{.dim = 256, .layers = 5, .batch = 128, .microBatch = 32};
    Scenario s;
    s.model = modelOf(config);
    s.recipe = recipeOf(config);
    s.parallel.sharding = Sharding::None;
    Machine machine;
    machine.name = "This machine";
    machine.backend = "cpu";
    machine.peakFlopPerSecond = {{Dtype::Fp32, 1e11}};
    machine.bandwidthBytesPerSecond = 1e10;
    machine.costs = CostTables{};
    machine.costs->betweenOps = 1e-5;
    s.cluster.device = machine;
    const Prediction prediction = predict(*planStep(config, cpuTraits()), machine);
    ASSERT_TRUE(prediction.totals.seconds.has_value());
    EXPECT_NEAR(stepOf(s).total(), *prediction.totals.seconds, 1e-12);
    // An operation without a time makes the step unknown.
    s.cluster.device->bandwidthBytesPerSecond.reset();
    s.cluster.device->peakFlopPerSecond.clear();
    ASSERT_TRUE(setInput(s, Input::Peak, 1e11).has_value());
    const auto unknown = stepTime(s);
    ASSERT_FALSE(unknown.has_value());
    EXPECT_NE(unknown.error().text().find("has no "), std::string::npos) << unknown.error().text();
}

TEST(StepCeiling, IsAboveWhatIsExpectedAndNamesWhatKeepsItFromThePeak) {
    for (const char* model : {"gpt2", "llama-3-8b", "llama-3-70b", "deepseek-v3"}) {
        Scenario s = scenarioOf(model, 256);
        const auto ceiling = stepCeiling(s);
        ASSERT_TRUE(ceiling.has_value()) << ceiling.error().text();
        EXPECT_GT(ceiling->mfu, stepOf(s).executedMfu) << model;
        EXPECT_LE(ceiling->mfu, 1) << model;
        EXPECT_NEAR(ceiling->balance, 295.4, 0.1);
        EXPECT_GT(ceiling->intensity, 1) << model;
        EXPECT_NEAR(ceiling->oneByOne, 1 / 295.4, 1e-5) << "2 FLOPs for a bf16 weight";
    }
    Scenario s = scenarioOf("llama-3-8b", 8);
    s.workload.batch = 128;
    s.parallel.sharding = Sharding::State;
    const double plain = stepCeiling(s)->mfu;
    EXPECT_GT(plain, 0.85);  // the rest is mostly the fifth product of a fused attention
    Scenario again = s;
    again.recipe.recompute = Recompute::Full;
    EXPECT_EQ(stepCeiling(again)->loss, MfuLoss::Recomputation);
    EXPECT_LT(stepCeiling(again)->mfu, plain);
    Scenario pipeline = s;
    pipeline.parallel.pipeline = 8;
    pipeline.workload.batch = 2;
    EXPECT_EQ(stepCeiling(pipeline)->loss, MfuLoss::Pipeline);
    Scenario slow = s;
    ASSERT_TRUE(setInput(slow, Input::LinkBandwidth, 1e9).has_value());
    EXPECT_EQ(stepCeiling(slow)->loss, MfuLoss::Communication);
    Scenario idle = s;
    ASSERT_TRUE(setInput(idle, Input::OpOverhead, 0.1).has_value());
    EXPECT_EQ(stepCeiling(idle)->loss, MfuLoss::Overhead);
    EXPECT_FALSE(stepCeiling(Scenario{}).has_value());
}

TEST(StepCeiling, OfTheDeepLinearModelIsThatOfItsPlan) {
    Scenario s;
    s.cluster.device = HardwareDatabase::builtIn().find("H100 SXM").value();
    RunConfig config;
    config.precision = Precision::Bf16;
    config.dim = 4096;
    chooseLinear(s, config);
    const auto ceiling = stepCeiling(s);
    ASSERT_TRUE(ceiling.has_value()) << ceiling.error().text();
    EXPECT_GT(ceiling->mfu, 0);
    EXPECT_EQ(publishedMfuText(s), "");
}

/// Rows of resources/published.json, as their sources print them.
TEST(PublishedMfu, IsOfTheTrainingNearestInSizeOnSuchDevices) {
    Scenario s = scenarioOf("llama-3-70b", 128);
    s.cluster.device = HardwareDatabase::builtIn().find("H100 SXM").value();
    EXPECT_THAT(publishedMfuText(s), testing::HasSubstr("nearest in size on devices of this generation: "));
    EXPECT_THAT(publishedMfuText(s), testing::HasSubstr("H100"));
    s.model = findModel("llama-3.1-405b").value();
    s.cluster.devices = 16384;
    EXPECT_THAT(publishedMfuText(s),
                testing::HasSubstr("reached 40 % on 16384 x NVIDIA H100 SXM5 80GB (The Llama 3 "
                                   "Herd of Models, table 4)"));
    s.cluster.device.reset();
    EXPECT_THAT(publishedMfuText(s), testing::HasSubstr("nearest in size: "));
}

/// Where a step can be timed, days by the utilisation are those of the steps; elsewhere trainings that were
/// published say what is usual, and differ by device, format, experts and size.
TEST(DefaultMfu, IsThatOfTheStepOrOfPublishedTrainings) {
    Scenario s = scenarioOf("llama-3-8b", 64);
    s.cluster.device = HardwareDatabase::builtIn().find("H100 SXM").value();
    s.workload.tokens = 1e12;
    EXPECT_NEAR(*evaluate(Output::Days, s), *evaluate(Output::StepDays, s), 1e-9);
    const InputValue mfu = *valueOf(s, Input::Mfu);
    EXPECT_FALSE(mfu.given);
    EXPECT_EQ(mfu.source, "the step model, of this layout");
    const Range step = answer(Output::StepMfu, s)->value;
    EXPECT_NEAR(mfu.range.low, step.low, 1e-12);
    EXPECT_NEAR(mfu.range.high, step.high, 1e-12);
    // What is assumed of products moves the utilisation, which is one line of the answer and not two.
    const std::vector<Input> inputs = inputsOf(Output::Days, s);
    EXPECT_TRUE(std::ranges::count(inputs, Input::Mfu));
    EXPECT_FALSE(std::ranges::count(inputs, Input::MatmulEfficiency));

    Scenario large = s;
    large.model = findModel("llama-3.1-405b").value();
    EXPECT_THAT(valueOf(large, Input::Mfu)->source, testing::HasSubstr("published trainings"));
    EXPECT_THAT(valueOf(large, Input::Mfu)->source, testing::HasSubstr("plan shard"));

    Scenario count = s;
    count.model = modelOfCount(70e9);
    const auto usual = [&](const char* device, Dtype format) {
        count.cluster.device = HardwareDatabase::builtIn().find(device).value();
        count.recipe.compute = format;
        const InputValue value = *valueOf(count, Input::Mfu);
        EXPECT_THAT(value.source, testing::HasSubstr("published trainings"));
        EXPECT_LT(value.range.low, value.range.expected);
        EXPECT_LT(value.range.expected, value.range.high);
        EXPECT_EQ(value.range.expected, *numberOf(count, Input::Mfu));
        return value.range.expected;
    };
    const double hopper = usual("H100 SXM", Dtype::Bf16), half = usual("A100 SXM4 80", Dtype::Bf16);
    EXPECT_LT(usual("H100 SXM", Dtype::Fp8E4M3), 0.85 * hopper) << "of twice the peak";
    EXPECT_NE(hopper, half);
    count.model = modelOfCount(1e9);
    EXPECT_NE(usual("H100 SXM", Dtype::Bf16), hopper);
}

TEST(Work, OfWindowsAndMasksIsTheMeanNumberOfPairs) {
    Transformer m = *findModel("mistral-7b")->transformer();
    const double full = workPerToken(m, Recipe{}, 16384).attentionForward;
    m.slidingWindow = m.windowedLayers = 0;
    EXPECT_DOUBLE_EQ(workPerToken(m, Recipe{}, 16384).attentionForward, 4 * full);  // 16384 over 4096
    EXPECT_DOUBLE_EQ(workPerToken(m, Recipe{}, 16384).executedForward,
                     4 * full * (16384.0 + 1) / (2 * 16384));
}

}  // namespace
}  // namespace plumb::planner
