// SPDX-License-Identifier: Apache-2.0
#include "core/planner/model.h"

#include "core/io/file.h"
#include "core/io/json_fields.h"

#include "test_paths.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <random>
#include <set>

namespace plumb::planner {
namespace {

using nlohmann::json;

json readJson(const std::string& path) {
    auto text = readFile(path, std::size_t{1} << 20U);
    EXPECT_TRUE(text.has_value()) << text.error().text();
    return json::parse(*text);
}

/// Every part as Hugging Face transformers counts it (tests/data/planner/count_parameters.py), exactly.
void expectCounts(const std::string& key, const ParameterCounts& n, const json& oracle) {
    SCOPED_TRACE(key);
    // A buffer there; in the model's own files, and here, a parameter.
    const auto routing = oracle["routing_bias"].get<std::int64_t>();
    const auto part = [&](const char* name) { return oracle["parts"].value(name, std::int64_t{0}); };
    EXPECT_EQ(n.total, oracle["total"].get<std::int64_t>() + routing);
    EXPECT_EQ(n.embedding, part("embedding"));
    EXPECT_EQ(n.positions, part("positions"));
    EXPECT_EQ(n.attention, part("attention"));
    EXPECT_EQ(n.feedForward, part("feed_forward"));
    EXPECT_EQ(n.experts, part("experts"));
    EXPECT_EQ(n.shared, part("shared"));
    EXPECT_EQ(n.router, part("router") + routing);
    EXPECT_EQ(n.norms, part("norms"));
    EXPECT_EQ(n.head, part("head"));
}

TEST(ModelPreset, HasExactlyTheParametersThatTransformersCounts) {
    const json counts = readJson(PLUMB_TEST_DATA "/planner/parameter_counts.json")["counts"];
    ASSERT_EQ(counts.size(), modelPresets().size());
    for (const ModelPreset& preset : modelPresets()) {
        ASSERT_TRUE(counts.contains(preset.key)) << preset.key;
        expectCounts(preset.key, countParameters(*preset.model.transformer()), counts[preset.key]);
    }
}

TEST(ModelConfig, OfEveryFamilyHasExactlyTheParametersThatTransformersCounts) {
    const json counts = readJson(PLUMB_TEST_DATA "/planner/family_counts.json")["counts"];
    const json models = readJson(PLUMB_TEST_DATA "/planner/families.json")["models"];
    ASSERT_EQ(counts.size(), models.size());
    std::set<std::string> counted;
    for (const json& entry : models) {
        const std::string key = entry["key"];
        const auto model = modelFromConfig(entry["config"].dump(), key);
        ASSERT_TRUE(model.has_value()) << model.error().text();
        expectCounts(key, countParameters(*model->transformer()), counts.at(key));
        counted.insert(model->transformer()->family);
    }
    for (const ModelPreset& preset : modelPresets()) counted.insert(preset.model.transformer()->family);
    // Those that transformers has no class of, and those that share the reader and the sizes of another.
    for (const char* other :
         {"baichuan", "internlm2", "kimi_k2", "qwen3_vl_text", "qwen3_vl_moe_text", "plumbline-generic"})
        EXPECT_TRUE(counted.insert(other).second) << other;
    const std::vector<std::string> known = knownFamilies();
    EXPECT_EQ(std::vector<std::string>(counted.begin(), counted.end()), known);
}

/// As papers and model cards print them.
TEST(ModelConfig, OfTwoStacksHasThePublishedSize) {
    const json models = readJson(PLUMB_TEST_DATA "/planner/families.json")["models"];
    const auto total = [&](std::string_view key) {
        for (const json& entry : models)
            if (entry["key"] == key)
                return countParameters(*modelFromConfig(entry["config"].dump(), "")->transformer()).total;
        ADD_FAILURE() << key;
        return std::int64_t{0};
    };
    EXPECT_EQ(total("t5-small"), 60'506'624);
    EXPECT_EQ(total("t5-base"), 222'903'552);
    EXPECT_EQ(total("t5-large"), 737'668'096);
    EXPECT_EQ(total("t5-v1.1-base"), 247'577'856);
    EXPECT_EQ(total("mt5-small"), 300'176'768);
    EXPECT_EQ(total("bart-large"), 406'291'456);
    EXPECT_NEAR(static_cast<double>(total("whisper-tiny")), 39e6, 1.5e6);  // arXiv 2212.04356, table 1
    EXPECT_NEAR(static_cast<double>(total("whisper-medium")), 769e6, 6e6);
    EXPECT_NEAR(static_cast<double>(total("whisper-large-v3")), 1550e6, 10e6);
}

TEST(ModelPreset, HasThePublishedSize) {
    const auto total = [](std::string_view key) {
        return countParameters(*findModel(key)->transformer()).total;
    };
    EXPECT_EQ(total("gpt2"), 124'439'808);
    EXPECT_EQ(total("gpt2-xl"), 1'557'611'200);
    EXPECT_EQ(total("gpt3-175b"), 174'604'259'328);
    EXPECT_EQ(total("llama-2-7b"), 6'738'415'616);
    EXPECT_EQ(total("llama-3-8b"), 8'030'261'248);
    EXPECT_EQ(total("mistral-7b"), 7'241'732'096);
    EXPECT_EQ(total("mixtral-8x7b"), 46'702'792'704);
    EXPECT_EQ(total("qwen2.5-7b"), 7'615'616'512);
    EXPECT_EQ(total("deepseek-v3"), 671'026'419'200);
    const ParameterCounts v3 = countParameters(*findModel("deepseek-v3")->transformer());
    EXPECT_NEAR(static_cast<double>(v3.active), 37e9, 0.6e9);  // "37B activated"
    const ParameterCounts mixtral = countParameters(*findModel("mixtral-8x7b")->transformer());
    EXPECT_NEAR(static_cast<double>(mixtral.active), 12.9e9, 0.05e9);  // "12.9B active"
}

TEST(ModelPreset, PartsSumToTheTotal) {
    for (const ModelPreset& preset : modelPresets()) {
        const ParameterCounts n = countParameters(*preset.model.transformer());
        EXPECT_EQ(n.embedding + n.positions + n.attention + n.feedForward + n.experts + n.shared + n.router +
                      n.norms + n.head,
                  n.total)
            << preset.key;
        EXPECT_LE(n.active, n.total) << preset.key;
        EXPECT_LE(n.multiplied, n.active) << preset.key;
        EXPECT_FALSE(preset.source.empty()) << preset.key;
    }
}

TEST(ModelPreset, IsFoundByItsOwnKeyAndLabel) {
    for (const ModelPreset& preset : modelPresets())
        for (const std::string& text : {preset.key, preset.label}) {
            const auto found = findModel(text);
            ASSERT_TRUE(found.has_value()) << text << ": " << found.error().text();
            EXPECT_EQ(found->name, preset.label) << text;
        }
    EXPECT_EQ(findModel("gpt3 13b")->parameters(),
              12'853'386'240);  // the key of 13B is 1.3B without its point
    EXPECT_EQ(findModel("gpt-3 1.3b")->parameters(), 1'315'723'264);
    EXPECT_EQ(findModel("qwen25 72b")->name, "Qwen2.5 72B");
}

TEST(ModelPreset, IsFoundByAnyUnambiguousPart) {
    EXPECT_EQ(findModel("Llama 3 70B")->name, "Llama 3 70B");
    EXPECT_EQ(findModel("DEEPSEEK-v3")->name, "DeepSeek-V3");
    EXPECT_EQ(findModel("8x22")->name, "Mixtral 8x22B");
    const auto many = findModel("llama 3");
    ASSERT_FALSE(many.has_value());
    EXPECT_NE(many.error().hint.find("llama-3-8b"), std::string::npos) << many.error().text();
    EXPECT_EQ(many.error().hint.find("gpt2"), std::string::npos) << many.error().text();
    const auto none = findModel("claude");
    ASSERT_FALSE(none.has_value());
    EXPECT_NE(none.error().hint.find("mixtral-8x7b"), std::string::npos);
    EXPECT_FALSE(findModel("").has_value());
}

json llama() {
    return {{"model_type", "llama"},   {"num_hidden_layers", 2},        {"hidden_size", 64},
            {"intermediate_size", 96}, {"num_attention_heads", 4},      {"num_key_value_heads", 2},
            {"vocab_size", 100},       {"max_position_embeddings", 128}};
}

std::string refusal(const json& config) {
    const auto model = modelFromConfig(config.dump(), "config.json");
    EXPECT_FALSE(model.has_value()) << config;
    return model.has_value() ? "" : model.error().text();
}

TEST(ModelConfig, NamesTheMissingField) {
    for (const char* key : {"num_hidden_layers", "hidden_size", "intermediate_size", "num_attention_heads",
                            "vocab_size", "max_position_embeddings"}) {
        json config = llama();
        config.erase(key);
        EXPECT_NE(refusal(config).find(std::string(key) + " is missing"), std::string::npos)
            << refusal(config);
    }
    json config = llama();
    config.erase("model_type");
    EXPECT_NE(refusal(config).find("has no model_type"), std::string::npos);
}

TEST(ModelConfig, NamesTheUnusableField) {
    for (const auto& [key, bad] :
         std::vector<std::pair<std::string, json>>{{"hidden_size", "64"},
                                                   {"hidden_size", 0},
                                                   {"hidden_size", -64},
                                                   {"hidden_size", 64.5},
                                                   {"hidden_size", 1e30},
                                                   {"num_hidden_layers", json::array()},
                                                   {"num_key_value_heads", 3},
                                                   {"num_attention_heads", 5},
                                                   {"tie_word_embeddings", "yes"},
                                                   {"vocab_size", true}}) {
        json config = llama();
        config[key] = bad;
        EXPECT_NE(refusal(config).find(key), std::string::npos) << refusal(config);
    }
}

TEST(ModelConfig, SaysWhichFamiliesItKnows) {
    json config = llama();
    config["model_type"] = "lama";
    EXPECT_NE(refusal(config).find("did you mean llama?"), std::string::npos) << refusal(config);
    config["model_type"] = "something_else";
    EXPECT_NE(refusal(config).find("deepseek_v3"), std::string::npos) << refusal(config);
    EXPECT_NE(refusal(config).find("plumbline-generic"), std::string::npos) << refusal(config);
    EXPECT_NE(refusal(json::array()).find("is not a JSON object"), std::string::npos);
    const auto text = modelFromConfig("{", "config.json");
    ASSERT_FALSE(text.has_value());
    EXPECT_NE(text.error().text().find("truncated"), std::string::npos) << text.error().text();
}

TEST(ModelConfig, SaysWhyAFamilyCannotBePlanned) {
    json config = llama();
    for (const auto& [type, reason] : {std::pair{"mamba2", "carry a state"},
                                       {"jamba", "carry a state"},
                                       {"pegasus", "cross attention"},
                                       {"encoder-decoder", "cross attention"},
                                       {"clip", "patches"},
                                       {"albert", "share their weights"},
                                       {"mllama_text_model", "cross attention"},
                                       {"deepseek_v32", "attention is of a kind of its own"}}) {
        config["model_type"] = type;
        EXPECT_NE(refusal(config).find(reason), std::string::npos) << refusal(config);
        EXPECT_NE(refusal(config).find("--parameters"), std::string::npos) << refusal(config);
    }
}

TEST(ModelConfig, ReadsTheTextPartOfAModelOfSeveralParts) {
    json text = llama();
    text["model_type"] = "gemma3_text";
    const json whole{{"model_type", "gemma3"}, {"text_config", text}, {"vision_config", json::object()}};
    const auto model = modelFromConfig(whole.dump(), "config.json");
    ASSERT_TRUE(model.has_value()) << model.error().text();
    EXPECT_EQ(model->name, "gemma3_text of 2 layers, width 64 (the text part of gemma3 alone)");
    EXPECT_EQ(*model->transformer(), *modelFromConfig(text.dump(), "")->transformer());
    EXPECT_NE(refusal({{"model_type", "gemma3"}}).find("text_config is missing"), std::string::npos);
    text["vocab_size"] = nullptr;
    EXPECT_NE(refusal({{"model_type", "gemma3"}, {"text_config", text}}).find("text_config.vocab_size"),
              std::string::npos);
}

/// Files of several parts are written as the difference from the class's defaults (google/gemma-3-4b-it).
TEST(ModelConfig, TakesWhatAPartLeavesOutFromItsClassAndSaysSo) {
    const json text{{"hidden_size", 2560},
                    {"intermediate_size", 10240},
                    {"model_type", "gemma3_text"},
                    {"num_hidden_layers", 34},
                    {"sliding_window", 1024}};
    const auto model =
        modelFromConfig(json{{"model_type", "gemma3"}, {"text_config", text}}.dump(), "config.json");
    ASSERT_TRUE(model.has_value()) << model.error().text();
    const Transformer& m = *model->transformer();
    EXPECT_EQ(m.vocabulary, 262208);
    EXPECT_EQ(std::pair(m.heads, m.keyValueHeads), std::pair(INT64_C(8), INT64_C(4)));
    EXPECT_EQ(std::pair(m.headWidth, m.positions), std::pair(INT64_C(256), INT64_C(131072)));
    EXPECT_EQ(std::pair(m.slidingWindow, m.windowedLayers), std::pair(INT64_C(1024), INT64_C(29)));
    ASSERT_EQ(model->remarks.size(), 1U);
    EXPECT_EQ(
        model->remarks[0].rfind("num_attention_heads 8, vocab_size 262208, max_position_embeddings "
                                "131072, num_key_value_heads 4, head_dim 256: what the file leaves out, "
                                "as Gemma3TextConfig has it (transformers ",
                                0),
        0U)
        << model->remarks[0];

    // A model's own file has all of its fields: one that is not there is missing.
    EXPECT_NE(refusal(text).find("num_attention_heads is missing"), std::string::npos);
    // What the class has no default of stays missing.
    json sparse{{"model_type", "llava"}, {"text_config", {{"model_type", "baichuan"}}}};
    EXPECT_NE(refusal(sparse).find("text_config.num_hidden_layers is missing"), std::string::npos);
    sparse["text_config"] = {{"model_type", "gpt_neo"}};
    EXPECT_NE(refusal(sparse).find("text_config.attention_types"), std::string::npos) << refusal(sparse);
    // A part that names no family is of the one that its whole has.
    sparse["text_config"] = json::object();
    EXPECT_EQ(modelFromConfig(sparse.dump(), "")->transformer()->family, "llama");
    EXPECT_EQ(modelFromConfig(sparse.dump(), "")->parameters(), 6'738'415'616);  // of 32 000 words
}

TEST(ModelConfig, ReadsTheTextPartAtTheTopOfAFileThatHasItThere) {
    json config = llama();
    config["model_type"] = "qwen2_5_vl";
    const auto model = modelFromConfig(config.dump(), "config.json");
    ASSERT_TRUE(model.has_value()) << model.error().text();
    EXPECT_EQ(model->name, "qwen2_5_vl_text of 2 layers, width 64 (the text part of qwen2_5_vl alone)");
    EXPECT_TRUE(model->remarks.empty());
    EXPECT_TRUE(model->transformer()->queryBias);
    config.erase("max_position_embeddings");
    EXPECT_NE(refusal(config).find("max_position_embeddings is missing"), std::string::npos);
    EXPECT_NE(refusal({{"model_type", "qwen2_5_vl"}}).find("num_hidden_layers is missing"),
              std::string::npos);
}

/// The whole says whether the head is the embedding; its part does where the whole does not.
TEST(ModelConfig, TiesTheHeadAsTheWholeModelDoes) {
    const auto tied = [](const json& whole, const json& part) {
        json config{{"model_type", "llava"}, {"text_config", llama()}};
        if (!whole.is_null()) config["tie_word_embeddings"] = whole;
        if (!part.is_null()) config["text_config"]["tie_word_embeddings"] = part;
        return modelFromConfig(config.dump(), "")->transformer()->tiedEmbeddings;
    };
    EXPECT_FALSE(tied({}, {}));
    EXPECT_TRUE(tied({}, true));
    EXPECT_TRUE(tied(true, {}));
    EXPECT_TRUE(tied(true, false));
    EXPECT_FALSE(tied(false, true));
}

/// Every default can be read, and every family of resources/config_defaults.json is one that is known.
TEST(ModelConfig, HasDefaultsOfKnownFamiliesAlone) {
    const json tables = readJson(PLUMB_RESOURCES "/config_defaults.json");
    const std::vector<std::string> known = knownFamilies();
    for (const auto& [family, entry] : tables["classes"].items()) {
        EXPECT_TRUE(std::binary_search(known.begin(), known.end(), family)) << family;
        EXPECT_TRUE(entry["class"].is_string()) << family;
        for (const json& value : entry["defaults"]) EXPECT_TRUE(value.is_number_integer()) << family;
    }
    for (const auto& [whole, part] : tables["parts"].items())
        EXPECT_TRUE(std::binary_search(known.begin(), known.end(), part.get<std::string>())) << whole;
    EXPECT_GT(tables["classes"].size(), 50U);
}

TEST(ModelConfig, RefusesWhatAFamilyHasAndThePlannerHasNot) {
    const auto with = [](const char* type, const char* key, const json& value) {
        json config = llama();
        config["model_type"] = type;
        config["ffn_dim"] = 96;
        config["sliding_window"] = 16;
        for (const auto& [from, to] : {std::pair{"num_hidden_layers", "n_layers"},
                                       {"hidden_size", "d_model"},
                                       {"num_attention_heads", "n_heads"},
                                       {"max_position_embeddings", "max_seq_len"}})
            config[to] = config[from];
        config[key] = value;
        return refusal(config);
    };
    EXPECT_NE(with("opt", "word_embed_proj_dim", 32).find("word_embed_proj_dim"), std::string::npos);
    EXPECT_NE(with("electra", "embedding_size", 32).find("embedding_size"), std::string::npos);
    EXPECT_NE(with("bert", "is_decoder", true).find("is_decoder"), std::string::npos);
    EXPECT_NE(with("mpt", "no_bias", false).find("no_bias"), std::string::npos);
    EXPECT_NE(with("mpt", "attn_config", {{"alibi", false}}).find("attn_config.alibi"), std::string::npos);
    EXPECT_NE(with("gemma2", "layer_types", {"full_attention"}).find("layer_types has 1 entries"),
              std::string::npos);
    EXPECT_NE(with("gemma2", "layer_types", {"full_attention", "conv"}).find("layer_types[1] is 'conv'"),
              std::string::npos);
    EXPECT_NE(with("gpt_neo", "attention_types", {{{"global"}, 1}}).find("names 1 layers"),
              std::string::npos);
}

/// Which layers look back on a window only, by the family's own pattern and by the list of a newer file.
TEST(ModelConfig, CountsTheLayersThatLookBackOnAWindow) {
    const auto windowed = [](const char* type, std::int64_t layers, const json& more = json::object()) {
        json config = llama();
        config["model_type"] = type;
        config["num_hidden_layers"] = layers;
        config.update(more);
        const auto model = modelFromConfig(config.dump(), type);
        EXPECT_TRUE(model.has_value()) << model.error().text();
        const Transformer& m = *model->transformer();
        return std::pair(m.windowedLayers, m.slidingWindow);
    };
    using Pair = std::pair<std::int64_t, std::int64_t>;
    EXPECT_EQ(windowed("gemma2", 9), Pair(5, 4096));
    EXPECT_EQ(windowed("gemma3_text", 62), Pair(52, 4096));
    EXPECT_EQ(windowed("gemma3_text", 26, {{"sliding_window", 512}, {"sliding_window_pattern", 2}}),
              Pair(13, 512));
    EXPECT_EQ(windowed("cohere2", 32), Pair(24, 4096));
    EXPECT_EQ(windowed("olmo3", 64), Pair(48, 4096));
    EXPECT_EQ(windowed("phi3", 4), Pair(0, 0));
    EXPECT_EQ(windowed("phi3", 4, {{"sliding_window", 2047}}), Pair(4, 2047));
    EXPECT_EQ(windowed("exaone4", 4, {{"sliding_window", nullptr}}), Pair(0, 0));
    EXPECT_EQ(windowed("modernbert", 22), Pair(14, 128));
    EXPECT_EQ(windowed("gemma2", 2, {{"layer_types", {"full_attention", "full_attention"}}}), Pair(0, 0));
    EXPECT_EQ(windowed("gemma2", 2, {{"layer_types", {"sliding_attention", "sliding_attention"}}}),
              Pair(2, 4096));
    const json experts{{"num_local_experts", 4}, {"num_experts_per_tok", 1}, {"intermediate_size_mlp", 64}};
    EXPECT_EQ(windowed("gpt_oss", 5, experts), Pair(3, 128));
    EXPECT_EQ(windowed("llama4_text", 48, experts), Pair(36, 8192));
}

/// The class of a file may have another head than the one that its family is counted with.
TEST(ModelConfig, SaysWhichHeadItCountsThatTheClassOfTheFileHasNot) {
    const auto remark = [](json config, const json& architectures) {
        config["architectures"] = architectures;
        const auto model = modelFromConfig(config.dump(), "config.json");
        EXPECT_TRUE(model.has_value()) << model.error().text();
        return model->remarks.empty() ? std::string() : model->remarks.back();
    };
    EXPECT_EQ(remark(llama(), json::array({"LlamaForCausalLM"})), "");
    EXPECT_EQ(remark(llama(), json::array()), "");
    EXPECT_EQ(remark(llama(), nullptr), "");
    EXPECT_EQ(remark(llama(), json::array({"LlamaForSequenceClassification"})),
              "counted with the head of a language model (6 400 parameters), which "
              "LlamaForSequenceClassification has not");
    EXPECT_EQ(remark(llama(), json::array({"LlamaModel", "LlamaForCausalLM"})), "");
    json bert = llama();
    bert["model_type"] = "bert";
    bert.erase("num_key_value_heads");
    EXPECT_EQ(remark(bert, json::array({"BertForMaskedLM"})), "");
    // 64 x 64 + 64 of the product, 128 of the norm, a number for each word.
    EXPECT_EQ(remark(bert, json::array({"BertModel"})),
              "counted with the head for masked tokens (4 388 parameters), which BertModel has not");
    EXPECT_NE(remark(bert, json::array({"BertForPreTraining"})).find("without the pooler"),
              std::string::npos);
    json tied = llama();
    tied["tie_word_embeddings"] = true;
    EXPECT_NE(remark(tied, json::array({"LlamaModel"})).find("(the embedding itself)"), std::string::npos);
    const json vit{{"model_type", "vit"},     {"num_hidden_layers", 2},   {"hidden_size", 64},
                   {"intermediate_size", 96}, {"num_attention_heads", 4}, {"image_size", 32},
                   {"patch_size", 8},         {"num_labels", 10}};
    EXPECT_EQ(remark(vit, json::array({"ViTForImageClassification"})), "");
    EXPECT_NE(remark(vit, json::array({"ViTModel"})).find("classifier"), std::string::npos);
    // Of a model of several parts the whole one's class.
    const json whole{{"model_type", "llava"}, {"text_config", llama()}};
    EXPECT_EQ(remark(whole, json::array({"LlavaForConditionalGeneration"})), "");
    json wrong = llama();
    wrong["architectures"] = "LlamaForCausalLM";
    EXPECT_NE(refusal(wrong).find("architectures"), std::string::npos);
}

TEST(ModelConfig, TakesNullForWhatAFamilyLeavesOut) {
    json config = llama();
    config["num_key_value_heads"] = nullptr;
    config["head_dim"] = nullptr;
    const auto model = modelFromConfig(config.dump(), "config.json");
    ASSERT_TRUE(model.has_value()) << model.error().text();
    EXPECT_EQ(model->transformer()->keyValueHeads, 4);
    EXPECT_EQ(model->transformer()->headWidth, 16);
}

TEST(ModelConfig, AMistralWithoutASlidingWindowIsNotOneWithNull) {
    json config = llama();
    config["model_type"] = "mistral";
    EXPECT_EQ(modelFromConfig(config.dump(), "")->transformer()->slidingWindow, 4096);
    config["sliding_window"] = nullptr;
    EXPECT_EQ(modelFromConfig(config.dump(), "")->transformer()->slidingWindow, 0);
}

TEST(ModelConfig, RefusesSizesThatOverflow) {
    json config = llama();
    for (const char* key : {"hidden_size", "intermediate_size"}) config[key] = 1 << 22;
    config["num_hidden_layers"] = 1 << 14;
    config["vocab_size"] = 1 << 26;
    EXPECT_NE(refusal(config).find("more than the planner takes"), std::string::npos) << refusal(config);
}

/// Whatever is in the file: a model with parts that add up, or a sentence.
TEST(ModelConfig, SurvivesAnyChangeOfAnyField) {
    std::mt19937 random(5);
    const std::vector<json> values{nullptr,
                                   true,
                                   0,
                                   -1,
                                   1,
                                   3,
                                   1e9,
                                   1e300,
                                   0.5,
                                   "x",
                                   "",
                                   "128",
                                   4096,
                                   INT64_MAX,
                                   INT64_MIN,
                                   json::array(),
                                   json::object(),
                                   json::array({1, 2, "x", -1}),
                                   UINT64_MAX};
    json presets = readJson(PLUMB_RESOURCES "/models.json")["models"];
    for (const json& entry :
         readJson(PLUMB_TEST_DATA "/planner/families.json")["models"].get<std::vector<json>>())
        presets.push_back(entry);
    int read = 0, refused = 0;
    for (int round = 0; round < 4000; ++round) {
        json config = presets[random() % presets.size()]["config"];
        for (std::uint64_t change = random() % 3 + 1; change > 0; --change) {
            auto field = config.begin();
            std::advance(field, random() % config.size());
            if (random() % 4 == 0)
                config.erase(field);
            else
                *field = values[random() % values.size()];
            if (config.empty()) break;
        }
        std::string text = config.dump();
        if (random() % 8 == 0) text.resize(random() % (text.size() + 1));
        if (random() % 8 == 0 && !text.empty())
            text[random() % text.size()] = static_cast<char>(random() % 256);
        const auto model = modelFromConfig(text, "config.json");
        if (!model.has_value()) {
            ++refused;
            EXPECT_EQ(model.error().code, ErrorCode::BadInput);
            EXPECT_FALSE(model.error().message.empty());
            continue;
        }
        ++read;
        const ParameterCounts n = countParameters(*model->transformer());
        EXPECT_GT(n.total, 0) << text;
        EXPECT_GE(n.active, 0) << text;
        EXPECT_LE(n.active, n.total) << text;
    }
    EXPECT_GT(read, 100);
    EXPECT_GT(refused, 1000);
}

}  // namespace
}  // namespace plumb::planner
