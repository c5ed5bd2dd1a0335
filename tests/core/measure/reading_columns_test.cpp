// SPDX-License-Identifier: Apache-2.0
#include "core/measure/reading_columns.h"

#include "core/snapshot/snapshot.h"
#include "tests/core/snapshot/snapshot_samples.h"
#include "tests/support/random_config.h"
#include "tests/support/temporary_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <limits>
#include <random>

namespace plumb {
namespace {

using nlohmann::json;
using testing::HasSubstr;

Reading predictionOf(const RunConfig& config) {
    const auto plan = planStep(config, cpuTraits());
    EXPECT_TRUE(plan.has_value()) << plan.error().text();
    return plan.has_value() ? predictedReading(*plan, sampleMachine()) : Reading{};
}

template <class Value, class Read>
Value readOr(const json& document, const Read& read, std::string& error) {
    JsonField::Problem problem;
    const JsonField field(document, "ops", problem);
    Value value = read(field);
    error = problem ? problem->message : "";
    return value;
}

TEST(ReadingColumns, HoldEveryOpOfAnyPlan) {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        Reading reading = predictionOf(test::randomConfig(seed));
        reading.ops[0].counters[CounterKind::DramBytes] = Counted{5, Source::Counter};
        reading.ops[1].products = {2, 0};
        reading.ops[1].seconds = std::nullopt;  // and with them what is said of them
        reading.ops[1].spread = std::nullopt;
        reading.ops[1].tier = std::nullopt;
        Reading again = reading;
        std::string error;
        const auto columns = opColumns(reading.ops, reading.totals.tier);
        ASSERT_TRUE(columns.has_value());
        again.ops = readOr<std::vector<OpReading>>(
            *columns, [&](const JsonField& field) { return readOpColumns(field, reading.totals.tier); },
            error);
        ASSERT_EQ(error, "");
        for (std::size_t i = 0; i < again.ops.size(); ++i) {
            std::optional<Spread>& read = again.ops[i].spread;
            const std::optional<Spread>& written = reading.ops[i].spread;
            if (!read || !written) continue;
            EXPECT_LE(read->low, written->low);
            EXPECT_GE(read->high, written->high);
            EXPECT_NEAR(read->low, written->low, 1e-5 * written->low);
            EXPECT_NEAR(read->high, written->high, 1e-5 * written->high);
            read = written;
        }
        again.memory->curve = readOr<std::vector<CategoryBytes>>(
            curveColumns(reading.memory->curve),
            [&](const JsonField& field) { return readCurveColumns(field, reading.ops.size()); }, error);
        ASSERT_EQ(error, "");
        expectSameReading(again, reading);
    }
}

TEST(ReadingColumns, OfACurveMayLackTheCategoryThatIsNewer) {
    const Reading reading = predictionOf({.dim = 16, .layers = 3, .batch = 8, .parallel = {.data = 2}});
    const std::vector<CategoryBytes>& curve = reading.memory->curve;
    json columns = curveColumns(curve);
    const auto read = [&](std::string& error) {
        return readOr<std::vector<CategoryBytes>>(
            columns, [&](const JsonField& field) { return readCurveColumns(field, curve.size()); }, error);
    };
    std::string error;
    EXPECT_EQ(read(error), curve);
    EXPECT_EQ(error, "");
    EXPECT_GT(curve.back()[Category::Communication], 0);
    columns.erase("communication");
    const std::vector<CategoryBytes> without = read(error);
    EXPECT_EQ(error, "");
    for (std::size_t op = 0; op < curve.size(); ++op)
        for (const Category category : kAllCategories)
            EXPECT_EQ(without[op][category], category == Category::Communication ? 0 : curve[op][category]);
    columns.erase("workspace");
    static_cast<void>(read(error));
    EXPECT_NE(error, "");
}

TEST(ReadingColumns, AreNotTakenForTextsThatTheyCannotHold) {
    Reading reading = predictionOf(test::randomConfig(3));
    reading.ops[2].layer = 5;
    reading.ops[2].name = "{layer}";
    EXPECT_FALSE(opColumns(reading.ops, reading.totals.tier).has_value());
    reading.ops[2].name = "{layer-} {layers {layer-2x {";
    EXPECT_TRUE(opColumns(reading.ops, reading.totals.tier).has_value());
}

/// The deepest network, with every op that it can have, and "measured" times that all differ.
Snapshot deepest() {
    Snapshot snapshot = sampleSnapshot();
    RunConfig& config = snapshot.config;
    config.layers = kMaxLayers;
    config.dim = 4096;
    config.batch = 64;
    config.microBatch = 16;
    config.recompute = {RecomputePolicy::Kind::None, 1};
    snapshot.predicted = predictionOf(config);
    snapshot.measured = snapshot.predicted;
    snapshot.measured->source = Source::Clock;
    snapshot.measured->memory->source = Source::Allocator;
    std::mt19937_64 random(7);
    std::uniform_real_distribution<double> seconds(1e-6, 2e-3);
    for (OpReading& op : snapshot.measured->ops) {
        op.seconds = seconds(random);
        op.spread = Spread{*op.seconds * 0.9, *op.seconds * 1.1};
        op.source = Source::Clock;
    }
    LayerStatistics scales{1, {}};
    for (const TensorRole role :
         {TensorRole::Activation, TensorRole::Weight, TensorRole::Gradient, TensorRole::ActivationGradient})
        for (std::int32_t layer = 1; layer <= kMaxLayers; ++layer)
            scales.tensors.push_back({role, layer, seconds(random), seconds(random), 0, 0});
    snapshot.training->firstScales.reset();
    snapshot.training->lastScales = scales;
    return snapshot;
}

TEST(ReadingColumns, KeepTheDeepestNetworkBelow64MegabytesAndReadItAgain) {
    const Snapshot snapshot = deepest();
    ASSERT_GT(snapshot.predicted->ops.size(), 500'000U);
    const TemporaryFolder folder;
    const std::string path = folder.file("deep.plumb");
    ASSERT_TRUE(writeSnapshot(path, snapshot).has_value());
    EXPECT_LT(std::filesystem::file_size(path), 64'000'000U);
    const auto read = readSnapshot(path);
    ASSERT_TRUE(read.has_value()) << read.error().text();
    ASSERT_EQ(read->measured->ops.size(), snapshot.measured->ops.size());
    for (const std::size_t i : {0UL, 1UL, 65'000UL, 300'000UL, 500'000UL}) {
        EXPECT_EQ(read->measured->ops[i].id, snapshot.measured->ops[i].id);
        EXPECT_EQ(read->measured->ops[i].name, snapshot.measured->ops[i].name);
        EXPECT_EQ(read->measured->ops[i].seconds, snapshot.measured->ops[i].seconds);
        EXPECT_EQ(read->predicted->ops[i].seconds, snapshot.predicted->ops[i].seconds);
    }
    EXPECT_EQ(read->measured->memory->curve, snapshot.measured->memory->curve);
    const auto& scales = read->training->lastScales->tensors;
    ASSERT_EQ(scales.size(), 4U * kMaxLayers);
    EXPECT_EQ(scales.back().role, TensorRole::ActivationGradient);
    EXPECT_EQ(scales.back().layer, kMaxLayers);
    EXPECT_EQ(scales[100'000].rootMeanSquare, snapshot.training->lastScales->tensors[100'000].rootMeanSquare);
}

TEST(ReadingColumns, RoundARangeAwayFromItsValueAndOnlyOnce) {
    Reading reading = predictionOf(test::randomConfig(3));
    ASSERT_GT(reading.ops.size(), 5U);
    const std::vector<Spread> ends{{1.234567890123e-5, 9.999999123e-5},
                                   {0, 1.0 / 3},
                                   {0.25, 0.25},
                                   {4.9e-324, std::numeric_limits<double>::max()}};
    for (std::size_t i = 0; i < ends.size(); ++i) reading.ops[i].spread = ends[i];
    const auto again = [](const std::vector<OpReading>& ops) {
        std::string error;
        auto read = readOr<std::vector<OpReading>>(
            *opColumns(ops, std::nullopt),
            [](const JsonField& field) { return readOpColumns(field, std::nullopt); }, error);
        EXPECT_EQ(error, "");
        return read;
    };
    const std::vector<OpReading> once = again(reading.ops), twice = again(once);
    ASSERT_EQ(once.size(), reading.ops.size());
    for (std::size_t i = 0; i < once.size(); ++i) {
        ASSERT_EQ(once[i].spread.has_value(), reading.ops[i].spread.has_value());
        if (!once[i].spread) continue;
        EXPECT_LE(once[i].spread->low, reading.ops[i].spread->low) << i;
        EXPECT_GE(once[i].spread->high, reading.ops[i].spread->high) << i;
        EXPECT_EQ(twice[i].spread->low, once[i].spread->low) << i;
        EXPECT_EQ(twice[i].spread->high, once[i].spread->high) << i;
    }
    EXPECT_EQ(once[0].spread->low, 1.23456e-5);
    EXPECT_EQ(once[0].spread->high, 1e-4);
    EXPECT_EQ(once[1].spread->low, 0);
    EXPECT_EQ(once[1].spread->high, 0.333334);
    EXPECT_EQ(once[2].spread->high, 0.25) << "has six digits as it is";
    EXPECT_EQ(once[3].spread->high, std::numeric_limits<double>::max()) << "nothing is above it";
}

TEST(ReadingColumns, AreOfTheVersionThatKnowsThem) {
    Snapshot snapshot = sampleSnapshot();
    EXPECT_EQ(toJson(snapshot)["version"], 1) << "older readers know all that is in it";
    snapshot.config.layers = 4000;
    snapshot.predicted = predictionOf(snapshot.config);
    ASSERT_GT(snapshot.predicted->ops.size(), kMostListedOps);
    EXPECT_EQ(toJson(snapshot)["version"], 2);
}

TEST(ReadingColumns, RepeatNoLongTexts) {
    Reading reading = predictionOf(test::randomConfig(3));
    json columns = *opColumns(reading.ops, reading.totals.tier);
    for (const char* key : {"id", "name"}) {
        json longer = columns;
        longer["classes"][0][key] = std::string(129, 'x');
        std::string error;
        (void)readOr<std::vector<OpReading>>(
            longer, [](const JsonField& field) { return readOpColumns(field, std::nullopt); }, error);
        EXPECT_THAT(error, HasSubstr("longer than the 128 bytes"));
    }
    reading.ops[1].name = std::string(129, 'x');
    EXPECT_FALSE(opColumns(reading.ops, reading.totals.tier).has_value()) << "such ops are listed one by one";
}

TEST(ReadingColumns, HostileOnesAreRefused) {
    Reading reading = predictionOf(test::randomConfig(3));
    const json good = *opColumns(reading.ops, reading.totals.tier);
    const auto errorWith = [&](const char* key, const char* value) {
        json columns = good;
        columns[key] = json::parse(value);
        std::string error;
        (void)readOr<std::vector<OpReading>>(
            columns, [](const JsonField& field) { return readOpColumns(field, std::nullopt); }, error);
        return error;
    };
    EXPECT_THAT(errorWith("count", "999999999999"), HasSubstr("ops.count is 999999999999"));
    EXPECT_THAT(errorWith("count", "525312"), HasSubstr("are needed"));
    EXPECT_THAT(errorWith("classes", "[]"), HasSubstr("beyond its 0 classes"));
    EXPECT_THAT(errorWith("layer", "[0, 0]"), HasSubstr("values"));
    EXPECT_THAT(errorWith("seconds", "[1]"), HasSubstr("ops.seconds has 1 entries"));
    EXPECT_THAT(errorWith("seconds", R"({"values": [], "index": [0]})"), HasSubstr("ops.seconds"));
    EXPECT_THAT(errorWith("flops", "null"), HasSubstr("ops.flops is not a list"));
    EXPECT_THAT(errorWith("products", R"({"values": [[0, 1, 2, 3, 4, 5, 6, 7, 8]], "index": [0, [1, 99]]})"),
                HasSubstr("ops.products"));
}

}  // namespace
}  // namespace plumb
