// SPDX-License-Identifier: Apache-2.0
#include "core/snapshot/snapshot_json.h"
#include "tests/core/snapshot/snapshot_samples.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace plumb {
namespace {

using nlohmann::json;
using testing::HasSubstr;

Reading readingOf(std::size_t ops, std::size_t records) {
    Reading reading;
    reading.source = Source::Clock;
    reading.stepsMeasured = 20;
    for (std::size_t i = 0; i < ops; ++i) {
        OpReading op;
        op.id = "op" + std::to_string(i);
        op.name = op.id;
        op.kind = "MatMul";
        op.seconds = 1e-6 * static_cast<double>(i + 1);
        op.source = Source::Clock;
        reading.ops.push_back(std::move(op));
    }
    Timeline timeline;
    timeline.lanes = {{LaneKind::Ops, "ops"}};
    for (std::size_t i = 0; i < records; ++i) {
        TimelineRecord record;
        record.begin = record.end = 1e-9 * static_cast<double>(i);
        record.op = 0;
        timeline.records.push_back(record);
    }
    if (records > 0) reading.timeline = std::make_shared<const Timeline>(std::move(timeline));
    return reading;
}

TEST(MeasurementsJson, EveryMeasurementOfASessionComesBackWithItsConfigurationAndItsMachine) {
    const Snapshot snapshot = sampleSnapshot();
    const auto read = snapshotFromJson(toJson(snapshot));
    ASSERT_TRUE(read.has_value()) << read.error().text();
    ASSERT_EQ(read->measurements.size(), 2U);
    for (std::size_t i = 0; i < 2; ++i) {
        EXPECT_EQ(read->measurements[i].config, snapshot.measurements[i].config);
        EXPECT_EQ(read->measurements[i].target.traits, snapshot.measurements[i].target.traits);
        expectSameMachine(read->measurements[i].target.machine, snapshot.measurements[i].target.machine);
        expectSameReading(read->measurements[i].measured, snapshot.measurements[i].measured);
        EXPECT_EQ(read->measurements[i].isNewer, i == 1);
    }
    ASSERT_EQ(read->curves.size(), 1U);
    EXPECT_EQ(read->curves[0].config, snapshot.curves[0].config);
    expectSameMachine(read->curves[0].machine, snapshot.curves[0].machine);
    EXPECT_EQ(read->curves[0].points, snapshot.curves[0].points);
}

TEST(MeasurementsJson, FilesOfBeforeHaveNoOtherMeasurements) {
    json document = toJson(sampleSnapshot());
    document.erase("measurements");
    document.erase("curves");
    document.erase("fit_proof");
    const auto read = snapshotFromJson(document);
    ASSERT_TRUE(read.has_value()) << read.error().text();
    EXPECT_TRUE(read->measurements.empty());
    EXPECT_TRUE(read->curves.empty());
    EXPECT_FALSE(read->fitProof.has_value());
    EXPECT_FALSE(toJson(*read).contains("fit_proof"));
}

TEST(MeasurementsJson, OneOfADeepNetworkIsWrittenInColumns) {
    Snapshot snapshot = sampleSnapshot();
    ASSERT_EQ(toJson(snapshot)["version"], 1);
    snapshot.measurements.push_back(
        {RunConfig{}, snapshot.target.machine, snapshot.target.traits, true, readingOf(9000, 0)});
    const json document = toJson(snapshot);
    EXPECT_EQ(document["version"], 2) << "a reader of version 1 would misread it";
    const auto read = snapshotFromJson(document);
    ASSERT_TRUE(read.has_value()) << read.error().text();
    expectSameReading(read->measurements.back().measured, snapshot.measurements.back().measured);
}

TEST(MeasurementsJson, WhatIsMoreThanAFileTakesIsCountedAndItsTimelinesGoFirst) {
    Snapshot snapshot = sampleSnapshot();
    snapshot.measurements.assign(
        10, {RunConfig{}, snapshot.target.machine, snapshot.target.traits, true, readingOf(1000, 200'000)});
    snapshot.measurements.back().config.layers = 9;
    Snapshot bound = snapshot;
    const SessionLoss loss = boundSession(bound);
    EXPECT_EQ(loss.measurements, 0U);
    EXPECT_GT(loss.timelines, 0U);
    EXPECT_LT(loss.timelines, 10U);
    ASSERT_EQ(bound.measurements.size(), 10U);
    EXPECT_NE(bound.measurements.back().measured.timeline, nullptr) << "the newest keeps its own";
    EXPECT_EQ(bound.measurements.front().measured.timeline, nullptr);
    const json document = toJson(snapshot);
    EXPECT_EQ(document["measurements"], toJson(bound)["measurements"]) << "no more than that is written";
    const SessionLoss again = boundSession(bound);
    EXPECT_EQ(again.timelines, 0U) << "what fits is left alone";
}

TEST(MeasurementsJson, WhateverASessionMeasuredCanBeReadAgain) {
    Snapshot snapshot = sampleSnapshot();
    snapshot.measurements.assign(
        1500, {RunConfig{}, snapshot.target.machine, snapshot.target.traits, true, readingOf(300, 0)});
    snapshot.curves.assign(3000, snapshot.curves.front());
    const std::string path = testing::TempDir() + "session.plumb";
    ASSERT_TRUE(writeSnapshot(path, snapshot).has_value());
    const auto read = readSnapshot(path);
    ASSERT_TRUE(read.has_value()) << read.error().text();
    const SessionLoss loss = boundSession(snapshot);
    EXPECT_GT(loss.measurements, 500U);
    EXPECT_EQ(loss.curves, 2000U);
    EXPECT_EQ(read->measurements.size(), snapshot.measurements.size());
    EXPECT_EQ(read->measurements.size() + loss.measurements, 1500U);
    EXPECT_EQ(read->curves.size(), 1000U);
}

TEST(MeasurementsJson, WhatIsWrongIsNamedByItsPath) {
    const auto errorWith = [](const char* path, const json& value) {
        json document = toJson(sampleSnapshot());
        document[json::json_pointer(path)] = value;
        const auto read = snapshotFromJson(document);
        return read.has_value() ? std::string("no error") : read.error().text();
    };
    EXPECT_THAT(errorWith("/measurements", 5), HasSubstr("measurements is not a list"));
    EXPECT_THAT(errorWith("/measurements/1", 5), HasSubstr("measurements[1]"));
    EXPECT_THAT(errorWith("/measurements/0/config/layers", -1), HasSubstr("measurements[0].config"));
    EXPECT_THAT(errorWith("/measurements/0/measured", nullptr), HasSubstr("measurements[0].measured"));
    EXPECT_THAT(errorWith("/measurements/0/measured/ops/0/seconds", "x"),
                HasSubstr("measurements[0].measured.ops[0].seconds"));
    EXPECT_THAT(errorWith("/measurements", json(1001, json::object())), HasSubstr("1000 is the most"));
    EXPECT_THAT(errorWith("/curves/0/points/0/checkpoint", "often"), HasSubstr("curves[0].points[0]"));
    EXPECT_THAT(errorWith("/fit_proof", 5), HasSubstr("fit_proof"));
    EXPECT_THAT(errorWith("/fit_proof/fits/batch", "x"), HasSubstr("fit_proof.fits.batch"));
    EXPECT_THAT(errorWith("/fit_proof/too_large/batch", 1), HasSubstr("fit_proof.too_large.batch"));
    EXPECT_THAT(errorWith("/curves/0/config/layers", -1), HasSubstr("curves[0].config"));
    EXPECT_THAT(errorWith("/curves", json(1001, json::object())), HasSubstr("1000 is the most"));
}

}  // namespace
}  // namespace plumb
