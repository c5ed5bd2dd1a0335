// SPDX-License-Identifier: Apache-2.0
#include "core/calibrate/rank_survey.h"

#include "core/calibrate/busy_threads.h"
#include "core/machine/machine_json.h"
#include "core/machine/op_cost_key.h"
#include "core/measure/reading.h"
#include "kernels/cpu/cpu_backend.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

namespace plumb {
namespace {

using testing::HasSubstr;

/// The fewest sizes with which every kind of table is there.
SurveyGrid tinyGrid() {
    SurveyGrid grid = SurveyGrid::quick();
    grid.widths = grid.variantWidths = grid.optimizerWidths = grid.headWidths = {4, 16};
    grid.rows = grid.variantRows = grid.headRows = {2, 8};
    grid.loadWidths = grid.loadRows = {4};
    grid.optimizerRows = {2};
    grid.outputs = {2, 3};
    grid.trafficWidths = {16};
    grid.trafficRows = {2, 8};
    grid.messages = {1024, 65536};
    grid.perRound = 0;
    return grid;
}

struct Ranks {
    explicit Ranks(int count) {
        for (int i = 0; i < count; ++i) {
            owned.push_back(makeCpuBackend(1).value());
            backends.push_back(owned.back().get());
        }
    }
    std::vector<std::unique_ptr<Backend>> owned;
    std::vector<Backend*> backends;
};

TEST(RankSurvey, FindsWhatThePredictionOfAStepOfRanksAsksFor) {
    Ranks ranks(2);
    int last = 0;
    const auto costs = surveyRanks(ranks.backends, tinyGrid(),
                                   [&](std::string_view, int done, int total) {
                                       EXPECT_GE(done, last);
                                       EXPECT_LE(done, total);
                                       last = done;
                                   },
                                   {});
    ASSERT_TRUE(costs.has_value()) << costs.error().text();
    EXPECT_EQ(costs->ranks, 2);
    EXPECT_THAT(costs->source, testing::StartsWith("calibrated 20"));
    EXPECT_EQ(costs->costs.threads, 1);
    EXPECT_TRUE(std::ranges::is_sorted(costs->costs.tables, {}, &CostTable::op));
    const std::string reduced = trafficTable(OpKind::AllReduce, Dtype::Fp32);
    const CostTable* const alone = costs->costs.find(reduced);
    ASSERT_NE(alone, nullptr);
    EXPECT_EQ(alone->lines.front().rows, (std::vector<double>{1024, 65536}));
    EXPECT_NE(costs->costs.find(reduced + std::string(kBesideProductsEnding)), nullptr);
    // It is of the whole machine that the calibration is kept beside.
    Machine machine{.id = "box", .name = "box", .backend = "cpu"};
    machine.source = "calibrated 2026-11-28";
    machine.peakFlopPerSecond = {{Dtype::Fp32, 1e11}};
    machine.bandwidthBytesPerSecond = 1e10;
    machine.costs = CostTables{};
    machine.ofRanks = {*costs};
    const auto read = fromJson<Machine>(toJson(machine));
    ASSERT_TRUE(read.has_value()) << read.error().text();
    ASSERT_EQ(read->ofRanks.size(), 1U);
    EXPECT_EQ(read->ofRanks.front(), *costs);
    for (const Precision precision : {Precision::Fp32, Precision::Bf16, Precision::Fp16, Precision::Fp8})
        for (const auto& [optimizer, zero] : {std::pair{Optimizer::Sgd, Zero::Off},
                                              {Optimizer::AdamW, Zero::Off},
                                              {Optimizer::Sgd, Zero::States},
                                              {Optimizer::AdamW, Zero::Weights}}) {
            RunConfig config{.dim = 8, .layers = 3, .batch = 16, .parallel = {.data = 2, .zero = zero}};
            config.precision = precision;
            config.optimizer = optimizer;
            if (precision == Precision::Fp8) config.residentBatch = false;
            const StepPlan plan = planStep(config, ranks.backends.front()->traits()).value();
            const Prediction prediction = predict(plan, *read);
            for (std::size_t i = 0; i < plan.ops.size(); ++i)
                EXPECT_TRUE(prediction.opSeconds[i]) << plan.opId(static_cast<std::int64_t>(i));
            EXPECT_TRUE(prediction.totals.seconds);
        }
}

TEST(RankSurvey, EndsWhereItIsStoppedWithAllThatRunsBeside) {
    Ranks ranks(2);
    for (const int at : {0, 3, 8}) {
        std::stop_source source;
        int seen = 0;
        const auto stopped = surveyRanks(
            ranks.backends, tinyGrid(),
            [&](std::string_view, int, int) {
                if (seen++ == at) source.request_stop();
            },
            source.get_token());
        ASSERT_FALSE(stopped.has_value()) << at;
        EXPECT_EQ(stopped.error().code, ErrorCode::RunFailed);
        EXPECT_THAT(stopped.error().text(), HasSubstr("the calibration was stopped"));
    }
}

TEST(BusyThreads, TellWhatFailsOnAnyOfThem) {
    const auto fails = []() -> Result<BusyThreads::Round> {
        return Error{ErrorCode::OutOfMemory, "no room", "make room"};
    };
    const auto started =
        BusyThreads::start({fails, [] { return BusyThreads::Round([](bool last) { return last; }); }});
    ASSERT_FALSE(started.has_value());
    EXPECT_EQ(started.error().code, ErrorCode::OutOfMemory);
    const auto later = BusyThreads::start({[]() -> Result<BusyThreads::Round> {
        return BusyThreads::Round([](bool isLast) -> Result<bool> {
            if (!isLast) return false;
            return Error{ErrorCode::RunFailed, "the last round", "none"};
        });
    }});
    ASSERT_TRUE(later.has_value());
    const auto ended = (*later)->end();
    ASSERT_FALSE(ended.has_value());
    EXPECT_THAT(ended.error().text(), HasSubstr("the last round"));
}

TEST(BusyThreads, ReduceUntilOneOfThemIsAskedToEnd) {
    for (const int ranks : {2, 3}) {
        const auto busy = keepReducing(ranks, 4096);
        ASSERT_TRUE(busy.has_value()) << busy.error().text();
        EXPECT_TRUE((*busy)->end().has_value());
    }
}

}  // namespace
}  // namespace plumb
