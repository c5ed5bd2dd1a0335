// SPDX-License-Identifier: Apache-2.0
#include "core/recorded/step_file.h"

#include "core/machine/hardware_database.h"
#include "core/measure/operations_tree.h"
#include "core/measure/scene.h"
#include "tests/support/reference.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <numeric>
#include <string>

namespace plumb {
namespace {

using nlohmann::json;

json sample(const std::string& name) { return test::referenceFile("step/" + name); }
const json& decoder() {
    static const json kRead = sample("decoder.plumb");
    return kRead;
}

StepFile parsed(const json& document) {
    auto file = parseStepFile(document.dump(), "a.plumb");
    EXPECT_TRUE(file.has_value()) << file.error().text();
    return std::move(file).value();
}

const Machine& h200() {
    static const Machine kFound = HardwareDatabase::builtIn().find("H200 SXM").value();
    return kFound;
}

/// The field of a file; all of pass T.
json losses(const json& steps, const json& values, const json& seconds) {
    return {{"source", "step"}, {"absent", nullptr}, {"step", steps}, {"pass", json(steps.size(), "T")},
            {"loss", values},   {"seconds", seconds}};
}

std::int64_t sumOf(const json& column) {
    return std::accumulate(column.begin(), column.end(), std::int64_t{0},
                           [](std::int64_t sum, const json& entry) {
                               return sum + (entry.is_null() ? 0 : entry.get<std::int64_t>());
                           });
}

TEST(StepFile, IsReadAsTheRecorderWroteIt) {
    const StepFile file = parsed(decoder());
    EXPECT_EQ(file.program, decoder()["program"]);
    EXPECT_EQ(file.environment.device, "cpu");
    EXPECT_EQ(file.parameters, 8000);
    EXPECT_EQ(file.step.title(), decoder()["title"]);
    EXPECT_EQ(file.step.samples, 2);
    EXPECT_EQ(file.step.productDtype, Dtype::Bf16);
    EXPECT_FALSE(file.prediction.has_value());
    EXPECT_EQ(file.said, decoder()["said"].get<std::vector<std::string>>());
    const json& ops = decoder()["ops"];
    ASSERT_EQ(static_cast<std::size_t>(file.step.opCount()), ops["id"].size());
    EXPECT_EQ(file.step.flops, sumOf(ops["flops"]));
    EXPECT_EQ(file.step.matmulFlops, sumOf(ops["matmul_flops"]));
    EXPECT_EQ(file.step.bytes, sumOf(ops["bytes"]));
    EXPECT_GT(file.step.recomputedFlops, 0);
    for (std::int32_t index = 0; index < file.step.opCount(); ++index) {
        const auto at = static_cast<std::size_t>(index);
        EXPECT_EQ(file.step.opId(index), ops["id"][at]);
        EXPECT_EQ(file.step.opName(index), ops["name"][at]);
        EXPECT_EQ(phaseName(file.step.op(index).phase), ops["phase"][at]);
        std::int64_t read = 0;
        for (const TensorRange& range : file.step.opReads(index))
            for (std::int32_t i = 0; i < range.count; ++i)
                EXPECT_EQ(range.first + i, ops["reads"][at][static_cast<std::size_t>(read++)]);
        EXPECT_EQ(read, static_cast<std::int64_t>(ops["reads"][at].size()));
    }
}

TEST(StepFile, ItsTensorsGiveTheMemoryThatTheRecorderSaw) {
    for (const char* name : {"decoder.plumb", "decoder_predicted.plumb"}) {
        const json document = sample(name);
        const StepFile file = parsed(document);
        const MemoryReading memory = summariseCurve(memoryCurve(file.step));
        EXPECT_EQ(memory.peakBytes, document["memory"]["curve_peak_bytes"]) << name;
        EXPECT_EQ(memory.peakOp, document["memory"]["peak_op"]) << name;
        for (const Category category : kAllCategories)
            EXPECT_EQ(memory.atPeak[category],
                      document["memory"]["at_peak"].value(std::string(categoryName(category)), Bytes{0}))
                << name << ' ' << categoryName(category);
    }
}

TEST(StepFile, IsWrittenAsItWasRead) {
    for (const char* name : {"decoder.plumb", "decoder_predicted.plumb"}) {
        const json document = sample(name);
        const json written = toJson(parsed(document));
        EXPECT_EQ(toJson(parsed(written)), written);
        // What is derived of the rest, or of the recorder alone, is left out; the rest is the same.
        for (const char* table : {"ops", "tensors"})
            for (const auto& [column, values] : written[table].items())
                EXPECT_EQ(values, document[table][column]) << name << ' ' << table << ' ' << column;
        for (const char* key : {"format", "version", "created", "program", "title", "source", "parameters",
                                "samples", "product_dtype", "said", "missing_formulas"})
            EXPECT_EQ(written[key], document[key]) << name << ' ' << key;
        for (const auto& [key, value] : written["memory"].items()) EXPECT_EQ(value, document["memory"][key]);
    }
}

TEST(StepFile, WhatWasMeasuredSaysWhereItIsFrom) {
    const StepFile file = parsed(decoder());
    const auto reading = readingOf(file, h200());
    ASSERT_NE(reading, nullptr);
    EXPECT_EQ(reading->stepsMeasured, 5);
    EXPECT_EQ(reading->totals.seconds, decoder()["measured"]["median"].get<double>());
    EXPECT_EQ(reading->totals.tier, Tier::Measured);
    EXPECT_LE(reading->totals.spread->low, *reading->totals.seconds);
    EXPECT_GE(reading->totals.spread->high, *reading->totals.seconds);
    EXPECT_FALSE(reading->totals.mfu.has_value()) << "a share of the peak of another machine than it ran on";
    ASSERT_NE(reading->timeline, nullptr);
    EXPECT_EQ(reading->timeline->records.size(), 2 * file.step.ops.size()) << "each call, and the bytes then";
    Bytes most = 0;
    for (const TimelineRecord& record : reading->timeline->records) {
        const auto op = static_cast<std::size_t>(record.op);
        EXPECT_EQ(record.begin, decoder()["ops"]["start"][op].get<double>());
        most = std::max(most, record.bytes);
        if (record.kind == TimelineKind::Op) {
            EXPECT_NEAR(record.end - record.begin, decoder()["ops"]["seconds"][op].get<double>(), 1e-12);
        }
    }
    EXPECT_EQ(most, decoder()["memory"]["curve_peak_bytes"]);
    EXPECT_EQ(reading->memory->source, Source::Allocator);
    EXPECT_EQ(reading->memory->peakBytes, decoder()["memory"]["allocator_peak_bytes"]);
    ASSERT_EQ(reading->ops.size(), file.step.ops.size());
    for (std::size_t i = 0; i < reading->ops.size(); ++i) {
        EXPECT_EQ(reading->ops[i].seconds, decoder()["ops"]["seconds"][i].get<double>());
        EXPECT_FALSE(reading->ops[i].flops.has_value()) << "nothing counted them while it ran";
    }
    StepFile onTheGpu = file;
    onTheGpu.environment = {.device = "cuda", .deviceName = h200().name};
    EXPECT_TRUE(readingOf(onTheGpu, h200())->totals.mfu.has_value());
    StepFile untimed = file;
    untimed.stepSeconds.clear();
    EXPECT_FALSE(readingOf(untimed, h200())->totals.seconds.has_value());
    EXPECT_EQ(readingOf(parsed(sample("decoder_predicted.plumb")), h200()), nullptr) << "it did not run";
}

TEST(StepFile, IsPredictedByTheCeilingsOfAMachine) {
    const StepFile file = parsed(decoder());
    const PlannedStep planned = plannedOn(file, {h200(), {}});
    EXPECT_EQ(planned.plan, nullptr);
    const Prediction& prediction = *planned.prediction;
    ASSERT_TRUE(prediction.totals.seconds.has_value());
    EXPECT_LT(prediction.totals.spread->low, *prediction.totals.seconds);
    EXPECT_GT(prediction.totals.spread->high, *prediction.totals.seconds);
    for (std::int32_t index = 0; index < file.step.opCount(); ++index) {
        const bool isView = file.step.op(index).isView();
        EXPECT_EQ(*prediction.opSeconds[static_cast<std::size_t>(index)] == 0, isView)
            << file.step.opId(index) << ": a view launches nothing, and anything else takes time";
    }
}

TEST(StepFile, IsPredictedAsTheRecorderPredictsIt) {
    const json document = sample("decoder_predicted.plumb");
    const StepFile file = parsed(document);
    const Machine* const machine = machineOf(file.environment, HardwareDatabase::builtIn().machines);
    ASSERT_NE(machine, nullptr);
    const PlannedStep planned = plannedOn(file, {*machine, {}});
    const double seconds = document["predicted"]["seconds"];
    EXPECT_NEAR(*planned.prediction->totals.seconds, seconds, 1e-3 * seconds)
        << "the package reckons with the same ceilings";
}

TEST(StepFile, ASumWithAnUnknownPartIsUnknown) {
    json document = decoder();
    document["ops"]["flops"][3] = nullptr;
    const StepFile file = parsed(document);
    EXPECT_FALSE(file.step.hasAllFlops);
    const PlannedStep planned = plannedOn(file, {h200(), {}});
    EXPECT_FALSE(planned.prediction->totals.flops.has_value());
    EXPECT_TRUE(planned.prediction->totals.matmulFlops.has_value());
    EXPECT_FALSE(describeOp(*planned.step, 3).flops.has_value());
    EXPECT_TRUE(describeOp(*planned.step, 4).flops.has_value());
}

TEST(StepFile, FillsTheTreeOfOperations) {
    const StepFile file = parsed(decoder());
    const Target target{h200(), {}};
    const PlannedStep planned = plannedOn(file, target);
    Scene scene{planned, MeasuredStep(planned, readingOf(file, target.machine))};
    const MeasuredStep& measured = *scene.measured;
    double sum = 0;
    for (const RecordedOp& op : file.step.ops) {
        ASSERT_NE(measured.op(op.id), nullptr) << op.id;
        sum += *measured.op(op.id)->seconds;
    }
    EXPECT_GT(sum, 0);
}

TEST(StepFile, FindsTheMachineThatItRanOn) {
    std::vector<Machine> known(3);
    known[0].name = "NVIDIA H200 SXM 141GB";
    known[1].name = "NVIDIA H100 SXM 80GB";
    known[2].name = "Intel(R) Xeon(R) Processor, 2 cores";
    RecordingEnvironment gpu{.device = "cuda", .deviceName = "NVIDIA H200"};
    EXPECT_EQ(machineOf(gpu, known), &known[0]);
    gpu.deviceName = "NVIDIA";
    EXPECT_EQ(machineOf(gpu, known), nullptr) << "two have this name";
    gpu.deviceName = {};
    EXPECT_EQ(machineOf(gpu, known), nullptr);
    RecordingEnvironment cpu{.device = "cpu", .threads = 2, .deviceName = "Intel(R) Xeon(R) Processor"};
    EXPECT_EQ(machineOf(cpu, known), &known[2]);
    EXPECT_EQ(otherThreadsText(cpu, known[2]), "");
    cpu.threads = 1;
    EXPECT_EQ(machineOf(cpu, known), &known[2]) << "the same processor";
    EXPECT_THAT(otherThreadsText(cpu, known[2]),
                testing::HasSubstr("The step had 1 thread, and is predicted for"));
    EXPECT_EQ(otherThreadsText(cpu, known[0]), "") << "another device, and threads are no matter";
    known.push_back(known[2]);
    known[3].name = "Intel(R) Xeon(R) Processor, 1 cores";
    EXPECT_EQ(machineOf(cpu, known), &known[3]) << "as many cores as threads";
    cpu.threads = 8;
    EXPECT_EQ(machineOf(cpu, known), nullptr) << "two of this processor, neither with as many";
}

struct Wrong {
    std::string what;
    std::function<void(json&)> change;
    std::string says;
};

TEST(StepFile, WhatCannotBeIsRefusedByName) {
    const std::vector<Wrong> cases{
        {"another format", [](json& file) { file["format"] = "plumbline.snapshot"; }, "plumbline.step"},
        {"a newer version", [](json& file) { file["version"] = 2; }, "version is 2"},
        {"a missing column", [](json& file) { file["ops"].erase("kind"); }, "ops.kind"},
        {"a short column", [](json& file) { file["ops"]["phase"].erase(0); }, "762"},
        {"a long column", [](json& file) { file["tensors"]["bytes"].push_back(1); }, "426"},
        {"an unknown phase", [](json& file) { file["ops"]["phase"][4] = "sideways"; }, "sideways"},
        {"an unknown category", [](json& file) { file["tensors"]["category"][0] = "x"; }, "category[0]"},
        {"negative bytes", [](json& file) { file["tensors"]["bytes"][2] = -1; }, "bytes[2]"},
        {"a tensor that is not there", [](json& file) { file["ops"]["reads"][0] = {425}; }, "425"},
        {"a negative tensor", [](json& file) { file["ops"]["writes"][0] = {-1}; }, "writes[0]"},
        {"an id twice", [](json& file) { file["ops"]["id"][1] = file["ops"]["id"][0]; }, "twice"},
        {"more matmul FLOPs than FLOPs", [](json& file) { file["ops"]["matmul_flops"][0] = 7; }, "FLOPs"},
        {"FLOPs beyond 63 bits",
         [](json& file) { file["ops"]["flops"][0] = file["ops"]["flops"][1] = INT64_MAX; }, "63 bits"},
        {"bytes of tensors beyond 63 bits",
         [](json& file) { file["tensors"]["bytes"][0] = file["tensors"]["bytes"][1] = INT64_MAX; },
         "63 bits"},
        {"a life that ends before it begins",
         [](json& file) {
             file["tensors"]["first_op"][0] = 9;
             file["tensors"]["last_op"][0] = 8;
         },
         "dies before"},
        {"a life beyond the step", [](json& file) { file["tensors"]["last_op"][0] = 764; },
         "ops that it has not"},
        {"a maker beyond the step", [](json& file) { file["tensors"]["made_by"][0] = 5'000'000'000; },
         "5000000000"},
        {"negative seconds", [](json& file) { file["ops"]["seconds"][0] = -1; }, "seconds[0]"},
        {"no seconds of a step", [](json& file) { file["measured"]["step_seconds"][0] = 0; }, "zero"},
        {"losses of other lengths",
         [](json& file) {
             file["losses"] = losses({0, 1}, {1}, {0.1, 0.2});
         },
         "losses has columns of 2 and of 1"},
        {"losses that go back",
         [](json& file) {
             file["losses"] = losses({4, 3}, {1, 2}, {0.1, 0.2});
         },
         "step[1] is not after"},
        {"a loss that is a text", [](json& file) { file["losses"] = losses({0}, {"low"}, {0.1}); },
         "loss[0]"},
        {"losses without a time", [](json& file) { file["losses"] = losses({0}, {1}, {nullptr}); },
         "seconds[0]"},
        {"no ops",
         [](json& file) {
             for (auto& [name, column] : file["ops"].items()) column = json::array();
             for (auto& [name, column] : file["tensors"].items()) column = json::array();
         },
         "no op"}};
    for (const Wrong& each : cases) {
        json document = decoder();
        each.change(document);
        const auto file = parseStepFile(document.dump(), "a.plumb");
        ASSERT_FALSE(file.has_value()) << each.what;
        EXPECT_EQ(file.error().code, ErrorCode::BadInput) << each.what;
        EXPECT_NE(file.error().text().find(each.says), std::string::npos)
            << each.what << ": " << file.error().text();
        EXPECT_NE(file.error().text().find("a.plumb"), std::string::npos) << each.what;
    }
}

TEST(StepFile, LossesSayTheirStepAndTheirPass) {
    const json document = sample("perceptron.plumb");
    const StepFile file = parsed(document);
    const json& table = document["losses"];
    ASSERT_EQ(file.losses.steps.size(), table["step"].size());
    for (std::size_t i = 0; i < file.losses.steps.size(); ++i) {
        EXPECT_EQ(file.losses.steps[i].step, table["step"][i]);
        EXPECT_EQ(file.losses.steps[i].pass, table["pass"][i]);
        EXPECT_EQ(file.losses.steps[i].loss, table["loss"][i]);
        EXPECT_EQ(file.losses.steps[i].seconds, table["seconds"][i]);
    }
    EXPECT_EQ(file.losses.whyNone(), "");
    EXPECT_EQ(file.losses.sourceText(), "what was given to step()");
    EXPECT_EQ(toJson(file)["losses"], table);
    const auto training = trainingOf(file);
    ASSERT_NE(training, nullptr);
    EXPECT_EQ(training->stepsDone, 30);
    EXPECT_EQ(training->steps.back().loss, table["loss"].back());
    EXPECT_TRUE(std::isnan(training->steps.back().gradientNorm)) << "the recorder noted none";
    EXPECT_EQ(endOf(training->outcome), TrainingEnd::Unknown);
}

TEST(StepFile, CleanStepsHaveTheirSecondsWhereTheLossOfEachIsKnown) {
    json document = sample("perceptron.plumb");
    const auto training = trainingOf(parsed(document));
    std::size_t clean = 0;
    for (std::size_t i = 0; i < training->steps.size(); ++i) {
        if (document["losses"]["pass"][i] == "T")
            EXPECT_EQ(training->steps[i].stepSeconds, document["measured"]["step_seconds"][clean++]);
        else
            EXPECT_TRUE(std::isnan(training->steps[i].stepSeconds)) << "the recorder worked in it";
    }
    EXPECT_EQ(clean, document["measured"]["step_seconds"].size());

    document["measured"]["step_seconds"].erase(0);
    const auto oneMissing = trainingOf(parsed(document));
    for (const StepMetrics& step : oneMissing->steps)
        EXPECT_TRUE(std::isnan(step.stepSeconds)) << "nobody knows whose they are";
}

TEST(StepFile, ALossThatIsNotFiniteStaysAStep) {
    json document = decoder();
    document["losses"] = losses({0, 7}, {1, nullptr}, {0.1, 0.2});
    const StepFile file = parsed(document);
    ASSERT_EQ(file.losses.steps.size(), 2U);
    EXPECT_TRUE(std::isnan(file.losses.steps[1].loss));
    EXPECT_EQ(toJson(file)["losses"], document["losses"]);
}

TEST(StepFile, WithoutLossesSaysWhy) {
    EXPECT_EQ(trainingOf(parsed(decoder())), nullptr);
    EXPECT_NE(parsed(decoder()).losses.whyNone().find("recorder noted none"), std::string::npos);
    json document = decoder();
    document["losses"] = losses(json::array(), json::array(), json::array());
    document["losses"]["absent"] = "The loss was not given to step().";
    const StepFile file = parsed(document);
    EXPECT_EQ(file.losses.whyNone(), "The loss was not given to step().");
    EXPECT_EQ(trainingOf(file), nullptr);
    EXPECT_EQ(toJson(file)["losses"], document["losses"]);
}

TEST(StepFile, NestingByTheMillionIsRefusedWithinTheMemoryOfTheText) {
    for (const std::string& begin : {std::string(), std::string(R"({"format": "plumbline.step", "ops": )")}) {
        std::string text = begin;
        text.append(10'000'000, '[');
        const auto file = parseStepFile(text, "a.plumb");
        ASSERT_FALSE(file.has_value());
        EXPECT_EQ(file.error().code, ErrorCode::BadInput);
        EXPECT_NE(file.error().text().find("a.plumb nests more than"), std::string::npos)
            << file.error().text();
        text.append(10'000'000, ']');
        const auto closed = parseStepFile(text, "a.plumb");
        ASSERT_FALSE(closed.has_value());
        EXPECT_NE(closed.error().text().find("nests more than"), std::string::npos);
    }
}

TEST(StepFile, WhatIsMissingOfOlderRecordersIsEmpty) {
    json document = decoder();
    for (const char* key :
         {"environment", "memory", "measured", "recording", "missing_formulas", "said", "parameters"})
        document.erase(key);
    for (const char* column : {"overload", "name", "input_shapes", "start"}) document["ops"].erase(column);
    for (const char* column : {"role", "made_by", "freed_by"}) document["tensors"].erase(column);
    const StepFile file = parsed(document);
    EXPECT_EQ(file.step.opName(3), file.step.opLabel(3));
    const auto reading = readingOf(file, h200());
    EXPECT_FALSE(reading->memory.has_value());
    EXPECT_FALSE(reading->totals.seconds.has_value());
    EXPECT_EQ(reading->timeline, nullptr);
}

}  // namespace
}  // namespace plumb
