// SPDX-License-Identifier: Apache-2.0
#include "core/planner/model.h"

#include "core/io/file.h"
#include "core/io/json_fields.h"

#include "test_paths.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <random>

namespace plumb::planner {
namespace {

using nlohmann::json;

json readJson(const std::string& path) {
    auto text = readFile(path, std::size_t{1} << 20U);
    EXPECT_TRUE(text.has_value()) << text.error().text();
    return json::parse(*text);
}

/// Counted by Hugging Face transformers: tests/data/planner/count_parameters.py.
TEST(ModelPreset, HasExactlyTheParametersThatTransformersCounts) {
    const json counts = readJson(PLUMB_TEST_DATA "/planner/parameter_counts.json")["counts"];
    ASSERT_EQ(counts.size(), modelPresets().size());
    for (const ModelPreset& preset : modelPresets()) {
        ASSERT_TRUE(counts.contains(preset.key)) << preset.key;
        const json& oracle = counts[preset.key];
        const ParameterCounts n = countParameters(*preset.model.transformer());
        // A buffer there; in the model's own files, and here, a parameter.
        EXPECT_EQ(n.total, oracle["total"].get<std::int64_t>() + oracle["routing_bias"].get<std::int64_t>())
            << preset.key;
        EXPECT_EQ(n.embedding, oracle["input_embedding"].get<std::int64_t>()) << preset.key;
        EXPECT_EQ(n.experts, oracle["experts"].get<std::int64_t>()) << preset.key;
    }
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
    config["model_type"] = "bert";
    EXPECT_NE(refusal(config).find("deepseek_v3"), std::string::npos) << refusal(config);
    EXPECT_NE(refusal(json::array()).find("is not a JSON object"), std::string::npos);
    const auto text = modelFromConfig("{", "config.json");
    ASSERT_FALSE(text.has_value());
    EXPECT_NE(text.error().text().find("truncated"), std::string::npos) << text.error().text();
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
    const json presets = readJson(PLUMB_RESOURCES "/models.json")["models"];
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
