// SPDX-License-Identifier: Apache-2.0
#include "core/planner/memory.h"

#include "core/machine/hardware_database.h"
#include "core/measure/reading.h"
#include "core/planner/answer.h"
#include "core/planner/stage.h"
#include "tests/core/planner/scenarios.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace plumb::planner {
namespace {

double memoryOf(const Scenario& s) {
    const auto memory = memoryPerDevice(s);
    EXPECT_TRUE(memory.has_value()) << memory.error().text();
    return memory.has_value() ? memory->worst().total() : 0;
}

double partsOf(const StageMemory& stage, Category category) {
    double sum = 0;
    for (const MemoryPart& part : stage.parts)
        if (part.category == category) sum += part.bytes;
    return sum;
}

/// Korthikanti et al., arXiv 2205.05198, table 2: bytes of one layer with dropout and stored scores.
TEST(ActivationMemory, IsThePublishedTable) {
    const Transformer m = *findModel("gpt3-175b")->transformer();
    Recipe recipe;
    recipe.fusedAttention = false;
    recipe.dropout = true;
    ParallelLayout layout;
    const double s = 2048, h = 12288, a = 96;
    const auto bytes = [&] { return activationBytesPerLayer(m, recipe, layout, 2048, false) / (s * h); };
    EXPECT_DOUBLE_EQ(bytes(), 34 + 5 * a * s / h);
    layout.tensor = 8;
    layout.sequence = false;
    EXPECT_DOUBLE_EQ(bytes(), 10 + 24.0 / 8 + 5 * a * s / (h * 8));
    layout.sequence = true;
    EXPECT_DOUBLE_EQ(bytes(), (34 + 5 * a * s / h) / 8);
    recipe.recompute = Recompute::Selective;
    EXPECT_DOUBLE_EQ(bytes(), 34.0 / 8);
    layout.sequence = false;
    EXPECT_DOUBLE_EQ(bytes(), 10 + 24.0 / 8);
}

TEST(ActivationMemory, OfALlamaIsTheFormulaForGatedBlocks) {
    const Transformer m = *findModel("llama-3-8b")->transformer();
    const double s = 4096, h = 4096, f = 14336, a = 32, kv = 8;
    const double expected = s * (12 * h + 4 * h * kv / a + 8 * f + 4 * a);
    EXPECT_DOUBLE_EQ(activationBytesPerLayer(m, Recipe{}, ParallelLayout{}, 4096, false), expected);
}

/// Rajbhandari et al., arXiv 1910.02054, figure 1: 7.5e9 parameters on 64 devices, 120, 31.4, 16.6 and 1.9
/// GB.
TEST(ShardedMemory, IsZeROsFigure) {
    Scenario s;
    s.cluster.devices = 64;
    s.model = modelOfCount(7.5e9);
    for (const auto& [sharding, gigabytes] :
         {std::pair{Sharding::None, 120.0}, std::pair{Sharding::State, 31.4},
          std::pair{Sharding::Gradients, 16.6}, std::pair{Sharding::Weights, 1.875}}) {
        s.parallel.sharding = sharding;
        const auto memory = memoryPerDevice(s);
        ASSERT_TRUE(memory.has_value()) << memory.error().text();
        double model = 0;
        for (const Category category : {Category::Parameters, Category::MasterParameters,
                                        Category::OptimizerState, Category::Gradients})
            model += partsOf(memory->worst(), category);
        EXPECT_NEAR(model / 1e9, gigabytes, 0.05);
    }
}

TEST(DeviceMemory, SumsItsPartsAndFillsTheSameCategories) {
    for (const char* model : {"gpt2", "llama-3-8b", "mixtral-8x7b", "deepseek-v3"}) {
        Scenario s = scenarioOf(model, 64);
        s.parallel.pipeline = 2;
        const auto memory = memoryPerDevice(s);
        ASSERT_TRUE(memory.has_value()) << memory.error().text();
        EXPECT_EQ(memory->stages.size(), 2U);
        for (const StageMemory& stage : memory->stages) {
            double sum = 0;
            for (const MemoryPart& part : stage.parts) {
                EXPECT_GT(part.bytes, 0) << part.label;
                EXPECT_FALSE(part.formula.empty()) << part.label;
                sum += part.bytes;
            }
            EXPECT_EQ(stage.total(), sum);
            EXPECT_NEAR(static_cast<double>(total(stage.byCategory())), sum, 8);
            EXPECT_LE(stage.total(), memory->worst().total());
        }
    }
}

TEST(DeviceMemory, StagesHoldEveryParameterOnce) {
    for (const ModelPreset& preset : modelPresets()) {
        const Transformer& m = *preset.model.transformer();
        const auto stages = stagesOf(m, ParallelLayout{});
        ASSERT_EQ(stages.size(), 1U);
        EXPECT_NEAR(stages[0].denseParameters + stages[0].expertParameters,
                    static_cast<double>(countParameters(m).total),
                    1e-9 * static_cast<double>(countParameters(m).total))
            << preset.key;
    }
}

TEST(DeviceMemory, NeverGrowsWithMoreDevices) {
    std::mt19937 random(7);
    const std::vector<std::string> models{"gpt2-xl", "llama-3-8b", "qwen3-30b-a3b", "deepseek-v3"};
    int compared = 0;
    for (int round = 0; round < 400; ++round) {
        Scenario s = scenarioOf(models[random() % models.size()], 1 << (3 + random() % 6));
        s.parallel.tensor = 1 << (random() % 3);
        s.parallel.pipeline = 1 << (random() % 3);
        s.parallel.sharding = static_cast<Sharding>(random() % 4);
        s.recipe.recompute = static_cast<Recompute>(random() % 3);
        s.parallel.microBatch = 1 + static_cast<std::int64_t>(random() % 3);
        if (!memoryPerDevice(s).has_value()) continue;
        Scenario more = s;
        more.cluster.devices *= 2;
        // One device has no buffers and gathers nothing: a second one brings both.
        if (more.cluster.devices / (s.parallel.tensor * s.parallel.pipeline) <= 2) continue;
        EXPECT_LE(memoryOf(more), memoryOf(s) * (1 + 1e-12));
        ++compared;
    }
    EXPECT_GT(compared, 100);
}

TEST(DeviceMemory, FallsWithEachZeroStageAndEachRecomputation) {
    Scenario s = scenarioOf("llama-3-70b", 512);
    s.recipe.fusedAttention = false;
    double before = 1e30;
    for (const Sharding sharding : {Sharding::None, Sharding::State, Sharding::Gradients}) {
        s.parallel.sharding = sharding;
        EXPECT_LT(memoryOf(s), before);
        before = memoryOf(s);
    }
    before = 1e30;
    for (const Recompute recompute : {Recompute::None, Recompute::Selective, Recompute::Full}) {
        s.recipe.recompute = recompute;
        EXPECT_LT(memoryOf(s), before);
        before = memoryOf(s);
    }
}

TEST(DeviceMemory, CountsMicroBatchesInFlight) {
    ParallelLayout layout;
    layout.pipeline = 4;
    EXPECT_EQ(microBatchesInFlight(layout, 16, 0), 4);
    EXPECT_EQ(microBatchesInFlight(layout, 16, 3), 1);
    EXPECT_EQ(microBatchesInFlight(layout, 2, 0), 2);
    layout.chunks = 2;  // p (1 + (p - 1) / (p v)) micro-batches of all its layers, arXiv 2205.05198
    EXPECT_EQ(microBatchesInFlight(layout, 16, 0), 4 * (1 + 3.0 / 8));
}

TEST(DeviceMemory, OfTheDeepLinearModelIsThePeakOfItsPlan) {
    RunConfig config{.dim = 512, .layers = 6, .batch = 256};
    Scenario s;
    s.model = modelOf(config);
    const auto plan = planStep(config, cpuTraits());
    ASSERT_TRUE(plan.has_value());
    const Bytes peak = summariseCurve(memoryCurve(*plan)).peakBytes;
    EXPECT_EQ(memoryOf(s), static_cast<double>(peak));
    s.cluster.devices = 4;  // a quarter of the batch each
    config.batch = 64;
    EXPECT_EQ(memoryOf(s),
              static_cast<double>(summariseCurve(memoryCurve(*planStep(config, cpuTraits()))).peakBytes));
}

TEST(DeviceMemory, OfTheDeepLinearModelIsThatOfTheDevicesBackend) {
    const RunConfig config{.dim = 1024, .layers = 4, .batch = 512, .precision = Precision::Fp8};
    Scenario s;
    s.model = modelOf(config);
    s.cluster.device = HardwareDatabase::builtIn().find("H100 SXM").value();
    const auto plan = planStep(config, *cudaTraits(90));
    ASSERT_TRUE(plan.has_value()) << plan.error().text();
    EXPECT_EQ(memoryOf(s), static_cast<double>(summariseCurve(memoryCurve(*plan)).peakBytes));
    s.cluster.device = HardwareDatabase::builtIn().find("A100 SXM4 80").value();
    const auto refused = memoryPerDevice(s);
    ASSERT_FALSE(refused.has_value());
    EXPECT_NE(refused.error().text().find("no products of fp8"), std::string::npos) << refused.error().text();
}

/// Every recipe that the deep linear model can be trained with gives the memory of the run that it names, and
/// nothing beside the configuration says otherwise.
TEST(DeviceMemory, OfTheDeepLinearModelIsThatOfItsRecipe) {
    RunConfig config{.dim = 512, .layers = 6, .batch = 64, .optimizer = Optimizer::Adam};
    config.settings[Setting::Amsgrad] = 1;
    std::set<double> different;
    for (const NamedRecipe& named : namedRecipes()) {
        Scenario s;
        chooseLinear(s, config);
        const auto chosen = chooseRecipe(s, named.key);
        ASSERT_EQ(chosen.has_value(), named.rule.has_value()) << named.key;
        if (!chosen.has_value()) {
            EXPECT_NE(chosen.error().text().find(named.key), std::string::npos) << chosen.error().text();
            EXPECT_NE(chosen.error().hint.find("fp32-adamw"), std::string::npos) << chosen.error().text();
            continue;
        }
        if (named.rule->precision == Precision::Fp8)
            s.cluster.device = HardwareDatabase::builtIn().find("H100 SXM").value();
        const auto plan = planStep(withRule(config, *named.rule), traitsOf(s));
        ASSERT_TRUE(plan.has_value()) << named.key;
        EXPECT_EQ(memoryOf(s), static_cast<double>(summariseCurve(memoryCurve(*plan)).peakBytes))
            << named.key;
        EXPECT_NEAR(*numberOf(s, Input::BytesPerParameter), named.recipe.bytesPerParameter(), 0.02)
            << named.key;
        different.insert(memoryOf(s));
        s.recipe = Recipe{};  // whatever this says
        EXPECT_EQ(memoryOf(s), static_cast<double>(summariseCurve(memoryCurve(*plan)).peakBytes));
        EXPECT_EQ(effectiveRecipe(s).weightBytes, named.recipe.weightBytes) << named.key;
    }
    EXPECT_GT(different.size(), 8U);
}

TEST(DeviceMemory, OfTheDeepLinearModelRefusesWhatOtherModelsAloneHave) {
    Scenario s;
    chooseLinear(s, RunConfig{});
    const double before = memoryOf(s);
    for (const auto& [input, value] :
         {std::pair{Input::Zero, 3.0}, std::pair{Input::Sequence, 4096.0}, std::pair{Input::Tensor, 2.0},
          std::pair{Input::Pipeline, 2.0}, std::pair{Input::Context, 2.0}, std::pair{Input::Expert, 2.0},
          std::pair{Input::Chunks, 2.0}, std::pair{Input::RecomputeInterval, 2.0},
          std::pair{Input::BytesPerParameter, 4.0}}) {
        const auto refused = setInput(s, input, value);
        ASSERT_FALSE(refused.has_value()) << info(input).key;
        EXPECT_NE(refused.error().text().find(info(input).key), std::string::npos) << refused.error().text();
    }
    EXPECT_EQ(memoryOf(s), before);
}

TEST(DeviceMemory, OfTheDeepLinearModelMindsItsMicroBatch) {
    RunConfig config;
    config.dim = 256;
    config.batch = 1024;
    Scenario s;
    chooseLinear(s, config);
    const double whole = memoryOf(s);
    EXPECT_EQ(*numberOf(s, Input::MicroBatch), 1024);
    ASSERT_TRUE(setInput(s, Input::MicroBatch, 128).has_value());
    config.microBatch = 128;
    EXPECT_EQ(memoryOf(s),
              static_cast<double>(summariseCurve(memoryCurve(*planStep(config, cpuTraits()))).peakBytes));
    EXPECT_LT(memoryOf(s), whole);
    s.cluster.devices = 16;  // 64 samples each
    const auto refused = memoryPerDevice(s);
    ASSERT_FALSE(refused.has_value());
    EXPECT_NE(refused.error().text().find("micro-batch"), std::string::npos) << refused.error().text();
}

TEST(DeviceMemory, SaysThePlainSumAndWhatIsBesideIt) {
    const Scenario llama = scenarioOf("llama-3-8b", 8);
    const auto memory = memoryPerDevice(llama);
    ASSERT_TRUE(memory.has_value());
    const StageMemory& stage = memory->worst();
    const double plain = partsOf(stage, Category::Parameters) + partsOf(stage, Category::Gradients) +
                         partsOf(stage, Category::OptimizerState) + partsOf(stage, Category::Activations);
    const auto answered = answer(Output::MemoryPerDevice, llama);
    ASSERT_TRUE(answered.has_value());
    ASSERT_FALSE(answered->notes.empty());
    const std::string& note = answered->notes.front();
    EXPECT_NE(note.find(" = " + formatQuantity(plain, "B") + ";"), std::string::npos) << note;
    EXPECT_NE(note.find(formatQuantity(stage.total() - plain, "B") + " more"), std::string::npos) << note;
    EXPECT_NE(note.find("fp32 master copy"), std::string::npos) << note;
    Scenario s;
    chooseLinear(s, RunConfig{});
    const auto linear = answer(Output::MemoryPerDevice, s);
    ASSERT_TRUE(linear.has_value());
    ASSERT_GE(linear->notes.size(), 2U);
    EXPECT_NE(linear->notes[0].find("plain sum: parameters"), std::string::npos) << linear->notes[0];
    EXPECT_NE(linear->notes[1].find("the peak is"), std::string::npos) << linear->notes[1];
}

TEST(DeviceMemory, SaysWhatAMereCountLeavesOut) {
    Scenario s;
    s.model = modelOfCount(7e9);
    const auto memory = memoryPerDevice(s);
    ASSERT_TRUE(memory.has_value());
    ASSERT_EQ(memory->notes.size(), 1U);
    EXPECT_NE(memory->notes[0].find("activations are left out"), std::string::npos);
}

TEST(Resolve, NamesWhatDoesNotDivideAndWhatDoes) {
    const auto refusal = [](const Scenario& s) {
        const auto plan = resolve(s);
        EXPECT_FALSE(plan.has_value());
        return plan.has_value() ? "" : plan.error().text();
    };
    Scenario s = scenarioOf("llama-3-8b", 8);
    s.parallel.tensor = 3;
    EXPECT_EQ(refusal(s),
              "devices 8 cannot be divided by tensor times pipeline times context 3: give --tensor 2");
    s.cluster.devices = 6;
    EXPECT_EQ(refusal(s), "heads 32 cannot be divided by tensor 3: give --tensor 2");
    s = scenarioOf("llama-3-8b", 8);
    s.workload.batch = 12;
    EXPECT_EQ(refusal(s),
              "batch 12 cannot be divided by data-parallel devices times micro-batch 8: give --batch 16");
    s = scenarioOf("llama-3-8b", 8);
    s.parallel.expert = 2;
    EXPECT_NE(refusal(s).find("no experts"), std::string::npos);
    s = scenarioOf("mixtral-8x7b", 8);
    s.parallel.expert = 3;
    EXPECT_NE(refusal(s).find("experts 8 cannot be divided by expert 3"), std::string::npos);
    s = scenarioOf("gpt2", 1);
    s.workload.sequence = 2048;
    EXPECT_NE(refusal(s).find("1024 positions"), std::string::npos);
    s = scenarioOf("llama-3-8b", 8);
    s.parallel.chunks = 2;
    EXPECT_NE(refusal(s).find("nothing to interleave"), std::string::npos);
}

}  // namespace
}  // namespace plumb::planner
