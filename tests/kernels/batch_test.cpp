// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/batch_loader.h"
#include "tests/kernels/control_tensors.h"
#include "tests/kernels/samples.h"

#include <gtest/gtest.h>

#include <cmath>

namespace plumb::cpu {
namespace {

RunConfig configOf(std::int64_t dim, std::int64_t outputs) {
    RunConfig config;
    config.dim = dim;
    config.outputs = outputs;
    config.batch = 6;
    config.seed = 77;
    config.noise = 0.25;
    return config;
}

struct Batch {
    std::vector<float> x, t;
};
Batch load(const RunConfig& config, std::int64_t step, std::int64_t microBatch, int threads = 1,
           const float* staged = nullptr) {
    const auto rows = static_cast<std::size_t>(config.microBatchSize());
    Batch batch{std::vector<float>(rows * static_cast<std::size_t>(config.dim)),
                std::vector<float>(rows * static_cast<std::size_t>(config.outputs))};
    std::vector<std::uint16_t> rounded(batch.x.size());
    const bool bf16 = config.precision == Precision::Bf16;
    const test::ControlTensors control(config);
    const OpCall call = control.call(step, microBatch, false);
    TensorWriter writer(control.plan, call, bestKernels(), threads);
    const BatchLoader loader(config, bestKernels(), threads);
    const std::int64_t firstSample = microBatch * config.microBatchSize();
    loader.load({step, firstSample, staged, bf16 ? static_cast<void*>(rounded.data()) : batch.x.data(),
                 batch.t.data()},
                writer);
    if (bf16) batch.x = test::fromBf16(rounded);
    return batch;
}

TEST(BatchLoader, MakesTheTaskOfTheDefinition) {
    for (const std::int64_t dim : {1, 2, 5, 64, 700})
        for (const std::int64_t outputs : {1, 3, 9}) {
            SCOPED_TRACE(testing::Message() << "D " << dim << " K " << outputs);
            const RunConfig config = configOf(dim, outputs);
            const Batch batch = load(config, 3, 0);
            double norm = 0;
            for (std::int64_t i = 0; i < dim; ++i) norm += static_cast<double>(i * i);
            norm = dim == 1 ? 1 : std::sqrt(norm);
            for (std::int64_t row = 0; row < config.batch; ++row)
                for (std::int64_t k = 0; k < outputs; ++k) {
                    double expected = 0;
                    for (std::int64_t i = 0; i < dim; ++i) {
                        const float x = normalFromPhilox(philoxAt(77, RandomStream::Features, 3,
                                                                  static_cast<std::uint64_t>(row * dim + i)));
                        ASSERT_EQ(batch.x[static_cast<std::size_t>(row * dim + i)], x);
                        expected += static_cast<double>(x) *
                                    (dim == 1 ? 1.0 : static_cast<double>((i + k) % dim)) / norm;
                    }
                    expected += 0.25 * static_cast<double>(normalFromPhilox(
                                           philoxAt(77, RandomStream::Noise, 3,
                                                    static_cast<std::uint64_t>(row * outputs + k))));
                    EXPECT_NEAR(static_cast<double>(batch.t[static_cast<std::size_t>(row * outputs + k)]),
                                expected, 1e-6 * (1 + std::abs(expected)));
                }
        }
}

TEST(BatchLoader, MicroBatchesAreTheRowsOfTheBatch) {
    RunConfig config = configOf(5, 2);
    const Batch whole = load(config, 1, 0);
    config.microBatch = 2;
    Batch joined;
    for (std::int64_t micro = 0; micro < 3; ++micro) {
        const Batch part = load(config, 1, micro);
        joined.x.insert(joined.x.end(), part.x.begin(), part.x.end());
        joined.t.insert(joined.t.end(), part.t.begin(), part.t.end());
    }
    EXPECT_EQ(joined.x, whole.x);
    EXPECT_EQ(joined.t, whole.t);
}

TEST(BatchLoader, RoundsTheFeaturesButNotTheTargets) {
    RunConfig config = configOf(600, 1);
    const Batch exact = load(config, 0, 0);
    config.precision = Precision::Bf16;
    const Batch rounded = load(config, 0, 0);
    EXPECT_EQ(rounded.x, test::fromBf16(test::toBf16(exact.x)));
    EXPECT_EQ(rounded.t, exact.t);
}

TEST(BatchLoader, DoesNotDependOnThreads) {
    RunConfig config = configOf(3000, 2);
    config.batch = 80;  // enough for three
    EXPECT_EQ(load(config, 0, 0, 1).x, load(config, 0, 0, 3).x);
    EXPECT_EQ(load(config, 0, 0, 1).t, load(config, 0, 0, 3).t);
}

TEST(BatchLoader, StepsDiffer) {
    const RunConfig config = configOf(8, 1);
    EXPECT_NE(load(config, 0, 0).x, load(config, 1, 0).x);
}

TEST(BatchLoader, TargetsHaveVarianceOneAtEveryWidth) {
    for (const std::int64_t dim : {1, 4, 300}) {
        RunConfig config = configOf(dim, 1);
        config.batch = 4000;
        config.noise = 0;
        const Batch batch = load(config, 0, 0);
        double squares = 0;
        for (const float t : batch.t) squares += static_cast<double>(t) * static_cast<double>(t);
        // The spread of a variance from 4000 samples is sqrt(2 / 4000) = 0.022; five of them.
        EXPECT_NEAR(squares / 4000, 1, 0.11) << "D " << dim;
    }
}

TEST(BatchLoader, ConvertsWhatIsStaged) {
    for (const std::int64_t dim : {3, 70'000}) {  // the second is split between threads
        RunConfig config = configOf(dim, 2);
        config.microBatch = 2;
        std::vector<float> staged(static_cast<std::size_t>(2 * (dim + 2)));
        for (std::size_t i = 0; i < staged.size(); ++i) staged[i] = 1 + 0.001F * static_cast<float>(i);
        const auto features = staged.begin() + 2 * dim;
        for (const Precision precision : {Precision::Fp32, Precision::Bf16}) {
            config.precision = precision;
            const Batch batch = load(config, 10, 2, 3, staged.data());
            const std::vector<float> exact(staged.begin(), features);
            EXPECT_EQ(batch.x, precision == Precision::Bf16 ? test::fromBf16(test::toBf16(exact)) : exact);
            EXPECT_EQ(batch.t, std::vector<float>(features, staged.end()));
        }
    }
}

}  // namespace
}  // namespace plumb::cpu
