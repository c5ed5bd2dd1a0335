// SPDX-License-Identifier: Apache-2.0
#include "core/machine/cost_tables.h"

#include "core/base/philox.h"
#include "core/machine/machine_json.h"
#include "core/snapshot/snapshot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <functional>

namespace plumb {
namespace {

using nlohmann::json;
using testing::HasSubstr;

double random(std::uint64_t& draw) {
    return static_cast<double>(philoxAt(7, RandomStream::Noise, 0, draw++).word[0]) * 0x1p-32;
}

/// Lines of different lengths whose seconds rise with rows and columns, as those of a product do.
CostTable monotoneTable(std::uint64_t seed) {
    std::uint64_t draw = seed * 1000;
    CostTable table;
    table.op = "layer_forward fp32 fp32 > fp32";
    double column = 8;
    double least = 1e-6;
    for (int c = 0; c < 5; ++c, column *= 1.3 + 2 * random(draw)) {
        CostLine line;
        line.column = column;
        double row = 4;
        double seconds = least;
        const int rows = 1 + static_cast<int>(6 * random(draw));
        for (int r = 0; r < rows; ++r) {
            line.rows.push_back(row);
            line.work.push_back(row * column * column);
            line.seconds.push_back(seconds);
            row *= 1.2 + 3 * random(draw);
            seconds *= 1.01 + 4 * random(draw);
        }
        least *= 1.5;
        table.lines.push_back(std::move(line));
    }
    return table;
}

CostPoint at(double row, double column) { return {row, column, 1, row * column * column}; }

TEST(CostTable, IsExactAtEveryPointThatWasMeasured) {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        const CostTable table = monotoneTable(seed);
        for (const CostLine& line : table.lines)
            for (std::size_t i = 0; i < line.rows.size(); ++i)
                EXPECT_NEAR(table.at({line.rows[i], line.column, 1, line.work[i]}) / line.seconds[i], 1,
                            1e-12);
    }
}

TEST(CostTable, LiesBetweenTheNeighboursAlongALineAndRisesWhereTheyDo) {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        const CostTable table = monotoneTable(seed);
        for (const CostLine& line : table.lines)
            for (std::size_t i = 0; i + 1 < line.rows.size(); ++i) {
                double before = line.seconds[i] * (1 - 1e-12);
                for (int part = 1; part <= 10; ++part) {
                    const double row = line.rows[i] * std::pow(line.rows[i + 1] / line.rows[i], part / 10.0);
                    const double seconds = table.at(at(row, line.column));
                    EXPECT_GE(seconds, before) << "seed " << seed;
                    EXPECT_LE(seconds, line.seconds[i + 1] * (1 + 1e-9));
                    before = seconds;
                }
            }
    }
}

TEST(CostTable, BetweenTwoLinesTheRateLiesBetweenTheirs) {
    const CostTable table = monotoneTable(3);
    for (std::size_t c = 0; c + 1 < table.lines.size(); ++c) {
        const double low = table.lines[c].column;
        const double high = table.lines[c + 1].column;
        for (const double row : {4.0, 11.0, 50.0}) {
            const auto rate = [&](double column) { return at(row, column).work / table.at(at(row, column)); };
            const double middle = rate(std::sqrt(low * high));
            EXPECT_NEAR(middle, std::sqrt(rate(low) * rate(high)), 1e-9 * middle);
        }
    }
}

TEST(CostTable, AboveWhatWasMeasuredTheNearestRateHoldsAndBelowTheNearestTime) {
    const CostTable table = monotoneTable(5);
    const CostLine& first = table.lines.front();
    const CostLine& last = table.lines.back();
    const double highRate = last.work.back() / last.seconds.back();
    const CostPoint tiny = at(first.rows.front() / 100, first.column / 10);
    const CostPoint huge = at(last.rows.back() * 1e6, last.column * 1e3);
    EXPECT_NEAR(table.at(tiny), first.seconds.front(), 1e-9 * table.at(tiny));
    const CostPoint narrow = at(first.rows[1], first.column / 3);
    EXPECT_NEAR(table.at(narrow), first.seconds[1], 1e-9 * table.at(narrow));
    const CostPoint few = at(first.rows.front() / 7, last.column);
    EXPECT_NEAR(table.at(few), last.seconds.front(), 1e-9 * table.at(few));
    EXPECT_NEAR(table.at(huge), huge.work / highRate, 1e-9 * table.at(huge));
}

TEST(CostTable, PlanesAreInterpolatedAsLinesAreAndClampedOutside) {
    CostTable table;
    for (const double plane : {1.0, 4.0, 64.0})
        for (const double column : {16.0, 256.0}) {
            CostLine line;
            line.plane = plane;
            line.column = column;
            for (const double row : {8.0, 512.0}) {
                line.rows.push_back(row);
                line.work.push_back(row * column * plane);
                line.seconds.push_back(1e-9 * std::pow(row, 0.8) * column * std::sqrt(plane));
            }
            table.lines.push_back(std::move(line));
        }
    const auto seconds = [&](double row, double column, double plane) {
        return table.at({row, column, plane, row * column * plane});
    };
    for (const double plane : {1.0, 1.5, 4.0, 30.0, 64.0}) {
        const double law = 1e-9 * std::pow(100, 0.8) * 20 * std::sqrt(plane);
        EXPECT_NEAR(seconds(100, 20, plane), law, 1e-9 * law) << plane;
    }
    EXPECT_NEAR(seconds(100, 20, 640), 10 * seconds(100, 20, 64), 1e-9 * seconds(100, 20, 640));
}

TEST(CostTable, APowerLawIsFoundAgainEverywhere) {
    CostTable table;
    for (const double column : {16.0, 100.0, 2000.0}) {
        CostLine& line = table.lines.emplace_back();
        line.column = column;
        for (const double row : {2.0, 64.0, 5000.0}) {
            line.rows.push_back(row);
            line.work.push_back(row * column * column);
            line.seconds.push_back(1e-9 * std::pow(row, 0.9) * std::pow(column, 1.7));
        }
    }
    for (const double row : {3.0, 64.0, 777.0})
        for (const double column : {17.0, 333.0, 1999.0}) {
            const double law = 1e-9 * std::pow(row, 0.9) * std::pow(column, 1.7);
            EXPECT_NEAR(table.at(at(row, column)), law, 1e-9 * law);
        }
}

CostTables sampleCosts() {
    CostTables costs;
    costs.tables = {monotoneTable(1), monotoneTable(2)};
    costs.tables[1].op = "loss_gradient fp32 fp32 > fp32";
    costs.bandwidth = {{65536, 9e10, 8e10, 7e10}, {Bytes{1} << 30, 2e10, 1.5e10, 1.6e10}};
    costs.betweenOps = 2.5e-7;
    costs.replay = ReplayCosts{1.1e-6, 3e-7};
    return costs;
}

TEST(CostTables, AreFoundByTheNameOfTheOp) {
    const CostTables costs = sampleCosts();
    EXPECT_EQ(costs.find("loss_gradient fp32 fp32 > fp32"), &costs.tables[1]);
    EXPECT_EQ(costs.find("loss_gradient"), nullptr);
    EXPECT_EQ(CostTables{}.find("x"), nullptr);
}

TEST(CostTables, TheBandwidthFallsFromTheCachesToTheMemory) {
    const CostTables costs = sampleCosts();
    EXPECT_NEAR(*costs.bandwidthAt(1), 8e10, 1);
    EXPECT_NEAR(*costs.bandwidthAt(0x1p30), 1.5e10, 1);
    EXPECT_NEAR(*costs.bandwidthAt(0x1p40), 1.5e10, 1);
    EXPECT_NEAR(*costs.bandwidthAt(0x1p23), std::sqrt(8e10 * 1.5e10), 1);
    EXPECT_EQ(CostTables{}.bandwidthAt(1e6), std::nullopt);
}

TEST(PredictionErrors, ReadsAsASentence) {
    EXPECT_EQ(text(PredictionErrors{"2026-11-20", 50, 0.0612, 0.194}),
              "predictions on this machine: median error 6.1 %, 90 % within 19 % (50 configurations, "
              "2026-11-20)");
}

json machineJson() {
    const Machine machine{
        .name = "box", .costs = sampleCosts(), .checked = PredictionErrors{"2026-11-20", 50, 0.06, 0.19}};
    return toJson(machine);
}

TEST(CostTablesJson, ComeBackAsTheyWere) {
    const auto read = fromJson<Machine>(json::parse(machineJson().dump()));
    ASSERT_TRUE(read.has_value()) << read.error().text();
    EXPECT_EQ(read->costs, sampleCosts());
    EXPECT_EQ(read->checked, (PredictionErrors{"2026-11-20", 50, 0.06, 0.19}));
}

TEST(CostTablesJson, AMachineOfAnOlderProgramHasNone) {
    json old = machineJson();
    old.erase("costs");
    old.erase("prediction_check");
    const auto read = fromJson<Machine>(old);
    ASSERT_TRUE(read.has_value());
    EXPECT_FALSE(read->costs.has_value());
    EXPECT_FALSE(read->checked.has_value());
}

TEST(CostTablesJson, TablesOfANewerVersionArePassedOver) {
    json newer = machineJson();
    newer["costs"] = {{"version", 3}, {"splines", "cubic"}};
    const auto read = fromJson<Machine>(newer);
    ASSERT_TRUE(read.has_value());
    EXPECT_FALSE(read->costs.has_value());
    EXPECT_TRUE(read->checked.has_value());
}

TEST(CostTablesJson, WhatCannotBeATableIsRefusedByItsPath) {
    struct Case {
        std::function<void(json& machine)> edit;
        const char* says;
    };
    const auto line = [](json& machine) -> json& { return machine["costs"]["tables"][0]["lines"][1]; };
    const std::vector<Case> cases{
        {[](json& m) { m["costs"] = 7; }, "costs is not an object"},
        {[](json& m) { m["costs"].erase("version"); }, "costs.version is missing"},
        {[](json& m) { m["costs"]["version"] = -1; }, "costs.version"},
        {[](json& m) { m["costs"]["between_ops_s"] = -1e-9; }, "between_ops_s is negative"},
        {[](json& m) { m["costs"]["tables"] = "none"; }, "costs.tables is not a list"},
        {[](json& m) { m["costs"]["tables"][0].erase("op"); }, "tables[0].op is missing"},
        {[](json& m) { m["costs"]["tables"][0]["lines"] = json::array(); }, "tables[0].lines is empty"},
        {[](json& m) { std::swap(m["costs"]["tables"][0], m["costs"]["tables"][1]); }, "does not rise in op"},
        {[&](json& m) { line(m)["column"] = 1; }, "lines[1] does not rise in plane and column"},
        {[&](json& m) { line(m)["column"] = 1e300; }, "column is out of range"},
        {[&](json& m) { line(m)["rows"] = json::array(); }, "rows is empty"},
        {[&](json& m) {
             line(m)["rows"] = {8, 8};
             line(m)["work"] = {1, 1};
             line(m)["seconds"] = {1, 1};
         },
         "rows does not rise"},
        {[&](json& m) { line(m)["seconds"].push_back(1); }, "rows has another length"},
        {[&](json& m) { line(m)["work"].clear(); }, "rows has another length"},
        {[&](json& m) { line(m)["seconds"][0] = 0; }, "seconds[0] is out of range"},
        {[&](json& m) { line(m)["seconds"][0] = -1; }, "seconds[0] is negative"},
        {[&](json& m) { line(m)["seconds"][0] = nullptr; }, "seconds[0] is not a number"},
        {[&](json& m) { line(m)["work"][0] = 1e-200; }, "work[0] is out of range"},
        {[&](json& m) { line(m)["rows"][0] = "many"; }, "rows[0] is not a number"},
        {[](json& m) { m["costs"]["bandwidth"][0]["copy_bytes_per_s"] = 0; }, "copy_bytes_per_s is out of"},
        {[](json& m) { m["costs"]["bandwidth"][1]["working_set_bytes"] = 1; }, "does not rise in working"},
        {[](json& m) { m["prediction_check"] = json::array(); }, "prediction_check is not an object"},
        {[](json& m) { m["prediction_check"]["configurations"] = 0; }, "configurations is 0"},
        {[](json& m) { m["prediction_check"]["median_error"] = -1; }, "median_error is negative"},
    };
    for (const Case& one : cases) {
        json machine = machineJson();
        one.edit(machine);
        const auto read = fromJson<Machine>(machine);
        ASSERT_FALSE(read.has_value()) << one.says;
        EXPECT_EQ(read.error().code, ErrorCode::BadInput);
        EXPECT_THAT(read.error().message, HasSubstr(one.says));
    }
}

}  // namespace
}  // namespace plumb
