// SPDX-License-Identifier: Apache-2.0
// Figures that others published, each with the tolerance that belongs to its own rounding. The numbers V1,
// V2, ... are those of the table of validation cases that the planner was built against.
#include "core/machine/hardware_database.h"
#include "core/measure/reading.h"
#include "core/planner/answer.h"
#include "core/planner/op_work.h"
#include "core/planner/work.h"
#include "tests/core/planner/scenarios.h"

#include <gtest/gtest.h>

#include <cmath>

namespace plumb::planner {
namespace {

double value(Output output, const Scenario& s) {
    const auto result = evaluate(output, s);
    EXPECT_TRUE(result.has_value()) << result.error().text();
    return result.has_value() ? *result : std::nan("");
}

void set(Scenario& s, Input input, double number) {
    const auto done = setInput(s, input, number);
    ASSERT_TRUE(done.has_value()) << done.error().text();
}

#define EXPECT_WITHIN(actual, expected, share) EXPECT_NEAR(actual, expected, (share)*std::fabs(expected))

/// GPT-2 small without biases: norms have a scale alone.
Transformer gpt2WithoutBiases() {
    Transformer m = *findModel("gpt2")->transformer();
    m.queryBias = m.outputBias = m.innerBias = m.normBias = false;
    return m;
}

Scenario seventyBillionOn(std::string_view device, std::int64_t devices) {
    Scenario s = withDevice(device, devices);
    s.model = modelOfCount(70e9);
    return s;
}

TEST(Published, V1SeventyBillionParametersOnAThousandH100TakeAbout144Days) {
    Scenario s = seventyBillionOn("H100 SXM", 1024);
    set(s, Input::Tokens, 15e12);
    set(s, Input::Mfu, 0.5);
    EXPECT_WITHIN(value(Output::Days, s), 143.93, 1e-3);
    EXPECT_EQ(formatOutput(Output::Days, value(Output::Days, s)), "143.9 d");
}

TEST(Published, V2AndV3EightDevicesHold40And53BillionParameters) {
    Scenario s;
    s.cluster.devices = 8;
    set(s, Input::Memory, 80e9);
    set(s, Input::BytesPerParameter, 16);
    EXPECT_EQ(value(Output::LargestModel, s), 40e9);
    set(s, Input::BytesPerParameter, 12);
    EXPECT_WITHIN(value(Output::LargestModel, s), 53.33e9, 1e-4);
    EXPECT_EQ(formatOutput(Output::LargestModel, value(Output::LargestModel, s)), "53.3e9");
}

TEST(Published, V4EightH100DoAboutTenToThe22InTwoWeeksAtPeak) {
    Scenario s = withDevice("H100 SXM", 8);
    set(s, Input::Days, 14);
    set(s, Input::Mfu, 1);
    EXPECT_WITHIN(value(Output::Budget, s), 9.575e21, 1e-3);
}

TEST(Published, V5ToV7IntensitiesOnH100) {
    const Scenario s = withDevice("H100 SXM", 1);
    const double peak = *numberOf(s, Input::Peak), bandwidth = *numberOf(s, Input::Bandwidth);
    EXPECT_WITHIN(peak / bandwidth, 295.37, 1e-3);

    const double n = 1 << 20;
    const OpWork relu = passWork(n, kReluFlops, 2, 2);
    EXPECT_EQ(relu.bytes, 4'194'304);
    EXPECT_EQ(relu.intensity(), 0.25);
    EXPECT_WITHIN(relu.bytes / bandwidth, 1.252e-6, 1e-3);
    EXPECT_WITHIN(relu.flops / peak, 1.06e-9, 1e-2);  // printed with two digits
    EXPECT_EQ(passWork(n, kGeluFlops, 2, 2).intensity(), 5);
    EXPECT_NEAR(productWork({1024, 1024, 1024}, 2).intensity(), 341.3333, 1e-4);
    // The exact forms have one addition less for each dot product.
    EXPECT_NEAR((productWork({1, n, 1}, 2).flops - 1) / productWork({1, n, 1}, 2).bytes, 0.49999952, 1e-6);
    EXPECT_NEAR((productWork({1024, 1024, 1}, 2).flops - 1024) / productWork({1024, 1024, 1}, 2).bytes,
                0.997563, 1e-6);
    EXPECT_NEAR((productWork({1024, 1024, 1024}, 2).flops - 1024 * 1024) /
                    productWork({1024, 1024, 1024}, 2).bytes,
                341.1667, 1e-4);
}

/// Bytes of the tensors of one role, those of the head left out, since the published network has none.
Bytes bytesOf(const StepPlan& plan, TensorRole role) {
    Bytes sum = 0;
    for (const Tensor& tensor : plan.tensors)
        if (tensor.role == role && tensor.layer <= plan.config.layers) sum += tensor.bytes();
    return sum;
}

TEST(Published, V8DeepNetworkOfThreeLayersOfFour) {
    const RunConfig config{.dim = 4,
                           .layers = 3,
                           .batch = 2,
                           .precision = Precision::Bf16,
                           .masterWeights = false,
                           .optimizer = Optimizer::Adagrad};
    const auto plan = planStep(config, cpuTraits());
    ASSERT_TRUE(plan.has_value()) << plan.error().text();
    EXPECT_EQ(bytesOf(*plan, TensorRole::Weight), 96);
    EXPECT_EQ(bytesOf(*plan, TensorRole::Gradient), 96);
    EXPECT_EQ(bytesOf(*plan, TensorRole::Moment1), 192);
    EXPECT_EQ(bytesOf(*plan, TensorRole::Activation), 48);
    Flops flops = 0;
    for (const Op& op : plan->ops)
        if (!op.isHead) flops += op.matmulFlops;
    EXPECT_EQ(flops, 512);  // the first layer has no input gradient
    EXPECT_EQ(6 * config.batch * config.layers * config.dim * config.dim, 576);
}

TEST(Published, V9OlderNetworkWithAHead) {
    RunConfig config{.dim = 4, .layers = 2, .batch = 2, .optimizer = Optimizer::Adagrad};
    const auto plan = planStep(config, cpuTraits());
    ASSERT_TRUE(plan.has_value()) << plan.error().text();
    EXPECT_EQ(config.parameters(), 36);
    EXPECT_EQ(bytesOf(*plan, TensorRole::Activation), 16 * 4);
    const Recipe recipe = recipeOf(config);
    EXPECT_EQ(recipe.bytesPerParameter() * 36 + 64, 496);
    EXPECT_EQ(plan->ruleOfThumbFlops(), 432);
}

TEST(Published, V10ActivationsOfSixteenLayers) {
    RunConfig config{.dim = 1024, .layers = 16, .batch = 64, .precision = Precision::Bf16};
    for (const auto& [microBatch, expected] : {std::pair{64, 2'097'152}, std::pair{16, 524'288}}) {
        config.microBatch = microBatch;
        const auto plan = planStep(config, cpuTraits());
        ASSERT_TRUE(plan.has_value()) << plan.error().text();
        const MemoryReading memory = summariseCurve(memoryCurve(*plan));
        EXPECT_EQ(memory.categoryPeak[Category::Activations], expected);
    }
}

TEST(Published, V11AndV12ProductsOfKnownSize) {
    const RunConfig config{.dim = 256, .layers = 2, .batch = 1024};
    const auto plan = planStep(config, cpuTraits());
    ASSERT_TRUE(plan.has_value()) << plan.error().text();
    Flops backward = 0;
    for (const Op& op : plan->ops) {
        if (op.kind == OpKind::LayerForward) {
            EXPECT_EQ(op.matmulFlops, 134'217'728);
        }
        if (op.layer == 2 && op.phase == Phase::Backward && !op.isHead) backward += op.matmulFlops;
    }
    EXPECT_EQ(backward, 268'435'456);

    const OpWork product = productWork({16384, 8192, 32768}, 2);
    EXPECT_WITHIN(product.flops, 8.796e12, 1e-3);
    EXPECT_WITHIN(product.flops / *numberOf(withDevice("H100 SXM", 1), Input::Peak), 8.889e-3, 1e-3);
}

TEST(Published, V13AMatrixOfGpt3Takes2304MiB) {
    const Transformer gpt3 = *findModel("gpt3-175b")->transformer();
    EXPECT_EQ(gpt3.inner * gpt3.hidden * 4, 2'415'919'104);
    EXPECT_EQ(gpt3.inner * gpt3.hidden * 4 / (1 << 20), 2304);
}

TEST(Published, V14Gpt3Took3640PetaflopDays) {
    const auto model = findModel("gpt3-175b");
    EXPECT_EQ(countParameters(*model->transformer()).total, 174'604'259'328);
    Scenario s;
    s.model = modelOfCount(174.6e9);
    set(s, Input::Tokens, 300e9);
    EXPECT_WITHIN(value(Output::TrainingFlops, s), 3.14e23, 2e-3);
    EXPECT_WITHIN(value(Output::TrainingFlops, s) / (1e15 * 86400), 3637.5, 2e-3);
}

/// PaLM 540B: one norm for attention and feed-forward side by side, one key and value head, gated, tied.
Transformer palm() {
    return Transformer{.layers = 118,
                       .hidden = 18432,
                       .heads = 48,
                       .keyValueHeads = 1,
                       .headWidth = 256,
                       .inner = std::int64_t{4} * 18432,
                       .vocabulary = 256'000,
                       .positions = 2048,
                       .tiedEmbeddings = true,
                       .parallel = true,
                       .normsPerLayer = 1};
}

/// MFU in percent of a model with `parameters` by the published formula 6N + 12 L H Q T.
double publishedMfu(double parameters, double attention, double tokensPerSecond, double possible) {
    return 100 * tokensPerSecond * (6 * parameters + attention) / possible;
}

TEST(Published, V15Palm540BReached46Percent) {
    const double possible = 6144 * 275e12;
    const Work work = workPerToken(palm(), Recipe{}, 2048);
    EXPECT_WITHIN(3 * work.attentionForward, 3.563e10, 1e-3);  // 12 L H Q T
    EXPECT_NEAR(publishedMfu(540.35e9, 0, 238.3e3, possible), 45.7, 0.1);
    EXPECT_NEAR(publishedMfu(540.35e9, 3 * work.attentionForward, 238.3e3, possible), 46.2, 0.1);
    // And the planner's own question, with the parameters that it counts itself (540.36e9).
    EXPECT_WITHIN(static_cast<double>(countParameters(palm()).total), 540.35e9, 1e-4);
    Scenario s = withDevice("TPU v4", 6144);
    s.model = {"PaLM 540B", "arXiv 2204.02311", palm()};
    set(s, Input::Sequence, 2048);
    set(s, Input::TokensPerSecond, 238.3e3);
    EXPECT_NEAR(100 * value(Output::MeasuredMfu, s), 46.2, 0.1);
}

TEST(Published, V16MtNlg530BReached30Percent) {
    Transformer m = *findModel("gpt3-175b")->transformer();
    m.layers = 105;
    m.hidden = 20480;
    m.heads = 128;
    m.keyValueHeads = 128;
    m.headWidth = 160;
    m.inner = std::int64_t{4} * 20480;
    const double throughput = 1920.0 * 2048 / 60.1, possible = 2240 * 312e12;
    EXPECT_WITHIN(throughput, 65.43e3, 1e-3);
    EXPECT_NEAR(publishedMfu(530e9, 0, throughput, possible), 29.77, 0.1);
    const double attention = 3 * workPerToken(m, Recipe{}, 2048).attentionForward;
    EXPECT_NEAR(publishedMfu(530e9, attention, throughput, possible), 30.2, 0.1);
}

TEST(Published, V17AndV18Gpt2SmallStepByStep) {
    const Transformer m = gpt2WithoutBiases();
    EXPECT_EQ(countParameters(m).total, 124'337'664);
    const Work work = workPerToken(m, Recipe{}, 1024);
    EXPECT_EQ(1024 * (work.weightForward + work.attentionForward), 291'648'307'200.0);
    EXPECT_EQ(1024 * work.model(), 874'944'921'600.0);
    EXPECT_EQ(1024 * work.ruleWithAttention, 875'062'886'400.0);
    EXPECT_NEAR(100 * 1024 * work.ruleWithAttention * 100 / 0.755 / 312e12, 37.14, 0.05);
}

TEST(Published, V19Gpt2SmallOn300BillionTokensTakesThreeAndAHalfDays) {
    Scenario s = withDevice("A100 SXM4 80", 8);
    s.model = modelOfCount(124'337'664);
    set(s, Input::Tokens, 300e9);
    set(s, Input::Mfu, 0.3);
    EXPECT_WITHIN(value(Output::Days, s), 3.46, 5e-3);
}

TEST(Published, V20Llama3Of70BillionByItsParts) {
    const ParameterCounts n = countParameters(*findModel("llama-3-70b")->transformer());
    EXPECT_WITHIN(static_cast<double>(n.feedForward), 56.37e9, 5e-3);
    EXPECT_WITHIN(static_cast<double>(n.embedding + n.head), 2.10e9, 5e-3);
    EXPECT_WITHIN(static_cast<double>(n.attention), 12.08e9, 5e-3);
    EXPECT_WITHIN(static_cast<double>(n.total), 70.5e9, 5e-3);
}

TEST(Published, V21SeventyBillionOnTpuV5pTake44Days) {
    Scenario s = seventyBillionOn("TPU v5p", 8960);
    set(s, Input::Tokens, 15e12);
    set(s, Input::Mfu, 0.4);
    EXPECT_WITHIN(value(Output::TrainingFlops, s), 6.3e24, 1e-2);
    EXPECT_WITHIN(value(Output::Days, s), 44.3, 1e-2);
}

/// Narayanan et al., arXiv 2104.04473: 72 B s L h^2 (1 + s/(6h) + V/(12 L h)), with full recomputation 96
/// (...).
TEST(Published, MegatronsFormOfTheFlopsOfAnIteration) {
    const Transformer m = *findModel("gpt3-175b")->transformer();
    const auto h = static_cast<double>(m.hidden), layers = static_cast<double>(m.layers);
    const double s = 2048, vocabulary = static_cast<double>(m.vocabulary);
    Recipe recipe;
    recipe.fusedAttention = false;
    const double none = 72 * s * layers * h * h * (1 + s / (6 * h) + vocabulary / (12 * layers * h));
    EXPECT_WITHIN(s * workPerToken(m, recipe, 2048).hardware(), none, 1e-12);
    recipe.recompute = Recompute::Full;
    const double full = 96 * s * layers * h * h * (1 + s / (6 * h) + vocabulary / (16 * layers * h));
    EXPECT_WITHIN(s * workPerToken(m, recipe, 2048).hardware(), full, 1e-12);
    EXPECT_WITHIN(s * workPerToken(m, recipe, 2048).model(), none, 1e-12);
    recipe.recompute = Recompute::Selective;
    const double counted = 72 * s * layers * h * h * (1 + 2 * s / (9 * h) + vocabulary / (12 * layers * h));
    EXPECT_WITHIN(s * workPerToken(m, recipe, 2048).hardware(), counted, 1e-12);
}

TEST(Published, AUtilisationAboveTheWholeIsRefusedWithLikelyCauses) {
    Scenario s = seventyBillionOn("H100 SXM", 1);
    set(s, Input::TokensPerSecond, 1e6);
    const auto mfu = evaluate(Output::MeasuredMfu, s);
    ASSERT_FALSE(mfu.has_value());
    EXPECT_NE(mfu.error().message.find("above 100 %"), std::string::npos) << mfu.error().text();
    EXPECT_NE(mfu.error().hint.find("dense"), std::string::npos) << mfu.error().text();
    // An end of its range is shown, and said to be impossible.
    set(s, Input::TokensPerSecond, 1e3);
    ASSERT_TRUE(setInput(s, Input::Peak, Range{4e14, 8e14, 9e14}).has_value());
    const auto ends = answer(Output::MeasuredMfu, s);
    ASSERT_TRUE(ends.has_value()) << ends.error().text();
    EXPECT_NEAR(ends->value.expected, 0.525, 1e-9);
    EXPECT_NEAR(ends->value.high, 1.05, 1e-9);
    ASSERT_EQ(ends->notes.size(), 1U);
    EXPECT_NE(ends->notes.front().find("cannot be, it is 105 % of the peak"), std::string::npos);
}

}  // namespace
}  // namespace plumb::planner
