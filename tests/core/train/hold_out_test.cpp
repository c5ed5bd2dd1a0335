// SPDX-License-Identifier: Apache-2.0
// What is held out, what is standardised, and that looking at the one changes nothing in the training.
#include "core/data/data_provenance.h"
#include "core/data/row_batches.h"
#include "core/data/sample_split.h"
#include "core/measure/training_series.h"
#include "core/train/executor.h"
#include "core/train/hold_out_history.h"
#include "core/train/trainer.h"
#include "tests/core/train/short_training.h"
#include "tests/support/npy_files.h"
#include "tests/support/threads.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numeric>
#include <set>

namespace plumb {
namespace {

constexpr std::int64_t kSamples = 53;

RunConfig configWith(double holdOut) {
    RunConfig config = smallConfig();
    config.dim = 6;
    config.layers = 2;
    config.holdOut = holdOut;
    std::vector<float> x, t;
    for (int i = 0; i < kSamples * 6; ++i) x.push_back(static_cast<float>(i * 37 % 101) / 50 - 1);
    for (int i = 0; i < kSamples * 2; ++i) t.push_back(static_cast<float>(i * 13 % 17) / 10);
    config.data = test::writeNpy("hx.npy", kSamples, 6, x);
    config.targets = test::writeNpy("ht.npy", kSamples, 2, t);
    return config;
}

TEST(SampleSplit, EveryRowIsTrainedOnOrHeldOutAndNeverBoth) {
    for (const std::int64_t rows : {2, 3, 53, 1000})
        for (const double share : {0.0, 0.001, 0.1, 0.5, 0.99}) {
            const std::int64_t held = heldOutOf(rows, share);
            const SampleSplit split(rows, held, 7);
            std::multiset<std::int64_t> seen;
            std::vector<std::int64_t> epoch(static_cast<std::size_t>(split.trained()));
            split.fill(split.trained() * 3, epoch);
            seen.insert(epoch.begin(), epoch.end());
            std::vector<std::int64_t> apart(static_cast<std::size_t>(held));
            split.fillHeldOut(0, apart);
            seen.insert(apart.begin(), apart.end());
            ASSERT_EQ(seen.size(), static_cast<std::size_t>(rows));
            EXPECT_EQ(std::set<std::int64_t>(seen.begin(), seen.end()).size(), seen.size());
            EXPECT_EQ(held == 0, share == 0);
            EXPECT_LT(held, rows);
        }
}

TEST(SampleSplit, FillsWithTheRowsOfItsPositionsWhetherItKeepsThemOrNot) {
    for (const std::int64_t rows : {53, 1000, 5'000'000}) {
        const SampleSplit split(rows, heldOutOf(rows, 0.2), 11);
        std::set<std::int64_t> apart;
        std::vector<std::int64_t> held(
            static_cast<std::size_t>(std::min<std::int64_t>(split.heldOut(), 500)));
        split.fillHeldOut(0, held);
        apart.insert(held.begin(), held.end());
        std::vector<std::int64_t> some(40);
        for (const std::int64_t first : {std::int64_t{0}, split.trained() - 3, 7 * split.trained()}) {
            split.fill(first, some);
            for (std::size_t i = 0; i < some.size(); ++i) {
                ASSERT_EQ(some[i], split.at(first + static_cast<std::int64_t>(i)));
                ASSERT_FALSE(apart.contains(some[i]));
            }
        }
    }
}

TEST(SampleSplit, TheOrderOfTheFileDoesNotDecideWhatIsHeldOut) {
    const SampleSplit split(1000, 100, 3);
    std::vector<std::int64_t> rows(100);
    split.fillHeldOut(0, rows);
    const double mean = static_cast<double>(std::accumulate(rows.begin(), rows.end(), std::int64_t{0})) / 100;
    EXPECT_NEAR(mean, 500, 90);  // three standard deviations of the mean of 100 draws
}

TEST(RowBatches, StandardisedColumnsHaveMean0AndVariance1OverWhatIsTrainedOn) {
    RunConfig config = configWith(0.2);
    config.standardize = true;
    auto batches = RowBatches::open(config);
    ASSERT_TRUE(batches.has_value()) << batches.error().text();
    const auto count = static_cast<std::size_t>((*batches)->samples());
    EXPECT_EQ(count, 42U);
    std::vector<float> x(count * 6), t(count * 2);
    ASSERT_TRUE((*batches)->copySamples(0, x, t).has_value());
    for (std::size_t column = 0; column < 6; ++column) {
        double sum = 0, squares = 0;
        for (std::size_t row = 0; row < count; ++row) {
            const auto value = static_cast<double>(x[row * 6 + column]);
            sum += value;
            squares += value * value;
        }
        EXPECT_NEAR(sum / static_cast<double>(count), 0, 1e-6);
        EXPECT_NEAR(squares / static_cast<double>(count), 1, 1e-5);
    }
    const Standardization* made = (*batches)->standardization();
    ASSERT_NE(made, nullptr);
    // The held-out rows go through the same numbers, so that the raw ones come back.
    config.standardize = false;
    auto raw = RowBatches::open(config);
    ASSERT_TRUE(raw.has_value());
    EXPECT_EQ((*raw)->standardization(), nullptr);
    std::vector<float> held(66), plain(66), targets(22);  // 11 rows of 6 and of 2
    ASSERT_TRUE((*batches)->copyHeldOut(0, held, targets).has_value());
    ASSERT_TRUE((*raw)->copyHeldOut(0, plain, targets).has_value());
    for (std::size_t i = 0; i < held.size(); ++i)
        EXPECT_NEAR(static_cast<double>(held[i]) * made->deviations[i % 6] + made->means[i % 6],
                    static_cast<double>(plain[i]), 1e-5);
    EXPECT_EQ(provenanceOf(**batches).heldOut, 11);
    EXPECT_EQ(*provenanceOf(**batches).standardization, *made);
}

TEST(RowBatches, StandardisedTargetsAreWhatIsTrainedOnAndComeBackFromTheProvenance) {
    RunConfig config = configWith(0.2);
    config.standardizeTargets = true;
    auto batches = RowBatches::open(config);
    ASSERT_TRUE(batches.has_value()) << batches.error().text();
    EXPECT_EQ((*batches)->standardization(), nullptr) << "the features stay as they are";
    const DataProvenance data = provenanceOf(**batches);
    ASSERT_TRUE(data.targetStandardization.has_value());
    const auto count = static_cast<std::size_t>((*batches)->samples());
    std::vector<float> x(count * 6), t(count * 2), rawX(count * 6), rawT(count * 2);
    ASSERT_TRUE((*batches)->copySamples(0, x, t).has_value());
    config.standardizeTargets = false;
    auto raw = RowBatches::open(config);
    ASSERT_TRUE(raw.has_value());
    ASSERT_TRUE((*raw)->copySamples(0, rawX, rawT).has_value());
    EXPECT_EQ(x, rawX);
    const Standardization& made = *data.targetStandardization;
    std::array<double, 2> sum{}, squares{};
    for (std::size_t i = 0; i < t.size(); ++i) {
        const auto value = static_cast<double>(t[i]);
        sum[i % 2] += value;
        squares[i % 2] += value * value;
        EXPECT_NEAR(value * made.deviations[i % 2] + made.means[i % 2], static_cast<double>(rawT[i]), 1e-5);
    }
    for (std::size_t column = 0; column < 2; ++column) {
        EXPECT_NEAR(sum[column] / static_cast<double>(count), 0, 1e-6);
        EXPECT_NEAR(squares[column] / static_cast<double>(count), 1, 1e-5);
    }
}

TEST(RowBatches, AColumnThatNeverChangesBecomes0) {
    RunConfig config = configWith(0);
    std::vector<float> x(kSamples * 6, 3.0F);
    config.data = test::writeNpy("same.npy", kSamples, 6, x);
    config.standardize = true;
    auto batches = RowBatches::open(config);
    ASSERT_TRUE(batches.has_value());
    std::vector<float> values(6), t(2);
    ASSERT_TRUE((*batches)->copySamples(0, values, t).has_value());
    for (const float value : values) EXPECT_EQ(value, 0);
    EXPECT_EQ((*batches)->standardization()->deviations.front(), 1);
}

struct Keep final : TrainingSink {
    void onStep(const StepMetrics& point) override { losses.push_back(point.loss); }
    void onReading(const Reading&) override {}
    void onHoldOut(const HoldOutLoss& loss) override { heldOut.push_back(loss); }
    std::vector<double> losses;
    std::vector<HoldOutLoss> heldOut;
};

TEST(HoldOut, ItsLossIsThatOfTheModelOverExactlyTheseSamples) {
    for (const bool head : {true, false})
        for (const Precision precision : {Precision::Fp32, Precision::Bf16, Precision::Fp8}) {
            RunConfig config = configWith(0.2);
            config.head = head;
            config.precision = precision;
            if (!head) {
                std::vector<float> t(kSamples * 6, 0.25F);
                config.targets = test::writeNpy("hc.npy", kSamples, 6, t);
            }
            // Batches of one sample, so that the training's own loss says what a sample costs.
            auto source = openData(config);
            ASSERT_TRUE(source.has_value()) << source.error().text();
            auto backend = makeCpuBackend(test::kBackendThreads);
            ASSERT_TRUE(backend.has_value());
            auto plan = planStep(config, (*backend)->traits());
            ASSERT_TRUE(plan.has_value());
            auto executor = Executor::create(std::make_shared<const StepPlan>(*std::move(plan)), **backend,
                                             source->get());
            ASSERT_TRUE(executor.has_value());
            const auto loss = (*executor)->heldOutLoss();
            ASSERT_TRUE(loss.has_value()) << loss.error().text();
            // The model in double precision, with the very weights.
            std::vector<std::vector<float>> weights;
            for (std::int32_t layer = 1; layer <= config.matrices(); ++layer) {
                const auto weight = (*executor)->tensors().weight(layer);
                ASSERT_TRUE(weight.has_value());
                weights.push_back(decodeValues(weight->tensor.dtype, weight->bytes));
                for (float& value : weights.back()) value /= static_cast<float>(weight->scale);
            }
            const std::int64_t count = (*source)->heldOut();
            const auto width = static_cast<std::size_t>(config.outputWidth());
            std::vector<float> x(static_cast<std::size_t>(count) * 6);
            std::vector<float> t(static_cast<std::size_t>(count) * width);
            ASSERT_TRUE((*source)->copyHeldOut(0, x, t).has_value());
            double squares = 0;
            for (std::size_t row = 0; row < static_cast<std::size_t>(count); ++row) {
                std::vector<double> h(x.begin() + static_cast<std::ptrdiff_t>(row * 6),
                                      x.begin() + static_cast<std::ptrdiff_t>(row * 6 + 6));
                for (std::size_t layer = 0; layer < weights.size(); ++layer) {
                    const std::size_t columns = layer < 2 ? 6 : 2;
                    std::vector<double> next(columns);
                    for (std::size_t k = 0; k < 6; ++k)
                        for (std::size_t j = 0; j < columns; ++j)
                            next[j] += h[k] * static_cast<double>(weights[layer][k * columns + j]);
                    if (layer < 2)
                        for (double& value : next) value = std::max(value, 0.0);
                    h = next;
                }
                for (std::size_t k = 0; k < width; ++k)
                    squares += std::pow(h[k] - static_cast<double>(t[row * width + k]), 2);
            }
            const double expected = squares / static_cast<double>(t.size());
            const double tolerance = precision == Precision::Fp32   ? 1e-5
                                     : precision == Precision::Bf16 ? 0.03
                                                                    : 0.3;
            EXPECT_NEAR(*loss, expected, tolerance * expected) << name(precision) << " head " << head;
        }
}

TEST(HoldOut, TheTrainingGoesOnBitForBitAsIfNobodyHadLooked) {
    for (const Precision precision : {Precision::Fp32, Precision::Fp16, Precision::Fp8}) {
        RunConfig config = configWith(0.2);
        config.precision = precision;
        config.recompute = {RecomputePolicy::Kind::None, 1};
        const auto lossesWith = [&](bool looks) {
            auto source = openData(config);
            auto backend = makeCpuBackend(test::kBackendThreads);
            EXPECT_TRUE(source.has_value() && backend.has_value());
            auto plan = planStep(config, (*backend)->traits());
            auto executor = Executor::create(std::make_shared<const StepPlan>(*std::move(plan)), **backend,
                                             source->get());
            EXPECT_TRUE(executor.has_value());
            std::vector<double> losses;
            for (int step = 0; step < 12; ++step) {
                if (looks) {
                    EXPECT_TRUE((*executor)->heldOutLoss().has_value());
                }
                const auto done = (*executor)->runStep();
                EXPECT_TRUE(done.has_value());
                losses.push_back(done->loss);
            }
            return losses;
        };
        EXPECT_EQ(lossesWith(true), lossesWith(false)) << name(precision);
    }
}

TEST(HoldOut, IsMeasuredBeforeEveryEpochAndAfterTheLastStep) {
    const RunConfig config = configWith(0.2);  // 42 samples in batches of 8: six steps an epoch
    auto backend = makeCpuBackend(test::kBackendThreads);
    ASSERT_TRUE(backend.has_value());
    Keep sink;
    TrainOptions options;
    options.steps = 20;
    const auto result = train(config, **backend, options, sink);
    ASSERT_TRUE(result.has_value()) << result.error().text();
    std::vector<std::int64_t> steps;
    for (const HoldOutLoss& point : result->series.holdOut) steps.push_back(point.step);
    EXPECT_EQ(steps, (std::vector<std::int64_t>{0, 6, 12, 18, 20}));
    EXPECT_EQ(sink.heldOut, result->series.holdOut);
    EXPECT_LT(sink.heldOut.back().loss, sink.heldOut.front().loss);
    EXPECT_EQ(result->data->heldOut, 11);
}

TEST(HoldOut, ALongRunKeepsFewPoints) {
    HoldOutHistory history(1);
    std::int64_t measured = 0;
    for (std::int64_t step = 0; step < 100'000; ++step)
        if (history.isDue(step)) {
            history.add({step, 1.0});
            ++measured;
        }
    EXPECT_LE(history.points().size(), HoldOutHistory::kMostPoints);
    EXPECT_GE(history.points().size(), HoldOutHistory::kMostPoints / 4);
    EXPECT_LT(measured, 3000);
    EXPECT_EQ(history.points().front().step, 0);
}

}  // namespace
}  // namespace plumb
