// SPDX-License-Identifier: Apache-2.0
#include "core/io/file.h"
#include "core/planner/inputs.h"
#include "core/planner/memory.h"
#include "core/planner/serving.h"
#include "core/planner/stage.h"
#include "core/planner/step_time.h"
#include "core/planner/work.h"
#include "tests/core/planner/scenarios.h"

#include "test_paths.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <functional>

namespace plumb::planner {
namespace {

using nlohmann::json;

struct FamilyModel {
    std::string key;
    ModelSpec spec;
    [[nodiscard]] const Transformer& transformer() const { return *spec.transformer(); }
};

/// The presets and those of tests/data/planner/families.json: one at least of every family.
const std::vector<FamilyModel>& familyModels() {
    static const std::vector<FamilyModel> models = [] {
        std::vector<FamilyModel> result;
        for (const ModelPreset& preset : modelPresets()) result.push_back({preset.key, preset.model});
        const auto text = readFile(PLUMB_TEST_DATA "/planner/families.json", std::size_t{1} << 20U);
        EXPECT_TRUE(text.has_value());
        const json document = json::parse(*text);
        for (const json& entry : document["models"]) {
            auto model = modelFromConfig(entry["config"].dump(), entry["key"]);
            EXPECT_TRUE(model.has_value()) << model.error().text();
            if (model.has_value()) result.push_back({entry["key"], *model});
        }
        return result;
    }();
    return models;
}

const Transformer& modelOfKey(std::string_view key) {
    for (const FamilyModel& model : familyModels())
        if (model.key == key) return model.transformer();
    ADD_FAILURE() << key;
    return familyModels().front().transformer();
}

TEST(Families, StagesHoldEveryParameterOnceAndATiedHeadOnBothEnds) {
    for (const auto& [key, spec] : familyModels()) {
        const Transformer& m = *spec.transformer();
        const auto total = static_cast<double>(countParameters(m).total);
        const auto one = stagesOf(m, ParallelLayout{});
        ASSERT_EQ(one.size(), 1U);
        EXPECT_NEAR(one[0].denseParameters + one[0].expertParameters, total, 1e-9 * total) << key;
        if (m.layers % 2 != 0) continue;
        ParallelLayout halves;
        halves.pipeline = 2;
        double sum = 0;
        for (const Stage& stage : stagesOf(m, halves)) sum += stage.denseParameters + stage.expertParameters;
        const double twice = m.tiedEmbeddings ? static_cast<double>(m.vocabulary * m.hidden) : 0;
        EXPECT_NEAR(sum, total + twice, 1e-9 * total) << key;
    }
}

/// The products of the op list against the FLOPs that workPerToken() counts on its own.
TEST(Families, StepsDoTheFlopsThatTheModelHas) {
    for (const auto& [key, spec] : familyModels()) {
        Scenario s = scenarioOf("gpt2", 1);
        s.model = spec;
        ASSERT_TRUE(setInput(s, Input::ExpertImbalance, 1.0).has_value());
        const std::int64_t positions = spec.transformer()->positions;
        s.workload.sequence =
            spec.transformer()->patch > 0 ? positions : std::min<std::int64_t>(positions, 9000);
        for (const bool fused : {false, true}) {
            s.recipe.fusedAttention = fused;
            const auto time = stepTime(s);
            ASSERT_TRUE(time.has_value()) << key << ": " << time.error().text();
            double products = 0;
            for (const TimedOp& op : time->ops)
                if (op.product) products += op.flops;
            EXPECT_NEAR(products, time->hardwareFlops, 1e-9 * products) << key;
        }
    }
}

Scenario scenarioOfKey(std::string_view key) {
    Scenario s = scenarioOf("gpt2", 1);
    s.model = ModelSpec{.name = std::string(key), .source = "test", .kind = modelOfKey(key)};
    return s;
}

/// t5-small: 512 tokens of either stack. Encoder: 6 layers of 4·512² + 2·512·2048 weights; decoder the same
/// and once more the 4·512² of its second attention; the head. Pairs: 512 x 512 in each of 18 attentions.
TEST(Families, AnEncoderAndADecoderWorkEachOnItsOwnTokens) {
    const Work work = workPerToken(modelOfKey("t5-small"), Recipe{}, 512);
    const double attention = 4.0 * 512 * 512, block = 2.0 * 512 * 2048;
    EXPECT_NEAR(work.weightForward, 2 * (6 * (attention + block) + 6 * (2 * attention + block) + 32128 * 512),
                1);
    EXPECT_NEAR(work.weightBackward, 2 * work.weightForward, 1);
    EXPECT_NEAR(work.attentionForward, 18 * 2.0 * 2 * 512 * 512, 1);
    // Only the decoder's own pairs are masked.
    EXPECT_NEAR(work.causalForward, (12 * 512 + 6 * 513 / 2.0) * 2 * 2 * 512, 1);

    // Whisper tiny: 1500 tokens of 3000 frames, whatever is said.
    const Transformer& m = modelOfKey("whisper-tiny");
    for (const std::int64_t words : {1, 100, 448}) {
        const Work its = workPerToken(m, Recipe{}, words);
        const double h = 384, plain = 4 * (4 * h * h + 2 * h * 1536), s = static_cast<double>(words);
        const double convolutions = 3000 * 3 * 80 * h + 1500 * 3 * h * h;
        const double sample =
            1500 * plain + convolutions + s * plain + 4 * (s * 2 * h * h + 1500 * 2 * h * h) + s * 51865 * h;
        EXPECT_NEAR(its.weightForward * s / (2 * sample), 1, 1e-12) << words;
        const double pairs = 4 * (1500.0 * 1500 + s * s + s * 1500);
        EXPECT_NEAR(its.attentionForward * s / (4 * h * pairs), 1, 1e-12) << words;
    }
}

/// To the last FLOP, as PyTorch counts a forward pass (tests/data/planner/count_forward_flops.py).
TEST(Families, AnEncoderAndADecoderDoTheFlopsThatTorchCounts) {
    const auto text = readFile(PLUMB_TEST_DATA "/planner/forward_flops.json", std::size_t{1} << 20U);
    ASSERT_TRUE(text.has_value()) << text.error().text();
    const json counts = json::parse(*text)["counts"];
    EXPECT_EQ(counts.size(), 8U);
    for (const json& each : counts) {
        const std::int64_t tokens = each["tokens"];
        const Work work = workPerToken(modelOfKey(each["key"].get<std::string>()), Recipe{}, tokens);
        EXPECT_NEAR(static_cast<double>(tokens) * (work.weightForward + work.attentionForward),
                    each["flops"].get<double>(), 0.5)
            << each;
    }
}

/// With fused attention and 2 bytes an element, of one sequence and layer, in full.
TEST(Families, BothStacksKeepTheirActivations) {
    Scenario s = scenarioOfKey("t5-small");
    s.software = Software::Eager;
    s.workload.sequence = 512;
    ASSERT_TRUE(s.recipe.fusedAttention);
    ASSERT_TRUE(setInput(s, Input::ActivationFactor, 1.0).has_value());
    const auto bytes = [&](std::string_view label) {
        const auto memory = memoryPerDevice(s);
        EXPECT_TRUE(memory.has_value()) << memory.error().text();
        for (const MemoryPart& part : memory->worst().parts)
            if (part.label == label) return part.bytes;
        return 0.0;
    };
    // Two norms and their results, queries, keys, values, result and statistics; the block before and behind
    // its activation.
    const double attention = 2 * 512 * 2 + 4 * 512 * 2 + 4 * 8, block = 2 * 512 * 2 + 2 * 2048 * 2;
    EXPECT_NEAR(bytes("activations of the encoder's layers"), 512 * 6 * (attention + block), 1);
    EXPECT_NEAR(bytes("activations of the layers"), 512 * 6 * (2 * attention + block), 1);
    EXPECT_NEAR(bytes("result of the encoder"), 2 * 512 * 512 * 2, 1);
    EXPECT_NEAR(bytes("token ids of the encoder"), 8 * 512, 1);
    s.recipe.recompute = Recompute::Full;
    EXPECT_NEAR(bytes("kept inputs of the encoder's layers"), 6 * 512 * 512 * 2, 1);
    EXPECT_EQ(bytes("activations of the encoder's layers"), 0);
    s = scenarioOfKey("whisper-tiny");
    EXPECT_NEAR(bytes("frames of sound"), 2 * 3000 * 80, 1);
    EXPECT_NEAR(bytes("activations of the convolutions"), 5 * 1500 * 384 * 2, 1);
}

TEST(Families, WhatIsNotModelledOfTwoStacksIsRefused) {
    const auto refusal = [](const std::function<void(Scenario&)>& change) {
        Scenario s = scenarioOfKey("t5-base");
        s.cluster.devices = 8;
        EXPECT_TRUE(stepTime(s).has_value());
        change(s);
        const auto time = stepTime(s);
        return time.has_value() ? std::string("planned") : time.error().text();
    };
    EXPECT_NE(refusal([](Scenario& s) { s.parallel.pipeline = 2; }).find("--pipeline 2"), std::string::npos);
    EXPECT_NE(refusal([](Scenario& s) { s.parallel.tensor = 2; }).find("--tensor 2"), std::string::npos);
    EXPECT_NE(refusal([](Scenario& s) { s.parallel.context = 2; }).find("--context 2"), std::string::npos);
    EXPECT_NE(refusal([](Scenario& s) { s.recipe.recompute = Recompute::Alternate; }).find("whole layers"),
              std::string::npos);
    EXPECT_NE(refusal([](Scenario& s) { s.recipe.offload.optimizer = true; }).find("--offload"),
              std::string::npos);
    EXPECT_NE(refusal([](Scenario& s) { s.adaptation.method = FineTuning::Lora; }).find("trained in full"),
              std::string::npos);
    const auto served = serverOf(scenarioOfKey("t5-base"));
    ASSERT_FALSE(served.has_value());
    EXPECT_NE(served.error().text().find("has an encoder beside its decoder"), std::string::npos);
}

/// Pairs of a query and a key, counted one by one.
double meanPairs(std::int64_t sequence, const Transformer& m, bool windowed) {
    std::int64_t pairs = 0;
    for (std::int64_t query = 0; query < sequence; ++query)
        for (std::int64_t key = 0; key <= query; ++key) {
            const bool near = m.chunkedWindow ? query / m.slidingWindow == key / m.slidingWindow
                                              : query - key < m.slidingWindow;
            if (!windowed || near) ++pairs;
        }
    return static_cast<double>(pairs) / static_cast<double>(sequence);
}

TEST(Families, AttentionExecutesThePairsThatAWindowAndAMaskLeave) {
    const Recipe fused{};
    ASSERT_TRUE(fused.fusedAttention);
    for (const char* key : {"gemma-3-1b", "gpt-oss-20b", "phi-3-mini", "gpt-neo-1.3b", "llama-4-scout"})
        for (const std::int64_t window : {1, 7, 64, 100, 1000})
            for (const std::int64_t sequence : {1, 63, 64, 65, 300}) {
                Transformer m = modelOfKey(key);
                m.slidingWindow = window;
                const double spans =
                    static_cast<double>(m.windowedLayers) * meanPairs(sequence, m, true) +
                    static_cast<double>(m.layers - m.windowedLayers) * meanPairs(sequence, m, false);
                const double expected = 2 * static_cast<double>(m.queryWidth() + m.valueWidth()) * spans;
                EXPECT_NEAR(workPerToken(m, fused, sequence).executedForward, expected, 1e-9 * expected)
                    << key << " window " << window << " sequence " << sequence;
            }
}

TEST(Families, AnEncoderHasNoMaskThatAKernelCouldSkip) {
    const Recipe fused{};
    const Work encoder = workPerToken(modelOfKey("bert-base"), fused, 512);
    EXPECT_EQ(encoder.executedForward, encoder.attentionForward);
    EXPECT_EQ(encoder.skippedShare(), 0);
    EXPECT_GT(workPerToken(modelOfKey("opt-125m"), fused, 512).skippedShare(), 0);
    // 12 layers, 512 x 512 pairs of 768 numbers, twice; 85 million weights and the head with its own layer.
    EXPECT_EQ(encoder.attentionForward, 12 * 2.0 * 2 * 768 * 512);
    EXPECT_EQ(encoder.weightForward, 2.0 * (12 * (4 * 768 * 768 + 2 * 768 * 3072) + 768 * 768 + 30522 * 768));
}

/// 196 patches and the token of the class; 1000 classes are told apart once for an image.
TEST(Families, AnImageIsEmbeddedByPatchesAndAnsweredOnce) {
    const Transformer& m = modelOfKey("vit-base");
    EXPECT_EQ(m.positions, 197);
    const Work work = workPerToken(m, Recipe{}, 197);
    const double layers = 12 * (4.0 * 768 * 768 + 2 * 768 * 3072);
    EXPECT_NEAR(197 * work.weightForward, 2 * (197 * layers + 196 * 768 * 768 + 768 * 1000), 1);
    // arXiv 2103.14030, table 1: 17.5 G multiply-adds for an image of 224 pixels (DeiT-B, the same shape).
    EXPECT_NEAR(197 * (work.weightForward + work.attentionForward) / 2 / 1e9, 17.5, 0.1);
    Scenario s = scenarioOf("gpt2", 1);
    // So many classes that the loss is the fullest moment.
    Transformer many = m;
    many.vocabulary = 10'000'000;
    s.model.kind = many;
    EXPECT_EQ(sequenceOf(s), 197);
    const auto memory = memoryPerDevice(s);
    ASSERT_TRUE(memory.has_value()) << memory.error().text();
    const auto bytes = [&](std::string_view label) {
        for (const MemoryPart& part : memory->worst().parts)
            if (part.label == label) return part.bytes;
        return 0.0;
    };
    EXPECT_EQ(bytes("logits and final norm"),
              1e7 * numberOf(s, Input::LogitBytes).value() + 2 * 2.0 * 197 * 768);
    EXPECT_EQ(bytes("patches of the images"), 2.0 * 224 * 224 * 3);
    EXPECT_EQ(bytes("token ids and targets"), 0);
    s.workload.sequence = 196;
    const auto refused = memoryPerDevice(s);
    ASSERT_FALSE(refused.has_value());
    EXPECT_NE(refused.error().text().find("an image is 197 tokens"), std::string::npos)
        << refused.error().text();
}

TEST(Families, AnImagesLabelsAndPatchesAreNamedWhereTheyDoNotFit) {
    const auto refusal = [](json change) {
        json config{{"model_type", "vit"},     {"num_hidden_layers", 2},   {"hidden_size", 64},
                    {"intermediate_size", 96}, {"num_attention_heads", 4}, {"image_size", 32},
                    {"patch_size", 8},         {"num_labels", 10}};
        config.update(change);
        for (const auto& [key, value] : change.items())
            if (value.is_null()) config.erase(key);
        const auto model = modelFromConfig(config.dump(), "config.json");
        return model.has_value() ? std::to_string(model->transformer()->vocabulary) : model.error().text();
    };
    EXPECT_EQ(refusal(json::object()), "10");
    EXPECT_EQ(refusal({{"num_labels", nullptr}, {"id2label", {{"0", "cat"}, {"1", "dog"}}}}), "2");
    EXPECT_NE(refusal({{"num_labels", nullptr}}).find("num_labels is missing"), std::string::npos);
    EXPECT_NE(refusal({{"num_labels", nullptr}, {"id2label", json::object()}}).find("id2label has no labels"),
              std::string::npos);
    EXPECT_NE(refusal({{"patch_size", 7}}).find("does not divide image_size 32"), std::string::npos);
}

/// Bytes per token of one layer, of a model without dropout and with a fused kernel.
double layerBytes(const Transformer& m) {
    const Recipe recipe{};
    return activationBytesPerLayer(m, recipe, ParallelLayout{}, 1024, false) / 1024;
}

TEST(Families, KeepsTheInputsOfNormsAndBlocks) {
    Transformer m = modelOfKey("gemma-2-9b");
    const double hidden = Recipe{}.activationBytes * static_cast<double>(m.hidden);
    const double four = layerBytes(m);
    m.normsPerLayer = 2;
    EXPECT_NEAR(four - layerBytes(m), 2 * hidden, 1e-6 * four) << "a norm behind a block keeps its input";
    const double two = layerBytes(m);
    m.parallel = true;
    EXPECT_NEAR(two - layerBytes(m), hidden, 1e-6 * two) << "side by side they have one input";
    m.normsPerLayer = 1;
    EXPECT_NEAR(two - layerBytes(m), 2 * hidden, 1e-6 * two) << "and, with a norm for both, one normed input";
}

TEST(Families, HaveThePublishedSizes) {
    const auto billions = [](std::string_view key) {
        const ParameterCounts n = countParameters(modelOfKey(key));
        return std::pair(static_cast<double>(n.total) / 1e9,
                         static_cast<double>(n.active - n.embedding) / 1e9);
    };
    // arXiv 2508.10925: 116.83 and 20.91 billion, 5.13 and 3.61 active, the embedding left out.
    EXPECT_NEAR(billions("gpt-oss-120b").first, 116.83, 0.005);
    EXPECT_NEAR(billions("gpt-oss-120b").second, 5.13, 0.005);
    EXPECT_NEAR(billions("gpt-oss-20b").first, 20.91, 0.005);
    EXPECT_NEAR(billions("gpt-oss-20b").second, 3.61, 0.005);
    // Names and model cards: 109B and 400B with 17B active, 355B and 106B with 32B and 12B, 230B with 10B.
    EXPECT_NEAR(billions("llama-4-scout").first, 109, 2);
    EXPECT_NEAR(billions("llama-4-maverick").first, 400, 3);
    EXPECT_NEAR(billions("llama-4-maverick").second, 17, 1);
    EXPECT_NEAR(billions("glm-4.5").first, 355, 3.5);
    EXPECT_NEAR(billions("glm-4.5").second, 32, 1);
    EXPECT_NEAR(billions("glm-4.5-air").first, 106, 2);
    EXPECT_NEAR(billions("minimax-m2").first, 230, 2);
    EXPECT_NEAR(billions("minimax-m2").second, 10, 0.6);
    EXPECT_NEAR(billions("bloom-176b").first, 176.247, 0.001);
    EXPECT_NEAR(billions("gpt-neox-20b").first, 20.55, 0.01);
    EXPECT_NEAR(billions("gpt-j-6b").first, 6.05, 0.01);
    EXPECT_NEAR(billions("bert-large").first, 0.335, 0.001);
}

json genericGpt() {
    return {{"model_type", "plumbline-generic"},
            {"layers", 2},
            {"hidden", 64},
            {"heads", 4},
            {"inner", 96},
            {"vocabulary", 100},
            {"positions", 128}};
}

std::string genericRefusal(const json& config) {
    const auto model = modelFromConfig(config.dump(), "mine.json");
    EXPECT_FALSE(model.has_value()) << config;
    return model.has_value() ? "" : model.error().text();
}

Transformer described(const json& config) {
    const auto model = modelFromConfig(config.dump(), "mine.json");
    EXPECT_TRUE(model.has_value()) << model.error().text();
    return model.has_value() ? *model->transformer() : Transformer{};
}

TEST(GenericModel, SaysWhatFamiliesSay) {
    const auto sameAs = [](Transformer family, const json& config) {
        family.family = "plumbline-generic";
        EXPECT_EQ(described(config), family) << config;
    };
    sameAs(*findModel("gpt2")->transformer(),
           {{"model_type", "plumbline-generic"},
            {"layers", 12},
            {"hidden", 768},
            {"heads", 12},
            {"inner", 3072},
            {"vocabulary", 50257},
            {"positions", 1024},
            {"gated", false},
            {"tied", true},
            {"learned_positions", true},
            {"norms", {{"bias", true}}},
            {"biases", {{"queries", true}, {"output", true}, {"inner", true}}}});
    sameAs(*findModel("llama-3-8b")->transformer(), {{"model_type", "plumbline-generic"},
                                                     {"layers", 32},
                                                     {"hidden", 4096},
                                                     {"heads", 32},
                                                     {"kv_heads", 8},
                                                     {"inner", 14336},
                                                     {"vocabulary", 128256},
                                                     {"positions", 8192}});
    sameAs(modelOfKey("gemma-3-27b"), {{"model_type", "plumbline-generic"},
                                       {"layers", 62},
                                       {"hidden", 5376},
                                       {"heads", 32},
                                       {"kv_heads", 16},
                                       {"head_width", 128},
                                       {"inner", 21504},
                                       {"vocabulary", 262208},
                                       {"positions", 131072},
                                       {"tied", true},
                                       {"norms", {{"per_layer", 4}, {"heads", "shared"}}},
                                       {"window", {{"tokens", 1024}, {"layers", 52}}}});
    sameAs(modelOfKey("gpt-oss-120b"),
           {{"model_type", "plumbline-generic"},
            {"layers", 36},
            {"hidden", 2880},
            {"heads", 64},
            {"kv_heads", 8},
            {"head_width", 64},
            {"vocabulary", 201088},
            {"positions", 131072},
            {"sinks", true},
            {"biases", {{"queries", true}, {"output", true}, {"inner", true}}},
            {"window", {{"tokens", 128}, {"layers", 18}}},
            {"experts", {{"count", 128}, {"active", 4}, {"inner", 2880}, {"router_bias", true}}}});
    sameAs(modelOfKey("bert-base"),
           {{"model_type", "plumbline-generic"},
            {"layers", 12},
            {"hidden", 768},
            {"heads", 12},
            {"inner", 3072},
            {"vocabulary", 30522},
            {"positions", 512},
            {"gated", false},
            {"tied", true},
            {"learned_positions", true},
            {"segments", 2},
            {"causal", false},
            {"head_layer", true},
            {"norms", {{"bias", true}, {"embedding", true}, {"final", false}}},
            {"biases", {{"queries", true}, {"output", true}, {"inner", true}, {"head", true}}}});
    Transformer v3 = *findModel("deepseek-v3")->transformer();
    v3.predictionLayers = 0;
    sameAs(v3, {{"model_type", "plumbline-generic"},
                {"layers", 61},
                {"hidden", 7168},
                {"heads", 128},
                {"inner", 18432},
                {"vocabulary", 129280},
                {"positions", 163840},
                {"latent",
                 {{"query_rank", 1536},
                  {"key_value_rank", 512},
                  {"plain_width", 128},
                  {"rotary_width", 64},
                  {"value_width", 128}}},
                {"experts",
                 {{"count", 256},
                  {"active", 8},
                  {"inner", 2048},
                  {"layers", 58},
                  {"shared_inner", 2048},
                  {"router_bias", true}}}});
}

TEST(GenericModel, HasItsOwnNameAndReadsTheShortestDescription) {
    json config = genericGpt();
    EXPECT_EQ(modelFromConfig(config.dump(), "")->name, "plumbline-generic of 2 layers, width 64");
    config["name"] = "ours";
    EXPECT_EQ(modelFromConfig(config.dump(), "")->name, "ours");
    const Transformer m = described(config);
    EXPECT_EQ(m.headWidth, 16);
    EXPECT_EQ(countParameters(m).total, 2 * 100 * 64 + 2 * (4 * 64 * 64 + 3 * 64 * 96 + 2 * 64) + 64);
}

TEST(GenericModel, NamesWhatItCannotUse) {
    for (const char* key : {"layers", "hidden", "heads", "inner", "vocabulary", "positions"}) {
        json config = genericGpt();
        config.erase(key);
        EXPECT_NE(genericRefusal(config).find(std::string(key) + " is missing"), std::string::npos)
            << genericRefusal(config);
    }
    const auto with = [](const char* key, const json& value) {
        json config = genericGpt();
        config[key] = value;
        return genericRefusal(config);
    };
    EXPECT_NE(with("laers", 3).find("did you mean layers?"), std::string::npos);
    EXPECT_NE(with("num_experts", 3).find("num_experts is not known here"), std::string::npos);
    EXPECT_NE(with("heads", 5).find("there is no head_width"), std::string::npos);
    EXPECT_NE(with("kv_heads", 3).find("does not divide heads 4"), std::string::npos);
    EXPECT_NE(with("gated", "yes").find("gated"), std::string::npos);
    EXPECT_NE(with("norms", {{"heads", "all"}}).find("norms.heads is 'all'"), std::string::npos);
    EXPECT_NE(with("norms", {{"per_layers", 4}}).find("did you mean per_layer?"), std::string::npos);
    EXPECT_NE(with("window", {{"layers", 1}}).find("window.tokens is missing"), std::string::npos);
    EXPECT_NE(with("window", {{"tokens", 8}, {"layers", 3}}).find("window.layers"), std::string::npos);
    EXPECT_NE(with("experts", {{"count", 4}, {"active", 5}, {"inner", 8}}).find("experts.active is 5"),
              std::string::npos);
    EXPECT_NE(with("inner", 0).find("inner"), std::string::npos);
    EXPECT_NE(with("latent", {{"plain_width", 4}}).find("latent.key_value_rank is missing"),
              std::string::npos);
    EXPECT_NE(with("biases", true).find("biases"), std::string::npos);
}

}  // namespace
}  // namespace plumb::planner
