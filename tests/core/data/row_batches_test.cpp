// SPDX-License-Identifier: Apache-2.0
#include "core/data/row_batches.h"

#include "core/train/executor.h"
#include "core/train/trainer.h"
#include "kernels/cpu/cpu_backend.h"
#include "tests/support/npy_files.h"
#include "tests/support/threads.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace plumb {
namespace {

RunConfig configFor(std::int64_t rows, std::vector<float> features = {}) {
    RunConfig config{.dim = 4, .layers = 1, .batch = 2};
    if (features.empty()) features.assign(static_cast<std::size_t>(rows * 4), 0.5F);
    config.data = test::writeNpy("x.npy", rows, 4, features);
    config.targets =
        test::writeNpy("t.npy", rows, 1, std::vector<float>(static_cast<std::size_t>(rows), 1.0F));
    return config;
}

TEST(RowBatches, PairsFeaturesWithTheirTargetsInTheOrderOfTheEpoch) {
    std::vector<float> features;
    for (int i = 0; i < 17 * 4; ++i) features.push_back(static_cast<float>(i));
    RunConfig config = configFor(17, features);
    std::vector<float> targets;
    for (int row = 0; row < 17; ++row) targets.push_back(static_cast<float>(-row));
    config.targets = test::writeNpy("rows.npy", 17, 1, targets);
    auto batches = RowBatches::open(config);
    ASSERT_TRUE(batches.has_value());
    ASSERT_EQ((*batches)->samples(), 17);
    std::vector<float> x(40 * 4), t(40);
    ASSERT_TRUE((*batches)->copySamples(5, x, t).has_value());  // over the ends of two epochs
    const EpochOrder order(17, config.seed);
    for (std::size_t i = 0; i < 40; ++i) {
        const std::int64_t row = order.at(5 + static_cast<std::int64_t>(i));
        EXPECT_EQ(t[i], static_cast<float>(-row));
        for (std::size_t c = 0; c < 4; ++c)
            EXPECT_EQ(x[i * 4 + c], static_cast<float>(row * 4) + static_cast<float>(c));
        EXPECT_EQ((*batches)->describe(5 + static_cast<std::int64_t>(i)),
                  "row " + std::to_string(row) + " of " + config.data + " or " + config.targets);
    }
}

TEST(RowBatches, RefusesFilesThatDoNotMatchTheModel) {
    RunConfig config = configFor(8);
    config.dim = 5;
    auto wide = openData(config);
    ASSERT_FALSE(wide.has_value());
    EXPECT_NE(wide.error().text().find("set dim to 4"), std::string::npos) << wide.error().text();
    config.dim = 4;
    config.outputs = 2;
    auto outputs = openData(config);
    ASSERT_FALSE(outputs.has_value());
    EXPECT_NE(outputs.error().text().find("set outputs to 1"), std::string::npos);
    config.outputs = 1;
    config.targets = test::writeNpy("short.npy", 7, 1, std::vector<float>(7));
    auto rows = openData(config);
    ASSERT_FALSE(rows.has_value());
    EXPECT_EQ(rows.error().code, ErrorCode::BadInput);
}

TEST(RowBatches, NamesTheRowThatHoldsWhatIsNotFinite) {
    struct Silent final : TrainingSink {
        void onStep(const StepMetrics&) override {}
        void onReading(const Reading&) override {}
    } sink;
    auto backend = makeCpuBackend(1);
    ASSERT_TRUE(backend.has_value());
    TrainOptions options;
    options.steps = 100;
    const float infinity = std::numeric_limits<float>::infinity();
    for (const float bad : {std::nanf(""), infinity, -infinity}) {
        std::vector<float> features(8 * 4, 0.25F);
        features[5 * 4 + 2] = bad;
        RunConfig config = configFor(8, features);
        for (const Activation activation : {Activation::None, Activation::Relu})
            for (const Precision precision :
                 {Precision::Fp32, Precision::Bf16, Precision::Fp16, Precision::Fp8}) {
                SCOPED_TRACE(fmt::format("{} {} {}", bad, name(activation), name(precision)));
                config.activation = activation;
                config.precision = precision;
                auto result = train(config, **backend, options, sink);
                ASSERT_TRUE(result.has_value());
                ASSERT_TRUE(result->failure.has_value());
                EXPECT_NE(result->failure->message.find("row 5"), std::string::npos)
                    << result->failure->message;
                EXPECT_LT(result->series.stepsDone, 5);  // 8 rows, batch 2: within the first epoch
                EXPECT_GT(result->series.steps.size(), 0U);
            }
    }
}

/// Losses of the steps from `first` on, with weights that stay as they are.
std::vector<double> lossesFrom(RunConfig config, std::int64_t first, int steps) {
    config.optimizer = Optimizer::Sgd;
    config.learningRate = 1e-30;
    auto backend = makeCpuBackend(test::kBackendThreads);
    auto source = openData(config);
    auto plan = planStep(config, (*backend)->traits());
    EXPECT_TRUE(source.has_value() && plan.has_value());
    auto executor = Executor::create(std::make_shared<const StepPlan>(*plan), **backend, source->get());
    EXPECT_TRUE(executor.has_value());
    (*executor)->resumeAt(first);
    std::vector<double> losses;
    for (int step = 0; step < steps; ++step) {
        auto result = (*executor)->runStep();
        EXPECT_TRUE(result.has_value());
        losses.push_back(result->loss);
    }
    return losses;
}

RunConfig thirteenRows() {
    std::vector<float> features;
    for (int i = 0; i < 13 * 4; ++i) features.push_back(static_cast<float>(i * i % 29) / 8);
    RunConfig config = configFor(13, features);
    config.batch = 6;
    return config;
}

TEST(StagedData, AResumedRunMeetsTheSameBatches) {
    const RunConfig config = thirteenRows();
    const std::vector<double> straight = lossesFrom(config, 0, 9);
    const std::vector<double> resumed = lossesFrom(config, 4, 5);
    EXPECT_EQ(std::vector<double>(straight.begin() + 4, straight.end()), resumed);
    EXPECT_NE(straight[3], straight[4]);
}

TEST(StagedData, MicroBatchesAreTheRowsOfTheBatch) {
    RunConfig config = thirteenRows();
    const std::vector<double> whole = lossesFrom(config, 0, 9);
    for (const std::int64_t rows : {1, 2, 3}) {
        config.microBatch = rows;
        const std::vector<double> parts = lossesFrom(config, 0, 9);
        for (std::size_t step = 0; step < whole.size(); ++step)
            EXPECT_NEAR(parts[step], whole[step], 1e-6 * whole[step]) << rows << " rows, step " << step;
    }
}

}  // namespace
}  // namespace plumb
