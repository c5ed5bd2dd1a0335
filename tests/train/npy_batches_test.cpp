// SPDX-License-Identifier: Apache-2.0
#include "core/train/npy_batches.h"

#include "core/train/trainer.h"
#include "kernels/cpu/cpu_backend.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <limits>
#include <set>
#include <unistd.h>

namespace plumb {
namespace {

/// Writes a version 1.0 fp32 .npy; the format's own rules, independent of the reader.
std::string writeNpy(const std::string& name, std::int64_t rows, std::int64_t columns,
                     const std::vector<float>& data) {
    std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (" + std::to_string(rows) + ", " +
                         std::to_string(columns) + "), }";
    while ((10 + header.size() + 1) % 64 != 0) header += ' ';
    header += '\n';
    const std::string path = ::testing::TempDir() + "/" + std::to_string(::getpid()) + name;
    std::ofstream out(path, std::ios::binary);
    out << "\x93NUMPY" << '\x01' << '\x00' << static_cast<char>(header.size() & 0xff)
        << static_cast<char>(header.size() >> 8U) << header;
    out.write(reinterpret_cast<const char*>(data.data()),
              static_cast<std::streamsize>(data.size() * sizeof(float)));
    return path;
}

RunConfig configFor(std::int64_t rows, std::vector<float> features = {}) {
    RunConfig config;
    config.dim = 4;
    config.layers = 1;
    config.batch = 2;
    if (features.empty()) features.assign(static_cast<std::size_t>(rows * 4), 0.5F);
    config.data = writeNpy("x.npy", rows, 4, features);
    config.targets = writeNpy("t.npy", rows, 1, std::vector<float>(static_cast<std::size_t>(rows), 1.0F));
    return config;
}

TEST(NpyBatches, VisitsEveryRowOncePerEpochInAnOrderThatTheSeedDecides) {
    for (const std::int64_t rows : {1, 2, 3, 17, 64, 100, 1797}) {
        RunConfig config = configFor(rows);
        auto batches = NpyBatches::open(config);
        ASSERT_TRUE(batches.has_value());
        for (std::int64_t epoch = 0; epoch < 3; ++epoch) {
            std::set<std::int64_t> seen;
            for (std::int64_t row = 0; row < rows; ++row)
                seen.insert((*batches)->fileRow(epoch * rows + row));
            EXPECT_EQ(static_cast<std::int64_t>(seen.size()), rows);
            EXPECT_EQ(*seen.begin(), 0);
            EXPECT_EQ(*seen.rbegin(), rows - 1);
        }
    }
    RunConfig config = configFor(100);
    auto first = NpyBatches::open(config);
    config.seed = 1;
    auto second = NpyBatches::open(config);
    int different = 0;
    for (int row = 0; row < 100; ++row)
        different += (*first)->fileRow(row) != (*second)->fileRow(row) ? 1 : 0;
    EXPECT_GT(different, 50);
}

TEST(NpyBatches, RefusesFilesThatDoNotMatchTheModel) {
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
    config.targets = writeNpy("short.npy", 7, 1, std::vector<float>(7));
    auto rows = openData(config);
    ASSERT_FALSE(rows.has_value());
    EXPECT_EQ(rows.error().code, ErrorCode::BadInput);
}

TEST(NpyBatches, NamesTheRowThatHoldsANaN) {
    std::vector<float> features(8 * 4, 0.25F);
    features[5 * 4 + 2] = std::numeric_limits<float>::quiet_NaN();
    RunConfig config = configFor(8, features);
    struct Silent final : TrainingSink {
        void onLoss(const LossPoint&) override {}
        void onReading(const Reading&) override {}
    } sink;
    auto backend = makeCpuBackend(1);
    ASSERT_TRUE(backend.has_value());
    TrainOptions options;
    options.steps = 100;
    for (const Activation activation : {Activation::None, Activation::Relu})
        for (const Precision precision : {Precision::Fp32, Precision::Bf16}) {
            config.activation = activation;
            config.precision = precision;
            auto result = train(config, **backend, options, sink);
            ASSERT_TRUE(result.has_value());
            ASSERT_TRUE(result->failure.has_value()) << name(activation) << " " << name(precision);
            EXPECT_NE(result->failure->message.find("row 5"), std::string::npos) << result->failure->message;
            EXPECT_LT(result->series.stepsDone, 5);  // 8 rows, batch 2: within the first epoch
            EXPECT_GT(result->series.loss.size(), 0U);
        }
}

}  // namespace
}  // namespace plumb
