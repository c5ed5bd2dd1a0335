// SPDX-License-Identifier: Apache-2.0
#include "core/planner/scenario_file.h"

#include "core/io/file.h"
#include "core/planner/answer.h"
#include "core/planner/conventions.h"
#include "tests/core/planner/random_scenarios.h"
#include "tests/core/planner/scenarios.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <functional>

namespace plumb::planner {
namespace {

using nlohmann::json;

/// Value, ends and error of every answer, as text that no digit is lost in.
std::string answersOf(const Scenario& s) {
    std::string all;
    for (const Output output : kEnumerators<Output>) {
        const auto value = evaluate(output, s);
        all += std::string(info(output).key) + ": ";
        if (!value.has_value()) {
            all += value.error().text() + "\n";
            continue;
        }
        const auto range = rangeOf(output, s, *value);
        all += json{range->low, *value, range->high}.dump() + "\n";
    }
    return all;
}

Result<Scenario> changed(const Scenario& s, const std::function<void(json&)>& change) {
    json document = json::parse(scenarioToText(s));
    change(document);
    return scenarioFromText(document.dump(), "a.plan.json");
}

TEST(ScenarioFile, GivesTheSameAnswersAfterwards) {
    RandomScenarios random(20261126);
    int answered = 0;
    for (int i = 0; i < 400; ++i) {
        const Scenario s = random.draw();
        const auto read = scenarioFromText(scenarioToText(s), "a.plan.json");
        ASSERT_TRUE(read.has_value()) << read.error().text() << "\n" << scenarioToText(s);
        EXPECT_EQ(answersOf(*read), answersOf(s)) << scenarioToText(s);
        EXPECT_EQ(scenarioToText(*read), scenarioToText(s)) << "and is the same file when it is saved again";
        if (evaluate(Output::StepSeconds, s).has_value()) ++answered;
    }
    EXPECT_GT(answered, 50) << "scenarios without answers would prove little";
}

TEST(ScenarioFile, KeepsEveryField) {
    RandomScenarios random(7);
    for (int i = 0; i < 200; ++i) {
        const Scenario s = random.draw();
        const auto read = scenarioFromText(scenarioToText(s), "a.plan.json");
        ASSERT_TRUE(read.has_value()) << read.error().text();
        EXPECT_EQ(read->model.name, s.model.name);
        EXPECT_EQ(read->model.source, s.model.source);
        EXPECT_TRUE(read->model.kind == s.model.kind) << scenarioToText(s);
        EXPECT_TRUE(read->parallel == s.parallel);
        EXPECT_EQ(read->software, s.software);
        const auto& [name, compute, weight, gradient, master, state, activation, recompute, interval, share,
                     again, fused, kernel, dropout, update, lossChunks, offload] = s.recipe;
        const Recipe& r = read->recipe;
        EXPECT_EQ(r.name, name);
        EXPECT_EQ(r.compute, compute);
        EXPECT_EQ(r.weightBytes, weight);
        EXPECT_EQ(r.gradientBytes, gradient);
        EXPECT_EQ(r.masterBytes, master);
        EXPECT_EQ(r.stateBytes, state);
        EXPECT_EQ(r.activationBytes, activation);
        EXPECT_EQ(r.recompute, recompute);
        EXPECT_EQ(r.recomputeInterval, interval);
        EXPECT_EQ(r.recomputeShare, share);
        EXPECT_EQ(r.again, again) << listOf(r.again);
        EXPECT_EQ(r.fusedAttention, fused);
        EXPECT_EQ(r.attentionKernel, kernel);
        EXPECT_EQ(r.dropout, dropout);
        EXPECT_EQ(r.updateFlops, update);
        EXPECT_EQ(r.lossChunks, lossChunks);
        EXPECT_TRUE(r.offload == offload);
        for (const InputInfo& about : allInputs()) {
            ASSERT_EQ(read->given[about.input].has_value(), s.given[about.input].has_value()) << about.key;
            if (!s.given[about.input]) continue;
            EXPECT_EQ(read->given[about.input]->low, s.given[about.input]->low) << about.key;
            EXPECT_EQ(read->given[about.input]->expected, s.given[about.input]->expected) << about.key;
            EXPECT_EQ(read->given[about.input]->high, s.given[about.input]->high) << about.key;
        }
        ASSERT_EQ(read->cluster.device.has_value(), s.cluster.device.has_value());
        if (!s.cluster.device) continue;
        const Machine &before = *s.cluster.device, &after = *read->cluster.device;
        EXPECT_EQ(after.id, before.id);
        EXPECT_EQ(after.source, before.source);
        EXPECT_EQ(after.memoryBytes, before.memoryBytes);
        EXPECT_EQ(after.linkBytesPerSecond, before.linkBytesPerSecond);
        EXPECT_EQ(after.hostBytesPerSecond, before.hostBytesPerSecond);
        EXPECT_EQ(after.multiprocessors, before.multiprocessors);
        EXPECT_EQ(after.linkedDevices, before.linkedDevices);
        EXPECT_EQ(after.peakFlopPerSecond, before.peakFlopPerSecond);
        EXPECT_EQ(after.measuredMatmulFlopPerSecond, before.measuredMatmulFlopPerSecond);
    }
}

TEST(ScenarioFile, KeepsEveryPreset) {
    for (const ModelPreset& preset : modelPresets()) {
        Scenario s = withDevice("H100 SXM", 8);
        s.model = preset.model;
        const auto read = scenarioFromText(scenarioToText(s), "a.plan.json");
        ASSERT_TRUE(read.has_value()) << preset.key << ": " << read.error().text();
        EXPECT_TRUE(read->model.kind == s.model.kind) << preset.key;
    }
}

TEST(ScenarioFile, FollowsBatchAndOptimizerWhereTheyWereNotGiven) {
    Scenario s = withDevice("H100 SXM", 1);
    RunConfig config;
    config.batch = 64;
    chooseLinear(s, config);
    const auto read = scenarioFromText(scenarioToText(s), "a.plan.json");
    ASSERT_TRUE(read.has_value()) << read.error().text();
    EXPECT_EQ(read->model.linear()->microBatch, 0) << "the micro-batch is still the batch";
    EXPECT_FALSE(read->model.linear()->learningRate.has_value());
}

TEST(ScenarioFile, SaysNothingOfTheComputerThatItIsFrom) {
    Scenario s = withDevice("H100 SXM", 1);
    RunConfig config;
    config.data = "/home/somebody/secret.npy";
    config.targets = "/home/somebody/answers.npy";
    chooseLinear(s, config);
    s.cluster.device->uuid = "GPU-8a1b";
    EXPECT_EQ(scenarioToText(s).find("somebody"), std::string::npos);
    EXPECT_EQ(scenarioToText(s).find("8a1b"), std::string::npos);
    s = scenarioOf("llama-3-8b", 8);
    s.model.source = "/home/somebody/config.json";
    EXPECT_EQ(scenarioToText(s).find("somebody"), std::string::npos);
    EXPECT_NE(scenarioToText(s).find("\"config.json\""), std::string::npos);
}

TEST(ScenarioFile, RefusesUnknownFieldsByName) {
    const Scenario s = scenarioOf("deepseek-v3", 64);
    const auto add = [&](std::initializer_list<const char*> path, const char* key) {
        const auto refused = changed(s, [&](json& document) {
            json* at = &document;
            for (const char* step : path) at = &(*at)[step];
            (*at)[key] = 1;
        });
        return refused.has_value() ? std::string("accepted") : refused.error().text();
    };
    EXPECT_NE(add({}, "modle").find("'modle'; did you mean model?"), std::string::npos) << add({}, "modle");
    EXPECT_NE(add({"workload"}, "tokenz").find("workload has a field that is not known ('tokenz'"),
              std::string::npos);
    EXPECT_NE(add({"model"}, "size").find("'size'"), std::string::npos);
    EXPECT_NE(add({"model", "transformer"}, "head").find("model.transformer"), std::string::npos);
    EXPECT_NE(add({"model", "transformer", "experts"}, "top").find("model.transformer.experts"),
              std::string::npos);
    EXPECT_NE(add({"model", "transformer", "latent_attention"}, "rank").find("latent_attention"),
              std::string::npos);
    EXPECT_NE(add({"cluster"}, "nodes").find("cluster"), std::string::npos);
    EXPECT_NE(add({"cluster", "device"}, "memory").find("cluster.device"), std::string::npos);
    EXPECT_NE(add({"recipe"}, "bytes").find("recipe"), std::string::npos);
    EXPECT_NE(add({"layout"}, "tp").find("layout"), std::string::npos);
    EXPECT_NE(add({"given"}, "mfuu").find("did you mean mfu?"), std::string::npos) << add({"given"}, "mfuu");
}

TEST(ScenarioFile, RefusesEveryFieldThatIsMissingOrUnusableByName) {
    const Scenario s = scenarioOf("llama-3-8b", 64);
    struct Case {
        std::vector<const char*> path;
        json value;
        const char* says;
    };
    for (const Case& each : std::vector<Case>{
             {{"cluster", "devices"}, 0, "cluster.devices is 0"},
             {{"cluster", "devices"}, 1.5, "cluster.devices"},
             {{"layout", "zero"}, 4, "layout.zero is 4"},
             {{"layout", "tensor"}, "two", "layout.tensor"},
             {{"recipe", "compute"}, "bf61", "recipe.compute is 'bf61'"},
             {{"recipe", "recompute"}, "some", "recipe.recompute is 'some'"},
             {{"recipe", "weight_bytes"}, -1, "recipe.weight_bytes"},
             {{"workload", "tokens"}, -5, "workload.tokens"},
             {{"workload", "sequence"}, 0, "workload.sequence"},
             {{"model", "transformer", "layers"}, 0, "model.transformer.layers"},
             {{"model", "transformer", "heads"}, 2, "key_value_heads"},
             {{"model", "transformer"}, nullptr, "model has 0 of"},
             {{"model", "parameters"}, 7e9, "model has 2 of"},
             {{"given"}, {{"mfu", 0.5}}, "given.mfu"},
             {{"given"}, {{"mfu", {{"low", 0.3}}}}, "given.mfu.expected"},
             {{"given"}, {{"mfu", {{"low", 0.9}, {"expected", 0.5}, {"high", 0.6}}}}, "out of order"},
             {{"given"}, {{"mfu", {{"low", 0.3}, {"expected", 0.5}, {"high", 1.6}}}}, "above 100 %"},
             {{"given"}, {{"devices", {{"low", 8}, {"expected", 8}, {"high", 8}}}}, "field of its own"},
             {{"format"}, "plumbline.snapshot", "is not a plan"},
             {{"version"}, 99, "newer version (99)"},
             {{"version"}, 0, "version"}}) {
        const auto refused = changed(s, [&](json& document) {
            json* at = &document;
            for (const char* step : each.path) at = &(*at)[step];
            *at = each.value;
        });
        ASSERT_FALSE(refused.has_value()) << each.says;
        EXPECT_EQ(refused.error().code, ErrorCode::BadInput);
        EXPECT_NE(refused.error().text().find(each.says), std::string::npos) << refused.error().text();
        EXPECT_NE(refused.error().text().find("a.plan.json"), std::string::npos) << refused.error().text();
    }
    for (const char* required : {"model", "workload", "cluster", "recipe", "layout"}) {
        const auto refused = changed(s, [&](json& document) { document.erase(required); });
        ASSERT_FALSE(refused.has_value()) << required;
        EXPECT_NE(refused.error().text().find(required), std::string::npos) << refused.error().text();
    }
    EXPECT_FALSE(scenarioFromText("", "a").has_value());
    EXPECT_FALSE(scenarioFromText("[]", "a").has_value());
    EXPECT_FALSE(scenarioFromText("{\"format\": 5}", "a").has_value());
}

/// The same check as that of a config.json, by the names that a plan has.
TEST(ScenarioFile, RefusesSizesThatContradictEachOther) {
    struct Case {
        const char* preset;
        const char* key;
        json value;
        const char* says;
    };
    for (const Case& each : std::vector<Case>{
             {"llama-3-8b", "key_value_heads", 7,
              "transformer.key_value_heads is 7, which does not divide heads 32"},
             {"llama-3-8b", "heads", 33, "transformer.key_value_heads is 8, which does not divide heads 33"},
             {"llama-3-8b", "key_value_heads", 64, "give a divisor of it"},
             {"llama-3-8b", "windowed_layers", 33,
              "transformer.windowed_layers is 33, and there are 32 layers"},
             {"llama-3-8b", "windowed_layers", 4, "transformer.sliding_window is missing"},
             {"llama-3-8b", "inner", 0, "transformer.inner is 0, and 32 layers have no experts"},
             {"mixtral-8x7b", "layers", 16, "transformer.experts.layers is 32, and there are 16 layers"}}) {
        const auto refused = changed(scenarioOf(each.preset, 64), [&](json& document) {
            document["model"]["transformer"][each.key] = each.value;
        });
        ASSERT_FALSE(refused.has_value()) << each.says;
        EXPECT_NE(refused.error().text().find(each.says), std::string::npos) << refused.error().text();
    }
    const auto refused = changed(scenarioOf("mixtral-8x7b", 64), [&](json& document) {
        document["model"]["transformer"]["experts"]["active"] = 9;
    });
    ASSERT_FALSE(refused.has_value());
    EXPECT_NE(refused.error().text().find("transformer.experts.active is 9, and there are 8 experts"),
              std::string::npos)
        << refused.error().text();
}

TEST(ScenarioFile, KeepsWhatWasTakenForGrantedOfItsModel) {
    Scenario s = scenarioOf("llama-3-8b", 64);
    EXPECT_EQ(scenarioToText(s).find("remarks"), std::string::npos);
    s.model.remarks = {"vocab_size 32000: what the file leaves out"};
    const auto read = scenarioFromText(scenarioToText(s), "a.plan.json");
    ASSERT_TRUE(read.has_value()) << read.error().text();
    EXPECT_EQ(read->model.remarks, s.model.remarks);
    const Output output = Output::MemoryPerDevice;
    EXPECT_NE(conventionsLine(std::span(&output, 1), *read).find("of the model: vocab_size 32000"),
              std::string::npos);
}

TEST(ScenarioFile, RefusesSizesThatOverflow) {
    const auto refused = changed(scenarioOf("llama-3-8b", 64), [](json& document) {
        json& model = document["model"]["transformer"];
        model["hidden"] = std::int64_t{1} << 26;
        model["inner"] = std::int64_t{1} << 26;
        model["layers"] = 16384;
    });
    ASSERT_FALSE(refused.has_value());
    EXPECT_NE(refused.error().text().find("larger than the planner takes"), std::string::npos);
}

TEST(ScenarioFile, IsWrittenAsAWholeAndReadBack) {
    const TemporaryFolder folder;
    const std::string path = folder.file("a.plan.json");
    const Scenario s = scenarioOf("llama-3-8b", 64);
    ASSERT_TRUE(writeScenario(path, s).has_value());
    const auto misnamed = writeScenario(folder.file("a.json"), s);
    ASSERT_FALSE(misnamed.has_value());
    EXPECT_NE(misnamed.error().text().find("one that ends in .plan.json"), std::string::npos);
    const auto read = readScenario(path);
    ASSERT_TRUE(read.has_value()) << read.error().text();
    EXPECT_EQ(answersOf(*read), answersOf(s));
    EXPECT_TRUE(looksLikeScenario(readFileStart(path, 4096).value()));
    EXPECT_FALSE(looksLikeScenario("{\"format\": \"plumbline.snapshot\"}"));
    EXPECT_FALSE(looksLikeScenario("plumbline.plan"));
    const auto missing = readScenario(folder.file("none.plan.json"));
    ASSERT_FALSE(missing.has_value());
    EXPECT_EQ(missing.error().code, ErrorCode::Io);
}

}  // namespace
}  // namespace plumb::planner
