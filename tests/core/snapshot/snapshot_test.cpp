// SPDX-License-Identifier: Apache-2.0
#include "core/snapshot/snapshot.h"

#include "core/io/json_fields.h"
#include "core/model/config_json.h"
#include "tests/core/snapshot/snapshot_samples.h"
#include "tests/support/temporary_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <stop_token>
#include <string>
#include <vector>

namespace plumb {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;

json::json_pointer at(const char* path) { return json::json_pointer(path); }

std::string errorOf(const Result<Snapshot>& snapshot) {
    if (snapshot.has_value()) return "no error";
    EXPECT_EQ(snapshot.error().code, ErrorCode::BadInput);
    EXPECT_FALSE(snapshot.error().hint.empty());
    return snapshot.error().text();
}

/// What is said when the field at `path` of a good snapshot is replaced.
std::string errorWith(const char* path, const json& value) {
    json document = toJson(sampleSnapshot());
    document[at(path)] = value;
    return errorOf(snapshotFromJson(document));
}

TEST(SnapshotJson, ComesBackEqual) {
    const Snapshot written = sampleSnapshot();
    const auto parsed = parseJson(dumpJson(toJson(written)), "it");
    ASSERT_TRUE(parsed.has_value());
    const auto read = snapshotFromJson(*parsed);
    ASSERT_TRUE(read.has_value()) << read.error().text();
    EXPECT_EQ(read->created, written.created);
    EXPECT_EQ(read->program, written.program);
    EXPECT_EQ(read->config, written.config);
    EXPECT_EQ(read->target.traits, written.target.traits);
    expectSameMachine(read->target.machine, written.target.machine);
    expectSameReading(*read->predicted, *written.predicted);
    expectSameReading(*read->measured, *written.measured);
    ASSERT_TRUE(read->data.has_value());
    EXPECT_EQ(read->data->description, written.data->description);
    EXPECT_EQ(read->data->samples, 1797);
    EXPECT_EQ(read->data->heldOut, 42);
    EXPECT_EQ(read->data->standardization, written.data->standardization);
    EXPECT_EQ(read->data->targetStandardization, written.data->targetStandardization);
    EXPECT_EQ(read->training->holdOut, written.training->holdOut);
    EXPECT_EQ(read->training->device, written.training->device);
    EXPECT_EQ(read->recomputeCurve, written.recomputeCurve);
    EXPECT_EQ(read->fitProof, written.fitProof);
    ASSERT_TRUE(read->training.has_value());
    expectSameSteps(read->training->steps, written.training->steps);
    EXPECT_EQ(read->training->stepsDone, 7);
    EXPECT_EQ(read->training->outcome, written.training->outcome);
    EXPECT_EQ(read->training->look, written.training->look);
    EXPECT_EQ(dumpJson(toJson(*read)), dumpJson(toJson(written)));
    EXPECT_EQ(read->predictedBy, written.predictedBy);
}

TEST(SnapshotJson, IsTheContractOfTheCommandLine) {
    const json document = toJson(sampleSnapshot());
    EXPECT_EQ(document["format"], "plumbline.snapshot");
    EXPECT_EQ(document["version"], 1);
    EXPECT_EQ(document["parameters"], 5 * 32 * 32 + 32 * 3);
    EXPECT_EQ(document["rule_6bn_flops"], 6LL * 24 * (5 * 32 * 32 + 32 * 3));
    EXPECT_EQ(document["config"]["micro-batch"], 12);
    EXPECT_EQ(document["config"]["master-weights"], true);
    EXPECT_EQ(document["config"]["checkpoint"], 2);
    EXPECT_EQ(document["config"]["lr"], 0.0123);
    EXPECT_EQ(document["config"]["weight-decay"], 0.01);
    EXPECT_EQ(document["config"]["seed"], 0xfedcba9876543210U);
    EXPECT_EQ(document["machine"]["peak_flop_per_s"]["bf16"], 3.3e11);
    const json& memory = document["predicted"]["memory"];
    EXPECT_TRUE(memory["peak_op"].is_string());
    EXPECT_EQ(memory["curve"].size(), document["predicted"]["ops"].size());
    EXPECT_EQ(memory["curve"][3]["op"], document["predicted"]["ops"][3]["id"]);
    EXPECT_TRUE(memory["curve"][0]["master_parameters"].is_number_integer());
    EXPECT_TRUE(document["predicted"]["ops"][0]["flops"].is_number_integer());
    EXPECT_TRUE(document["measured"]["totals"]["mfu"].is_null());
    EXPECT_TRUE(document["training"]["loss"][3].is_null());
}

TEST(ConfigJson, HoldsEveryOptionThatHasAMeaning) {
    for (const auto& [optimizer, schedule] :
         {std::pair{Optimizer::AdamW, Schedule::Constant}, std::pair{Optimizer::RmsProp, Schedule::Cosine},
          std::pair{Optimizer::Adafactor, Schedule::Step}}) {
        RunConfig asked;
        asked.optimizer = optimizer;
        asked.schedule = schedule;
        const json document = toJson(asked);
        for (const OptionInfo& option : runOptions())
            EXPECT_EQ(document.contains(std::string(option.name)), optionApplies(asked, option.name))
                << option.name;
    }
    const json config = toJson(RunConfig{});
    EXPECT_TRUE(config.contains("beta1"));
    EXPECT_FALSE(config.contains("nesterov"));
    EXPECT_EQ(config["checkpoint"], "all");
    EXPECT_EQ(config["micro-batch"], config["batch"]);
    EXPECT_EQ(config["lr"], 1e-3);
}

TEST(ConfigJson, ComesBackEqualWithEveryDefaultWrittenOut) {
    for (const Optimizer optimizer : {Optimizer::Sgd, Optimizer::Adagrad, Optimizer::AdamW}) {
        RunConfig config;
        config.optimizer = optimizer;
        const auto read = configFromJson(toJson(config));
        ASSERT_TRUE(read.has_value());
        EXPECT_EQ(*read, config);
    }
}

TEST(ConfigJson, KeepsAGivenValueThatEqualsTheDefaultWhenAnotherOptionChanges) {
    auto batched = configFromJson(json{{"micro-batch", 256}});
    ASSERT_TRUE(batched.has_value());
    ASSERT_TRUE(setOption(*batched, "batch", "1024").has_value());
    EXPECT_EQ(batched->microBatchSize(), 256);

    auto trained = configFromJson(json{{"lr", 0.001}, {"weight-decay", 0}, {"optimizer", "sgd"}});
    ASSERT_TRUE(trained.has_value());
    ASSERT_TRUE(setOption(*trained, "optimizer", "adagrad").has_value());
    EXPECT_EQ(trained->effectiveLearningRate(), 0.001);
    ASSERT_TRUE(setOption(*trained, "optimizer", "adamw").has_value());
    EXPECT_EQ(trained->effectiveWeightDecay(), 0);
}

TEST(ConfigJson, TakesTextAsTheCommandLineDoesAndKeepsFileNamesText) {
    const auto read = configFromJson(json{{"batch", "4Ki"},
                                          {"master-weights", "off"},
                                          {"lr", "1e-2"},
                                          {"dim", 1e3},
                                          {"data", "7"},
                                          {"targets", "on"},
                                          {"unknown", {1, 2}}});
    ASSERT_TRUE(read.has_value()) << read.error().text();
    EXPECT_EQ(read->batch, 4096);
    EXPECT_EQ(read->dim, 1000);
    EXPECT_FALSE(read->masterWeights);
    EXPECT_EQ(read->learningRate, 1e-2);
    EXPECT_EQ(toJson(*read)["data"], "7");
    EXPECT_EQ(toJson(*read)["targets"], "on");
}

TEST(ConfigJson, NamesTheFieldThatCannotBeUsed) {
    const auto nested = configFromJson(json{{"batch", json::array({1})}});
    ASSERT_FALSE(nested.has_value());
    EXPECT_THAT(nested.error().message, HasSubstr("config.batch"));
    const auto wrong = configFromJson(json{{"optimizer", "magic"}});
    ASSERT_FALSE(wrong.has_value());
    EXPECT_THAT(wrong.error().message, HasSubstr("config.optimizer"));
    EXPECT_FALSE(configFromJson(json::array()).has_value());
}

TEST(SnapshotJson, NamesThePathOfEveryWrongField) {
    EXPECT_THAT(errorWith("/predicted/ops/3/flops", -1), HasSubstr("predicted.ops[3].flops"));
    EXPECT_THAT(errorWith("/predicted/ops/3/flops", 1.5), HasSubstr("predicted.ops[3].flops"));
    EXPECT_THAT(errorWith("/predicted/ops/3/bytes", "many"), HasSubstr("predicted.ops[3].bytes"));
    EXPECT_THAT(errorWith("/predicted/ops/3/bytes", 10000000000000000000ULL),
                HasSubstr("predicted.ops[3].bytes"));
    EXPECT_THAT(errorWith("/measured/ops/0/seconds", -1e-9), HasSubstr("measured.ops[0].seconds"));
    EXPECT_THAT(errorWith("/predicted/ops/2/phase", "sideways"),
                AllOf(HasSubstr("ops[2].phase"), HasSubstr("recompute")));
    EXPECT_THAT(errorWith("/predicted/ops/2/source", "guess"), HasSubstr("ops[2].source"));
    EXPECT_THAT(errorWith("/predicted/ops/2", 7), HasSubstr("predicted.ops[2] is not an object"));
    EXPECT_THAT(errorWith("/predicted/ops", json::object()), HasSubstr("predicted.ops.count is missing"));
    EXPECT_THAT(errorWith("/predicted/totals", nullptr), HasSubstr("predicted.totals"));
    EXPECT_THAT(errorWith("/machine/memory_bytes", "big"), HasSubstr("machine.memory_bytes"));
    EXPECT_THAT(errorWith("/machine/bandwidth_bytes_per_s", 0), HasSubstr("machine.bandwidth_bytes_per_s"));
    EXPECT_THAT(errorWith("/machine/peak_flop_per_s/fp32", -2), HasSubstr("machine.peak_flop_per_s.fp32"));
    EXPECT_THAT(errorWith("/machine", nullptr), HasSubstr("machine"));
    EXPECT_THAT(errorWith("/traits/library_scratch_bytes", -2), HasSubstr("traits.library_scratch_bytes"));
    EXPECT_THAT(errorWith("/config/dim", -4), HasSubstr("config"));
    EXPECT_THAT(errorWith("/config/micro-batch", 7), HasSubstr("config"));
    EXPECT_THAT(errorWith("/parameters", 1), HasSubstr("parameters is 1"));
    EXPECT_THAT(errorWith("/training/steps_done", -1), HasSubstr("training.steps_done"));
    EXPECT_THAT(errorWith("/training/color", RunLook::kColors + 1), HasSubstr("training.color"));
    EXPECT_THAT(errorWith("/checkpoint_curve/1/checkpoint", "half"),
                HasSubstr("checkpoint_curve[1].checkpoint"));
    EXPECT_THAT(errorWith("/checkpoint_curve/0/steps", -1), HasSubstr("checkpoint_curve[0].steps"));
    EXPECT_EQ(errorWith("/checkpoint_curve", nullptr), "no error");
    EXPECT_THAT(errorWith("/training/seconds/2", nullptr), HasSubstr("training.seconds[2]"));
    EXPECT_THAT(errorWith("/training/loss/2", "low"), HasSubstr("training.loss[2]"));
    EXPECT_EQ(errorWith("/training/loss/2", nullptr), "no error");
    EXPECT_EQ(errorWith("/created", "whenever"), "no error");
}

TEST(SnapshotJson, RefusesWhatDoesNotFitTogether) {
    const json document = toJson(sampleSnapshot());
    json changed = document;
    changed["predicted"]["memory"]["curve"].erase(0);
    EXPECT_THAT(errorOf(snapshotFromJson(changed)), HasSubstr("predicted.memory.curve"));
    changed = document;
    changed["predicted"]["ops"][4]["id"] = changed["predicted"]["ops"][1]["id"];
    EXPECT_THAT(errorOf(snapshotFromJson(changed)),
                AllOf(HasSubstr("predicted.ops[4].id"), HasSubstr("ops[1]")));
    changed = document;
    std::swap(changed["predicted"]["memory"]["curve"][1]["op"],
              changed["predicted"]["memory"]["curve"][2]["op"]);
    EXPECT_THAT(errorOf(snapshotFromJson(changed)), HasSubstr("predicted.memory.curve[1].op"));
    changed = document;
    changed["training"]["loss"].push_back(1);
    EXPECT_THAT(errorOf(snapshotFromJson(changed)), HasSubstr("training.loss"));
    changed = document;
    std::swap(changed["training"]["step"][1], changed["training"]["step"][2]);
    EXPECT_THAT(errorOf(snapshotFromJson(changed)), HasSubstr("training.step[2]"));
    EXPECT_THAT(errorWith("/predicted/memory/peak_op", "no such op"), HasSubstr("predicted.memory.peak_op"));
    EXPECT_THAT(errorWith("/predicted/memory/peak_bytes", 1), HasSubstr("predicted.memory.peak_bytes"));
    EXPECT_THAT(errorWith("/predicted/memory/curve/0/data", INT64_MAX), HasSubstr("63 bits"));
}

TEST(SnapshotJson, RefusesAProductThatIsNotThereAndReadsFilesWithoutAny) {
    EXPECT_THAT(errorWith("/measured/ops/1/products", json{0, 7}),
                AllOf(HasSubstr("measured.ops[1].products"), HasSubstr("product 7")));
    EXPECT_THAT(errorWith("/measured/products/0/origin", "guessed"), HasSubstr("heuristic, autotune, cache"));
    EXPECT_THAT(errorWith("/measured/products/0/apart", json{"sigmoid"}),
                HasSubstr("measured.products[0].apart"));
    json older = toJson(sampleSnapshot());
    older["measured"].erase("products");
    for (json& op : older["measured"]["ops"]) op.erase("products");
    const auto read = snapshotFromJson(older);
    ASSERT_TRUE(read.has_value()) << read.error().text();
    EXPECT_TRUE(read->measured->products.empty());
}

TEST(SnapshotJson, RefusesDerivedNumbersThatAreNotDerived) {
    EXPECT_THAT(errorWith("/rule_6bn_flops", 1), HasSubstr("rule_6bn_flops is 1"));
    EXPECT_EQ(errorWith("/rule_6bn_flops", nullptr), "no error");
    for (const std::string reading : {"predicted", "measured"}) {
        const auto expectRefused = [&](const std::string& name, const json& value) {
            const std::string pointer = std::string("/").append(reading).append("/").append(name);
            std::string path = std::string(reading).append(".").append(name);
            std::replace(path.begin(), path.end(), '/', '.');
            EXPECT_THAT(errorWith(pointer.c_str(), value), testing::StartsWith(path + " is ")) << pointer;
        };
        expectRefused("totals/flops", 1);
        expectRefused("totals/bytes", 1);
        expectRefused("memory/at_peak_bytes/gradients", 7);
        expectRefused("memory/category_peak_bytes/data", 7);
        const json document = toJson(sampleSnapshot());
        const json& memory = document[reading]["memory"];
        for (const json& entry : memory["curve"]) {
            if (entry["op"] != memory["peak_op"]) expectRefused("memory/peak_op", entry["op"]);
        }
        expectRefused("memory/peak_op", nullptr);
    }
}

TEST(SnapshotJson, RefusesTimesNobodyCanBelieve) {
    EXPECT_THAT(errorWith("/measured/totals/seconds", 1e308),
                HasSubstr("measured.totals.seconds is 1e+308, which is no time of a step in seconds"));
    EXPECT_THAT(errorWith("/predicted/totals/seconds", 1e308),
                HasSubstr("predicted.totals.seconds is 1e+308"));
    EXPECT_THAT(errorWith("/measurements/0/measured/totals/seconds", 1e10),
                HasSubstr("measurements[0].measured.totals.seconds is 10000000000.0"));
    EXPECT_THAT(errorWith("/measured/totals/seconds_high", 1e300),
                HasSubstr("measured.totals.seconds_high is 1e+300"));
}

TEST(SnapshotJson, RefusesRatesThatAreNotThoseOfTheSeconds) {
    for (const json& seconds : {json(0), json()})
        EXPECT_THAT(errorWith("/measured/totals/seconds", seconds),
                    HasSubstr("measured.totals.samples_per_second is 19200.0, and seconds are "));
    EXPECT_THAT(errorWith("/measured/totals/seconds", 1.0),
                HasSubstr("measured.totals.samples_per_second is 19200.0, and the seconds make it 24.0"));
    EXPECT_THAT(errorWith("/measurements/0/measured/totals/samples_per_second", 7),
                HasSubstr("measurements[0].measured.totals.samples_per_second is 7"));
    EXPECT_THAT(errorWith("/predicted/totals/flop_per_s", 1e20), HasSubstr("predicted.totals.flop_per_s is"));
    EXPECT_THAT(errorWith("/predicted/totals/mfu", 0.999), HasSubstr("predicted.totals.mfu is 0.999"));
    json document = toJson(sampleSnapshot());
    document["predicted_by"] = nullptr;  // by the program that measured
    document["measured"]["totals"]["mfu"] = 0.999;
    EXPECT_THAT(errorOf(snapshotFromJson(document)), HasSubstr("measured.totals.mfu is 0.999"));
    for (const char* rate : {"samples_per_second", "flop_per_s", "mfu"})
        EXPECT_EQ(errorWith(("/predicted/totals/" + std::string(rate)).c_str(), nullptr), "no error");
}

TEST(SnapshotJson, AnUnknownNumberOfAnOpLeavesItsTotalUnchecked) {
    json document = toJson(sampleSnapshot());
    json& reading = document["measured"];
    reading["totals"]["flops"] = 5;
    reading["ops"][2]["flops"] = nullptr;
    reading["totals"]["bytes"] = nullptr;
    EXPECT_EQ(errorOf(snapshotFromJson(document)), "no error");
    // Counters measure FLOPs and bytes; a reading without them has neither.
    reading["totals"]["flops"] = nullptr;
    for (json& op : reading["ops"]) op["flops"] = op["bytes"] = nullptr;
    const auto read = snapshotFromJson(document);
    ASSERT_TRUE(read.has_value()) << read.error().text();
    EXPECT_FALSE(read->measured->totals.flops.has_value());
    EXPECT_FALSE(read->measured->ops[0].bytes.has_value());
}

TEST(SnapshotJson, CountersThatAreWrongAreNamed) {
    EXPECT_THAT(errorWith("/measured/ops/1/counters/l2_bytes/value", -1),
                HasSubstr("measured.ops[1].counters.l2_bytes.value"));
    EXPECT_THAT(errorWith("/measured/ops/1/counters/l2_bytes/value", 1e300),
                HasSubstr("measured.ops[1].counters.l2_bytes.value"));
    EXPECT_THAT(errorWith("/measured/ops/1/counters/l2_bytes/value", nullptr),
                HasSubstr("measured.ops[1].counters.l2_bytes.value"));
    EXPECT_THAT(errorWith("/measured/ops/1/counters/l2_bytes/source", "guess"),
                AllOf(HasSubstr("counters.l2_bytes.source"), HasSubstr("activity")));
    EXPECT_THAT(errorWith("/measured/ops/1/counters", 3), HasSubstr("measured.ops[1].counters"));
    EXPECT_THAT(errorWith("/measured/ops/1/counters/tensor_flops/value", 1),
                HasSubstr("measured.ops[1].flops"));
    EXPECT_THAT(errorWith("/measured/ops/1/counters/dram_bytes/value", 1),
                HasSubstr("measured.ops[1].bytes"));
    EXPECT_THAT(errorWith("/measured/counter_run/passes", -1), HasSubstr("measured.counter_run.passes"));
    EXPECT_THAT(errorWith("/measured/counter_run/metrics/0", 3), HasSubstr("counter_run.metrics[0]"));
    EXPECT_EQ(errorWith("/measured/counter_run", nullptr), "no error");
    EXPECT_EQ(errorWith("/measured/ops/1/counters", nullptr), "no error");
    EXPECT_EQ(errorWith("/measured/ops/1/counters/l2_bytes", nullptr), "no error");
}

TEST(SnapshotJson, AnOlderFileHasNoCounters) {
    json document = toJson(sampleSnapshot());
    document["measured"].erase("counter_run");
    document["measured"].erase("counters_absent");
    for (json& op : document["measured"]["ops"]) op.erase("counters");
    const auto read = snapshotFromJson(document);
    ASSERT_TRUE(read.has_value()) << read.error().text();
    EXPECT_FALSE(read->measured->counterRun.has_value());
    EXPECT_TRUE(read->measured->ops[1].counters.empty());
}

TEST(SnapshotJson, MemoryNamesItsSourceAndAnOlderFileThatOfItsReading) {
    json document = toJson(sampleSnapshot());
    EXPECT_EQ(document["predicted"]["memory"]["source"], "predicted");
    EXPECT_EQ(document["measured"]["memory"]["source"], "allocator");
    document["predicted"]["memory"].erase("source");
    document["measured"]["memory"].erase("source");
    const auto read = snapshotFromJson(document);
    ASSERT_TRUE(read.has_value()) << read.error().text();
    EXPECT_EQ(read->predicted->memory->source, Source::Predicted);
    EXPECT_EQ(read->measured->memory->source, Source::Allocator);
    EXPECT_THAT(errorWith("/measured/memory/source", "clock"), HasSubstr("measured.memory.source"));
}

TEST(SnapshotJson, IgnoresFieldsOfTheFuture) {
    json document = toJson(sampleSnapshot());
    document["extra"] = {{"a", json::array({1, 2})}};
    document["predicted"]["ops"][0]["extra"] = true;
    document["predicted"]["memory"]["curve"][0]["new_category"] = 5;
    document["machine"]["peak_flop_per_s"]["fp4"] = 1e15;
    document["config"]["extra"] = {1};
    EXPECT_EQ(errorOf(snapshotFromJson(document)), "no error");
}

TEST(SnapshotJson, ANewerVersionAsksForAnUpdateAndOthersAreNotOurs) {
    EXPECT_THAT(errorWith("/version", 3),
                AllOf(HasSubstr("newer version (3)"), HasSubstr("update Plumbline")));
    EXPECT_THAT(errorWith("/version", "1"), HasSubstr("version"));
    EXPECT_THAT(errorWith("/version", 0), HasSubstr("version"));
    EXPECT_THAT(errorWith("/format", "other"), HasSubstr("not a Plumbline snapshot"));
    EXPECT_THAT(errorOf(snapshotFromJson(json::array())), HasSubstr("not a Plumbline snapshot"));
    EXPECT_THAT(errorOf(snapshotFromJson(json::object())), HasSubstr("not a Plumbline snapshot"));
    // A newer file may look quite different: the version is what is said, not the first wrong field.
    EXPECT_THAT(errorOf(snapshotFromJson(json{{"format", "plumbline.snapshot"}, {"version", 9}})),
                HasSubstr("newer version (9)"));
}

TEST(SnapshotJson, BytesThatAreNoUtf8DoNotBreakTheFile) {
    Snapshot snapshot = sampleSnapshot();
    snapshot.training->outcome = "\xff\xfe";
    const std::string text = dumpJson(toJson(snapshot));
    EXPECT_TRUE(json::accept(text));
    EXPECT_EQ(errorOf(snapshotFromJson(json::parse(text))), "no error");
}

TEST(SnapshotFile, IsWrittenAndRead) {
    const TemporaryFolder folder;
    const Snapshot written = sampleSnapshot();
    ASSERT_TRUE(writeSnapshot(folder.file("a.plumb"), written).has_value());
    const auto read = readSnapshot(folder.file("a.plumb"));
    ASSERT_TRUE(read.has_value()) << read.error().text();
    EXPECT_EQ(read->config, written.config);
    const auto missing = readSnapshot(folder.file("none.plumb"));
    ASSERT_FALSE(missing.has_value());
    EXPECT_EQ(missing.error().code, ErrorCode::Io);
}

TEST(SnapshotFile, EveryTruncationIsRefusedAndSaysWhere) {
    const TemporaryFolder folder;
    const std::string path = folder.file("a.plumb");
    ASSERT_TRUE(writeSnapshot(path, sampleSnapshot()).has_value());
    const std::string whole = getFile(path);
    for (std::size_t size = 1; size + 2 < whole.size(); size += 97) {
        putFile(path, whole.substr(0, size));
        EXPECT_THAT(errorOf(readSnapshot(path)), AllOf(HasSubstr(path), HasSubstr("truncated"),
                                                       HasSubstr("at byte " + std::to_string(size))));
    }
    putFile(path, "");
    EXPECT_THAT(errorOf(readSnapshot(path)), HasSubstr("empty"));
}

TEST(SnapshotFile, RefusesGarbageOfAnyKind) {
    const TemporaryFolder folder;
    const std::string path = folder.file("a.plumb");
    const auto errorFor = [&](const std::string& content) {
        putFile(path, content);
        return errorOf(readSnapshot(path));
    };
    EXPECT_THAT(errorFor(std::string("\x89PNG\r\n\x1a\n", 8)), HasSubstr("not a Plumbline snapshot"));
    EXPECT_THAT(errorFor("[]"), HasSubstr("not a Plumbline snapshot"));
    EXPECT_THAT(errorFor("{}"), HasSubstr("no \"format\""));
    EXPECT_THAT(errorFor("{\"format\": 7}"), HasSubstr("no \"format\""));
    EXPECT_THAT(errorFor("{\"format\": \"other\", bad"), HasSubstr("not a Plumbline snapshot"));
    EXPECT_THAT(errorFor("{\"a\" 1}"), HasSubstr("not JSON (at byte 6)"));
    EXPECT_THAT(errorFor("{\"a\": 1e999}"),
                AllOf(HasSubstr("a.plumb holds a number that is out of range (at byte 11)"),
                      testing::Not(HasSubstr("exception"))));
    EXPECT_THAT(errorFor("{\"format\": \"plumbline.snapshot\", \"a\": " + std::string(100'000, '[')),
                HasSubstr("nests more than 64 levels"));
    EXPECT_THAT(errorFor("{\"x\":" + std::string(1'000'000, '{')), HasSubstr("not JSON"));
}

TEST(SnapshotFile, RefusesAHundredMegabytesWithoutBuildingThem) {
    const TemporaryFolder folder;
    const std::string path = folder.file("a.plumb");
    // Numbers that fit in 100 MB as text would take 1.6 GB once built; the limit of memory comes first.
    std::string numbers = R"({"format":"plumbline.snapshot","version":1,"x":[)";
    for (numbers.reserve(104'000'000); numbers.size() < 100'000'000;) numbers += "0,";
    putFile(path, numbers + "0]}");
    EXPECT_THAT(errorOf(readSnapshot(path)), HasSubstr("more than the 537 MB of memory"));
    numbers.assign(100'000'000, '{');
    putFile(path, numbers);
    EXPECT_THAT(errorOf(readSnapshot(path)), HasSubstr("a.plumb"));
    // Larger than any snapshot, known from its size alone.
    putFile(path, "{");
    std::filesystem::resize_file(path, std::uintmax_t{1} << 40U);
    EXPECT_THAT(errorOf(readSnapshot(path)), HasSubstr("268 MB"));
}

TEST(Inspector, NestingBombsInMessagesAreRefused) {
    const auto deep = parseJson(std::string(1'000'000, '['), "it");
    ASSERT_FALSE(deep.has_value());
    EXPECT_THAT(deep.error().message, HasSubstr("64 levels"));
    EXPECT_TRUE(parseJson("[\"" + std::string(1000, '[') + "\\\"[\"]", "it").has_value())
        << "brackets in text";
}

TEST(ParseJson, SaysWhereANumberIsOutOfRange) {
    const auto parsed = parseJson(R"({"lr": -1e999, "b": 1})", "the file c.json");
    ASSERT_FALSE(parsed.has_value());
    EXPECT_EQ(parsed.error().code, ErrorCode::BadInput);
    EXPECT_EQ(parsed.error().message, "the file c.json holds a number that is out of range (at byte 13)");
    EXPECT_TRUE(parseJson("[1e-999]", "it").has_value()) << "too small for a double is zero";
}

TEST(MakeSnapshot, CarriesThePredictionAndRefusesWhatCannotBePlanned) {
    const auto made = makeSnapshot(sampleConfig(), {sampleMachine(), cpuTraits()});
    ASSERT_TRUE(made.has_value());
    EXPECT_THAT(made->created,
                testing::MatchesRegex("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z"));
    EXPECT_THAT(made->program, HasSubstr("plumbline "));
    ASSERT_TRUE(made->predicted.has_value());
    EXPECT_FALSE(made->measured.has_value());
    RunConfig bad = sampleConfig();
    bad.dim = 0;
    const auto refused = makeSnapshot(bad, {sampleMachine(), cpuTraits()});
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().code, ErrorCode::BadInput);
}

TEST(SnapshotFile, ReadingTellsAShareThatOnlyGrowsAndStopsWhenItIsTold) {
    const TemporaryFolder folder;
    std::string text = snapshotText(sampleSnapshot());
    std::string more = R"(, "more": [)";
    for (int i = 0; i < 1 << 20; ++i) more += "1234.5678,";
    text.insert(text.rfind('}'), more + "0]");
    const std::string path = folder.file("large.plumb");
    putFile(path, text);
    std::vector<double> shares;
    ASSERT_TRUE(readSnapshot(path, {{}, [&](double share) { shares.push_back(share); }}).has_value());
    ASSERT_GT(shares.size(), 9U) << "for each megabyte";
    EXPECT_TRUE(std::ranges::is_sorted(shares));
    EXPECT_GE(shares.front(), 0);
    EXPECT_LE(shares.back(), 1);
    std::stop_source stop;
    const auto stopped = readSnapshot(path, {stop.get_token(), [&](double share) {
                                                 if (share > 0.5) stop.request_stop();
                                             }});
    ASSERT_FALSE(stopped.has_value());
    EXPECT_EQ(stopped.error().code, ErrorCode::RunFailed);
}

}  // namespace
}  // namespace plumb
