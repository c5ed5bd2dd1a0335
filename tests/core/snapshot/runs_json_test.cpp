// SPDX-License-Identifier: Apache-2.0
#include "core/measure/training_series.h"
#include "core/snapshot/snapshot_json.h"
#include "tests/core/snapshot/snapshot_samples.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace plumb {
namespace {

using nlohmann::json;
using testing::HasSubstr;

/// A curve of so many steps whose one spike lies at `spike`.
TrainingSeries curveOf(std::int64_t steps, std::int64_t spike) {
    TrainingSeries series;
    for (std::int64_t step = 0; step < steps; ++step) {
        series.steps.push_back({.step = step,
                                .loss = step == spike ? 1000.0 : 1.0 / static_cast<double>(step + 1),
                                .seconds = 1e-3 * static_cast<double>(step)});
    }
    series.stepsDone = steps;
    series.outcome = "finished";
    return series;
}

Snapshot withRuns(std::size_t count, const TrainingSeries& series) {
    Snapshot snapshot = sampleSnapshot();
    snapshot.runs.assign(count,
                         {sampleConfig(), snapshot.target.machine, snapshot.target.traits, false, series});
    return snapshot;
}

Result<Snapshot> written(const Snapshot& snapshot) { return snapshotFromJson(toJson(snapshot)); }

TEST(RunsJson, EveryRunOfASessionComesBackWithItsConfigurationItsMachineAndItsCurve) {
    const Snapshot snapshot = sampleSnapshot();
    const auto read = written(snapshot);
    ASSERT_TRUE(read.has_value()) << read.error().text();
    ASSERT_EQ(read->runs.size(), 2U);
    for (std::size_t i = 0; i < 2; ++i) {
        EXPECT_EQ(read->runs[i].config, snapshot.runs[i].config);
        EXPECT_EQ(read->runs[i].target.traits, snapshot.runs[i].target.traits);
        expectSameMachine(read->runs[i].target.machine, snapshot.runs[i].target.machine);
        EXPECT_EQ(read->runs[i].isNewer, i == 1);
        expectSameSteps(read->runs[i].series.steps, snapshot.runs[i].series.steps);
        EXPECT_EQ(read->runs[i].series.outcome, snapshot.runs[i].series.outcome);
    }
}

TEST(RunsJson, ACalibrationIsWrittenOnceHoweverManyRunsItHad) {
    const json document = toJson(withRuns(3, curveOf(4, 0)));
    for (const json& run : document["runs"]) {
        EXPECT_TRUE(run["machine"].is_null());
        EXPECT_TRUE(run["traits"].is_null());
    }
}

TEST(RunsJson, FilesOfBeforeHaveNoRuns) {
    json document = toJson(sampleSnapshot());
    document.erase("runs");
    document.erase("predicted_by");
    const auto read = snapshotFromJson(document);
    ASSERT_TRUE(read.has_value()) << read.error().text();
    EXPECT_TRUE(read->runs.empty());
    EXPECT_TRUE(read->predictedBy.empty());
}

TEST(RunsJson, AFewRunsKeepEveryPoint) {
    const auto read = written(withRuns(20, curveOf(8000, 4321)));
    ASSERT_TRUE(read.has_value()) << read.error().text();
    for (const SessionRun& run : read->runs) EXPECT_EQ(run.series.steps.size(), 8000U);
}

TEST(RunsJson, WhateverASessionHeldCanBeReadAgainAndKeepsItsEndsAndItsSpikes) {
    Snapshot snapshot = withRuns(1500, curveOf(900, 321));
    snapshot.runs.back().config.layers = 9;
    for (SessionRun& run : snapshot.runs)
        run.series.lastScales = LayerStatistics{1, std::vector<TensorStatistics>(1000)};
    const json document = toJson(snapshot);
    std::size_t points = 0;
    std::size_t tensors = 0;
    for (const json& run : document["runs"]) {
        points += run["training"]["step"].size();
        if (run["training"].contains("last_scales"))
            tensors += run["training"]["last_scales"]["tensors"].size();
    }
    EXPECT_LE(points, kMostRunPoints);
    EXPECT_LE(tensors, kMostRunTensors);
    EXPECT_GT(tensors, 0U);
    const auto read = snapshotFromJson(document);
    ASSERT_TRUE(read.has_value()) << read.error().text();
    ASSERT_EQ(read->runs.size(), kMostSessionRuns);
    EXPECT_EQ(read->runs.back().config.layers, 9) << "the newest are kept";
    EXPECT_TRUE(read->runs.back().series.lastScales.has_value());
    EXPECT_FALSE(read->runs.front().series.lastScales.has_value());
    for (const SessionRun& run : read->runs) {
        EXPECT_EQ(run.series.steps.front().step, 0);
        EXPECT_EQ(run.series.steps.back().step, 899);
        EXPECT_EQ(std::ranges::max(run.series.steps, {}, &StepMetrics::loss).loss, 1000.0);
    }
    EXPECT_EQ(toJson(*read)["runs"], document["runs"]) << "saved again, nothing more is lost";
}

TEST(RunsJson, WhatIsWrongIsNamedByItsPath) {
    const auto errorWith = [](const char* path, const json& value) {
        json document = toJson(sampleSnapshot());
        document[json::json_pointer(path)] = value;
        const auto read = snapshotFromJson(document);
        return read.has_value() ? std::string("no error") : read.error().text();
    };
    EXPECT_THAT(errorWith("/runs", 5), HasSubstr("runs is not a list"));
    EXPECT_THAT(errorWith("/runs/1", 5), HasSubstr("runs[1]"));
    EXPECT_THAT(errorWith("/runs/0/config/layers", -1), HasSubstr("runs[0].config"));
    EXPECT_THAT(errorWith("/runs/0/training", nullptr), HasSubstr("runs[0].training"));
    EXPECT_THAT(errorWith("/runs/0/training/step/1", 0), HasSubstr("runs[0].training.step[1]"));
    EXPECT_THAT(errorWith("/runs/0/is_newer", 3), HasSubstr("runs[0].is_newer"));
    EXPECT_THAT(errorWith("/runs/1/machine/memory_bytes", -3), HasSubstr("runs[1].machine.memory_bytes"));
    EXPECT_THAT(errorWith("/runs", json(1001, json::object())), HasSubstr("1000 is the most"));
}

}  // namespace
}  // namespace plumb
