// SPDX-License-Identifier: Apache-2.0
#include "core/planner/adaptation.h"

#include "core/base/quantity.h"
#include "core/io/file.h"
#include "core/planner/answer.h"
#include "core/planner/conventions.h"
#include "core/planner/holding.h"
#include "core/planner/memory.h"
#include "core/planner/step_time.h"
#include "core/planner/work.h"
#include "tests/core/planner/random_scenarios.h"
#include "tests/core/planner/scenarios.h"

#include "test_paths.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <array>
#include <cmath>

namespace plumb::planner {
namespace {

using nlohmann::json;

json testData(const char* name) {
    const auto text = readFile(std::string(PLUMB_TEST_DATA "/planner/") + name, std::size_t{1} << 20U);
    EXPECT_TRUE(text.has_value()) << name;
    return json::parse(*text);
}

Transformer knownModel(const std::string& key) {
    if (const auto preset = findModel(key); preset.has_value()) return *preset->transformer();
    const json families = testData("families.json");
    for (const json& entry : families["models"])
        if (entry["key"] == key) return *modelFromConfig(entry["config"].dump(), key)->transformer();
    ADD_FAILURE() << key;
    return {};
}

Adaptation adapted(FineTuning method, std::int64_t rank, std::string_view targets,
                   std::string_view frozen = {}) {
    Adaptation a;
    chooseMethod(a, method);
    a.rank = rank;
    EXPECT_TRUE(setTargets(a, targets).has_value()) << targets;
    EXPECT_TRUE(setFrozen(a, frozen).has_value()) << frozen;
    return a;
}

Adaptation frozen(std::string_view parts) {
    Adaptation a;
    EXPECT_TRUE(setFrozen(a, parts).has_value()) << parts;
    return a;
}

/// LLaMA 1, which QLoRA's paper trains: its sizes as published.
ModelSpec llama1(int layers, int hidden, int heads, int inner) {
    const json config{
        {"model_type", "llama"},           {"hidden_size", hidden},        {"intermediate_size", inner},
        {"num_hidden_layers", layers},     {"num_attention_heads", heads}, {"vocab_size", 32000},
        {"max_position_embeddings", 2048}, {"rms_norm_eps", 1e-5},         {"hidden_act", "silu"},
        {"tie_word_embeddings", false}};
    return *modelFromConfig(config.dump(), "LLaMA");
}

double bytesOf(const Scenario& s, std::string_view label) {
    const auto memory = memoryPerDevice(s);
    EXPECT_TRUE(memory.has_value());
    double bytes = 0;
    for (const MemoryPart& part : memory->worst().parts)
        if (part.label == label) bytes += part.bytes;
    return bytes;
}

TEST(Adaptation, CountsAdaptersExactlyAsPeftDoes) {
    const json counts = testData("adapter_counts.json");
    EXPECT_GE(counts["counts"].size(), 19U);
    for (const json& entry : counts["counts"]) {
        const Adaptation a = adapted(FineTuning::Lora, entry["rank"], entry["targets"].get<std::string>(),
                                     entry["freeze"].get<std::string>());
        const Transformer m = knownModel(entry["model"]);
        ASSERT_TRUE(checkAdaptation({"", "", m}, a).has_value()) << entry.dump();
        EXPECT_EQ(countTrained(m, a).total(), entry["trained"].get<std::int64_t>()) << entry.dump();
    }
}

/// Hu et al. 2021 (arXiv 2106.09685), section 7.1: 18 million with rank 8 on one matrix of attention or rank
/// 4 on two, for all 96 layers of GPT-3 175B; with rank 1 on two 4.7 million, with rank 8 on two 37.7
/// million.
TEST(Adaptation, HasTheCountsOfTheLoraPaper) {
    const Transformer gpt3 = knownModel("gpt3-175b");
    const auto millions = [&](std::int64_t rank, const char* targets) {
        return static_cast<double>(countTrained(gpt3, adapted(FineTuning::Lora, rank, targets)).total()) /
               1e6;
    };
    for (const char* one : {"q", "k", "v", "o"}) EXPECT_NEAR(millions(8, one), 18.87, 0.01);
    EXPECT_NEAR(millions(4, "q,v"), 18.87, 0.01);
    EXPECT_NEAR(millions(2, "q,k,v,o"), 18.87, 0.01);
    EXPECT_NEAR(millions(1, "q,v"), 4.7, 0.05);
    EXPECT_NEAR(millions(8, "q,v"), 37.7, 0.05);
}

/// Dettmers et al. 2023 (arXiv 2305.14314): constants take 0.5 bits of a parameter, quantised once more
/// 8/64 + 32/(64 * 256) = 0.127.
TEST(Adaptation, KeepsConstantsInTheBitsOfTheQloraPaper) {
    Adaptation a;
    EXPECT_NEAR(8 * quantisedBytes(a) - 4, 0.127, 5e-4);
    a.doubleQuantised = false;
    EXPECT_DOUBLE_EQ(8 * quantisedBytes(a) - 4, 0.5);
}

/// The same paper: LLaMA 65B takes more than 780 GB to train in full in 16 bits, and with rank 64 on all
/// matrices a card of 48 GB, 33B one of 24 GB, once the optimizer's states are paged out (figure 6).
TEST(Adaptation, FitsTheCardsOfTheQloraPaper) {
    Scenario s = scenarioOf("llama-2-7b", 1);
    s.model = llama1(80, 8192, 64, 22016);
    s.workload.sequence = 512;
    s.recipe = findRecipe("bf16-adamw")->recipe;
    const auto tensors = [&] {
        return bytesOf(s, "weights") + bytesOf(s, "gradients") + bytesOf(s, "optimizer state");
    };
    EXPECT_NEAR(tensors() / 1e9, 783, 2);
    s.recipe = findRecipe("mixed-adamw")->recipe;
    s.recipe.recompute = Recompute::Full;
    s.adaptation = adapted(FineTuning::QLora, 64, "all-linear");
    const auto withoutStates = [&] {
        return memoryPerDevice(s)->worst().total() - bytesOf(s, "optimizer state");
    };
    EXPECT_LT(withoutStates(), 48 * 0x1p30);
    EXPECT_GT(withoutStates(), 0.8 * 48e9);  // and not by far
    s.model = llama1(60, 6656, 52, 17920);
    EXPECT_LT(withoutStates(), 24 * 0x1p30);
    EXPECT_GT(withoutStates(), 0.8 * 24e9);
    s.adaptation.method = FineTuning::Lora;
    EXPECT_GT(withoutStates(), 48 * 0x1p30);
}

/// torchtune (README of September 2024, peak memory): batches of 2 x 2048 tokens, every layer recomputed,
/// AdamW with moments in bf16, loss in chunks; allocated tensors, without context. Llama 3.1 8B with
/// LoRA 16.2 GiB and with QLoRA 7.4 GiB on one card, 70B with LoRA over 8 cards 27.6 GiB.
TEST(Adaptation, ComesWithinTenPercentOfTorchtunesMemory) {
    struct Row {
        const char* model;
        FineTuning method;
        std::int64_t devices;
        double gibibytes;
    };
    for (const Row& row :
         {Row{"llama-3-8b", FineTuning::Lora, 1, 16.2}, Row{"llama-3-8b", FineTuning::QLora, 1, 7.4},
          Row{"llama-3-70b", FineTuning::Lora, 8, 27.6}}) {
        Scenario s = scenarioOf(row.model, row.devices);
        s.workload.sequence = 2048;
        s.parallel.microBatch = 2;
        s.recipe = findRecipe("bf16-adamw-all")->recipe;
        s.recipe.recompute = Recompute::Full;
        s.adaptation = adapted(row.method, 8, "all-linear");
        for (const Input none :
             {Input::LogitBytes, Input::DeviceOverhead, Input::Fragmentation, Input::BufferBytes})
            s.given[none] = Range{0, 0, 0};
        const auto bytes = evaluate(Output::MemoryPerDevice, s);
        ASSERT_TRUE(bytes.has_value()) << bytes.error().text();
        EXPECT_NEAR(*bytes / (row.gibibytes * 0x1p30), 1, 0.1) << row.model << ' ' << name(row.method);
    }
}

TEST(Adaptation, CountsFourFlopsForFrozenMatricesAndNoneBelowTheFirstTrainedLayer) {
    const Transformer m = knownModel("llama-2-7b");
    const Recipe recipe;
    const Work full = workPerToken(m, recipe, 4096);
    EXPECT_DOUBLE_EQ(full.model(), 3 * (full.weightForward + full.attentionForward));
    const Work lora = workPerToken(m, recipe, 4096, adapted(FineTuning::Lora, 8, "q,v"));
    // 32 layers, rank 8, two matrices of 4096 x 4096: 4 194 304 entries, 6 FLOPs each.
    const double base = full.weightForward;
    EXPECT_DOUBLE_EQ(lora.weightForward + lora.weightBackward, 2 * base + 6 * 4194304.0);
    EXPECT_DOUBLE_EQ(lora.model() - lora.weightForward - lora.weightBackward, 3 * full.attentionForward);
    // The upper half of 32 equal layers, and the head.
    const Work half = workPerToken(m, recipe, 4096, frozen("embeddings,layers:0-15"));
    const double head = 2.0 * 32000 * 4096, layers = base - head;
    EXPECT_DOUBLE_EQ(half.weightBackward, 2 * (layers / 2 + head));
    EXPECT_DOUBLE_EQ(half.backwardShare, 0.5);
    // Frozen in the middle: gradients pass through.
    const Work middle = workPerToken(m, recipe, 4096, frozen("embeddings,layers:8-15"));
    EXPECT_DOUBLE_EQ(middle.weightBackward, layers + head + 0.75 * layers + head);
    // A head alone: nothing before it has a gradient.
    const Work alone = workPerToken(m, recipe, 4096, frozen("embeddings,attention,feed-forward,norms"));
    EXPECT_DOUBLE_EQ(alone.weightBackward, head);
    EXPECT_DOUBLE_EQ(alone.recomputed, 0);
    // Trained embeddings need all layers backward, whatever is frozen.
    EXPECT_DOUBLE_EQ(workPerToken(m, recipe, 4096, frozen("layers:0-15")).backwardShare, 1);
}

TEST(Adaptation, FreezesPartsAndLayersByTheirParameters) {
    const Transformer m = knownModel("llama-2-7b");
    const ParameterCounts n = countParameters(m);
    EXPECT_EQ(countTrained(m, {}).total(), n.total);
    EXPECT_EQ(countTrained(m, frozen("embeddings")).total(), n.total - n.embedding);
    const std::int64_t layer = (n.attention + n.feedForward) / 32 + std::int64_t{2} * 4096;
    EXPECT_EQ(countTrained(m, frozen("layers:0-11")).total(), n.total - 12 * layer);
    EXPECT_EQ(countTrained(m, frozen("embeddings,attention,feed-forward,layers:31-31")).total(),
              std::int64_t{32000 + 2 * 31 + 1} * 4096);
    const Transformer sparse = knownModel("mixtral-8x7b");
    const ParameterCounts x = countParameters(sparse);
    EXPECT_EQ(countTrained(sparse, frozen("experts,router")).total(), x.total - x.experts - x.router);
}

/// Stages of a pipeline, tensor parallelism aside, hold what the whole model holds.
TEST(Adaptation, IsSpreadOverStagesWithoutLoss) {
    for (const char* key : {"llama-2-7b", "mixtral-8x7b", "gpt-neox-20b"})
        for (const Adaptation& a :
             {adapted(FineTuning::Lora, 8, "q,v"), adapted(FineTuning::QLora, 64, "all-linear"),
              adapted(FineTuning::Lora, 4, "up,down", "layers:3-9"), frozen("embeddings,layers:0-12"),
              frozen("attention,head")}) {
            Scenario s = scenarioOf(key, 4);
            s.adaptation = a;
            s.parallel.pipeline = 4;
            const Transformer& m = *s.model.transformer();
            Holding sum;
            std::vector<Stage> stages = stagesOf(m, s.parallel, a);
            for (std::size_t i = 0; i < stages.size(); ++i) {
                const StageHolding held = holdingOf(s, m, stages[i]);
                // Two stages of the middle are shown as one where they are equal.
                const double times = stages.size() == 3 && i == 1 ? 2 : 1;
                sum += held.dense * times;
                sum += held.experts * times;
            }
            const Holding all = holdingOf(s);
            EXPECT_NEAR(sum.trained, all.trained, 1e-9 * all.trained) << key << adaptationText(a);
            EXPECT_NEAR(sum.parameters, all.parameters, 1e-9 * all.parameters) << key << adaptationText(a);
            EXPECT_NEAR(sum.quantised, all.quantised, 1e-9 * all.parameters) << key << adaptationText(a);
        }
}

/// The products of the op list do the FLOPs that workPerToken() counts on its own.
TEST(Adaptation, StepsDoTheFlopsThatAreCounted) {
    for (const char* key :
         {"llama-2-7b", "mixtral-8x7b", "deepseek-v3", "gpt2", "gemma-2b", "bert-base", "vit-base"})
        for (const Recompute recompute : {Recompute::None, Recompute::Full})
            for (const char* how :
                 {"lora q,o", "qlora all-linear", "lora down layers:0-4", "full embeddings,head",
                  "full layers:0-7", "full embeddings,head,layers:0-7", "full attention,norms,layers:2-5"}) {
                const std::string text(how);
                const auto space = text.find(' ');
                const auto method = text.starts_with("full")    ? FineTuning::Full
                                    : text.starts_with("lora ") ? FineTuning::Lora
                                                                : FineTuning::QLora;
                const auto rest = text.substr(space + 1), second = rest.substr(rest.find(' ') + 1);
                Scenario s = scenarioOf("gpt2", 1);
                s.model.kind = knownModel(key);
                s.adaptation = method == FineTuning::Full ? frozen(rest)
                                                          : adapted(method, 8, rest.substr(0, rest.find(' ')),
                                                                    second == rest ? "" : second);
                s.recipe.recompute = recompute;
                ASSERT_TRUE(setInput(s, Input::ExpertImbalance, 1.0).has_value());
                s.workload.sequence = std::string(key) == "vit-base" ? 197 : 512;
                const auto time = stepTime(s);
                ASSERT_TRUE(time.has_value()) << key << ' ' << how << ": " << time.error().text();
                double flops = 0;
                for (const TimedOp& op : time->ops)
                    if (op.product) flops += op.flops;
                EXPECT_NEAR(flops / time->hardwareFlops, 1, 1e-9) << key << ' ' << how;
            }
}

TEST(Adaptation, OfNothingIsThatOfAnyTraining) {
    RandomScenarios scenarios(14);
    for (int i = 0; i < 200; ++i) {
        Scenario s = scenarios.draw();
        s.adaptation = {};
        const Holding held = holdingOf(s);
        EXPECT_EQ(held.trained, held.parameters);
        EXPECT_EQ(held.quantised, 0);
        EXPECT_EQ(meanRecipe(s).bytesPerParameter(), effectiveRecipe(s).bytesPerParameter());
        const Transformer* m = s.model.transformer();
        if (m == nullptr) continue;
        EXPECT_EQ(countTrained(*m, {}).total(), countParameters(*m).total);
    }
}

/// What is trained less costs less: memory, traffic and FLOPs, whatever the layout. Adapters add little.
TEST(Adaptation, NeverCostsMoreThanTrainingAll) {
    RandomScenarios scenarios(62);
    int tried = 0;
    for (int i = 0; i < 600; ++i) {
        Scenario s = scenarios.draw();
        s.given[Input::BytesPerParameter].reset();
        if (s.model.transformer() == nullptr || s.adaptation.trainsAll()) continue;
        s.adaptation.rank = 1;
        Scenario all = s;
        all.adaptation = {};
        const auto most = memoryPerDevice(all), less = memoryPerDevice(s);
        if (!most.has_value() || !less.has_value()) continue;
        ++tried;
        if (s.adaptation.method != FineTuning::QLora) {
            const double adapters = holdingOf(s).parameters - s.model.parameters();
            const double theirs = 40 * adapters;  // at most this many bytes of each
            EXPECT_LE(less->worst().total(), most->worst().total() * (1 + 0.05) + theirs)
                << adaptationText(s.adaptation);
        }
        const auto work = workPerToken(s), before = workPerToken(all);
        ASSERT_TRUE(work.has_value() && before.has_value());
        const double extra = 6 * countTrained(*s.model.transformer(), s.adaptation).multipliedAdapters;
        EXPECT_LE(work->model(), before->model() * (1 + 1e-12) + extra) << adaptationText(s.adaptation);
        EXPECT_GE(work->model(), (work->weightForward + work->attentionForward) * (1 - 1e-12));
    }
    EXPECT_GT(tried, 30);
}

TEST(Adaptation, KeepsInputsOfTrainedProductsAlone) {
    const Transformer m = knownModel("llama-2-7b");
    const auto bytes = [&](const Adaptation& a, bool frozenLayer = false) {
        return activationBytesPerLayer(m, Recipe{}, ParallelLayout{}, 4096, false, Software::Eager,
                                       keptInputs(m, a, false, frozenLayer)) /
               4096;
    };
    const double all = bytes({});
    // Queries and values: the block's two inputs are not kept, h and the inner width of 2 bytes each, and the
    // inner widths of two adapters are.
    EXPECT_DOUBLE_EQ(bytes(adapted(FineTuning::Lora, 8, "q,v")), all - 2 * (4096 + 11008) + 2 * 16);
    EXPECT_DOUBLE_EQ(bytes(adapted(FineTuning::Lora, 8, "all-linear")), all + 2 * 7 * 8);
    EXPECT_DOUBLE_EQ(bytes(frozen("attention")), all - 2 * 4096);
    EXPECT_DOUBLE_EQ(bytes(frozen("layers:0-3"), true), all - 2 * (2 * 4096 + 11008));
}

TEST(Adaptation, SendsGradientsOfWhatIsTrainedAlone) {
    Scenario s = scenarioOf("llama-2-7b", 8);
    s.parallel.sharding = Sharding::None;
    s.adaptation = adapted(FineTuning::Lora, 8, "q,v");
    const auto traffic = [&] { return stepTime(s)->traffic.front().bytes; };
    EXPECT_DOUBLE_EQ(traffic(), 2 * 7.0 / 8 * 2 * 4194304);
    s.parallel.sharding = Sharding::State;  // and the updated weights
    EXPECT_DOUBLE_EQ(traffic(), 2 * 7.0 / 8 * 2 * 4194304);
    s.parallel.sharding = Sharding::Weights;  // all weights, twice for the one micro-batch
    const double n = s.model.parameters() + 4194304;
    EXPECT_DOUBLE_EQ(traffic(), 7.0 / 8 * (2 * 2 * n + 2 * 4194304));
}

/// Read in 4 bits with their constants and written in 16, once for each pass that multiplies with them.
TEST(Adaptation, TakesWeightsOutOfFourBitsForEveryPass) {
    Scenario s = scenarioOf("llama-2-7b", 1);
    s.adaptation = adapted(FineTuning::QLora, 8, "q,v", "layers:0-7");
    s.recipe.recompute = Recompute::Full;
    const double entries = 32.0 * (4.0 * 4096 * 4096 + 3.0 * 4096 * 11008);
    EXPECT_DOUBLE_EQ(holdingOf(s).quantised, entries);
    const auto time = stepTime(s);
    ASSERT_TRUE(time.has_value());
    const auto bytes = [&](const std::string& label) {
        for (const TimedOp& op : time->ops)
            if (op.label == label) return op.bytes;
        return 0.0;
    };
    const double once = entries * (0.5 + 1 / 64.0 + 4 / (64.0 * 256) + 2);
    EXPECT_NEAR(bytes("weights out of 4 bits, forward") / once, 1, 1e-9);
    EXPECT_NEAR(bytes("weights out of 4 bits, backward") / once, 0.75, 1e-9);
    EXPECT_NEAR(bytes("weights out of 4 bits, again") / once, 0.75, 1e-9);
    EXPECT_DOUBLE_EQ(bytesOf(s, "a matrix out of its 4 bits"), 2.0 * 4096 * 11008);
}

TEST(Adaptation, WritesAdaptersToDisk) {
    Scenario s = scenarioOf("llama-2-7b", 1);
    s.adaptation = adapted(FineTuning::Lora, 8, "q,v");
    EXPECT_DOUBLE_EQ(*evaluate(Output::CheckpointBytes, s), 14.0 * 4194304);  // 2 weights, 4 master, 8 states
    EXPECT_DOUBLE_EQ(*evaluate(Output::TrainedParameters, s), 4194304);
    s.adaptation = frozen("embeddings");
    const double n = s.model.parameters(), words = 32000.0 * 4096;
    EXPECT_NEAR(*evaluate(Output::CheckpointBytes, s), 2 * n + 12 * (n - words), 1);
    EXPECT_EQ(*evaluate(Output::DevicesToHold, s), std::ceil((2 * n + 14 * (n - words)) / 80e9));
}

TEST(Adaptation, RefusesWhatCannotBeTrainedSo) {
    const auto refusal = [](const char* model, const Adaptation& a) {
        const auto checked = checkAdaptation({"", "", knownModel(model)}, a);
        return checked.has_value() ? std::string() : checked.error().text();
    };
    const auto lora = [](std::int64_t rank, const char* targets, const char* off = "") {
        return adapted(FineTuning::Lora, rank, targets, off);
    };
    const std::array<std::tuple<std::string, const char*>, 9> kRefused{
        {{refusal("gpt2", lora(8, "gate")), "no gate"},
         {refusal("deepseek-v3", lora(8, "k")), "one product for keys and values"},
         {refusal("llama-2-7b", lora(5000, "q")), "above the width of the queries (4096)"},
         {refusal("llama-2-7b", lora(8, "q", "embeddings")), "frozen beside adapters"},
         {refusal("llama-2-7b", lora(8, "q", "layers:0-31")), "nothing is left to train"},
         {refusal("llama-2-7b", frozen("layers:30-32")), "layers 0 to 31"},
         {refusal("gpt2", frozen("head")), "head of this model is its embedding"},
         {refusal("llama-2-7b", frozen("experts")), "no experts"},
         {refusal("llama-2-7b", frozen("embeddings,attention,feed-forward,norms,head")), "nothing is left"}}};
    for (const auto& [text, expected] : kRefused) EXPECT_NE(text.find(expected), std::string::npos) << text;
    EXPECT_FALSE(checkAdaptation(modelOfCount(7e9), lora(8, "q")).has_value());
    EXPECT_EQ(refusal("gpt2", lora(8, "all-linear")), "");
    Scenario s = scenarioOf("llama-2-7b", 1);
    s.adaptation = lora(8, "q");
    s.given[Input::BytesPerParameter] = Range{8, 8, 8};
    for (const Output output : {Output::MemoryPerDevice, Output::DevicesToHold, Output::TrainingFlops})
        EXPECT_FALSE(evaluate(output, s).has_value());
    Adaptation a;
    for (const char* bad : {"", "x", "q,,v", "qv", "all"})
        EXPECT_FALSE(setTargets(a, bad).has_value()) << bad;
    for (const char* bad : {"x", "layers", "layers:", "layers:5-3", "layers:-1", "layers:a-b", "layers:1-",
                            "layers:0-1,layers:3-4", "layers:99999999999999999999"})
        EXPECT_FALSE(setFrozen(a, bad).has_value()) << bad;
    EXPECT_EQ(a, Adaptation{});
    EXPECT_TRUE(setTargets(a, "q_proj, v_proj").has_value());
    EXPECT_EQ(targetsText(a), "q,v");
    EXPECT_TRUE(setFrozen(a, "head,layers:3").has_value());
    EXPECT_EQ(frozenText(a), "head,layers:3-3");
}

TEST(Adaptation, IsSaidAmongTheConventions) {
    Scenario s = scenarioOf("llama-2-7b", 1);
    s.adaptation = adapted(FineTuning::QLora, 8, "q,v");
    const std::array<Output, 1> outputs{Output::StepSeconds};
    const std::string line = conventionsLine(outputs, s);
    // peft prints these two numbers of Llama 2 7B.
    for (const std::string& part :
         {"QLoRA of rank 8 on q,v: " + formatExact(4194304, "") + " of " + formatExact(6742609920, "") +
              " parameters are trained",
          std::string("16 B per trained parameter, 2 B per frozen one and 0.5159 B per one in 4 bits"),
          std::string("no weight gradient (4 FLOPs instead of 6)")})
        EXPECT_NE(line.find(part), std::string::npos) << line;
}

}  // namespace
}  // namespace plumb::planner
