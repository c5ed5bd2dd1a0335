// SPDX-License-Identifier: Apache-2.0
// What a replayed step starts on the device, and what that moves: counted where there is no device.
#include "core/model/names.h"
#include "kernels/cuda/device_kernels.h"
#include "tests/gpu/gpu_fixture.h"
#include "tests/gpu/gpu_training.h"
#include "tests/kernels/simulated/device.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cxxabi.h>
#include <fstream>
#include <locale>
#include <map>
#include <ostream>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

namespace plumb::test::simulated {
namespace {

using Launches = std::map<std::string, LaunchCount>;

std::int64_t launchesOf(const Launches& launches) {
    std::int64_t sum = 0;
    for (const auto& [kernel, count] : launches) sum += count.launches;
    return sum;
}

std::int64_t bytesOf(const Launches& launches) {
    std::int64_t bytes = 0;
    for (const auto& [kernel, count] : launches) bytes += count.bytesRead + count.bytesWritten;
    return bytes;
}

std::string text(const Launches& launches) {
    std::string all;
    for (const auto& [kernel, count] : launches) {
        int status = 0;
        char* const name = abi::__cxa_demangle(kernel.c_str(), nullptr, nullptr, &status);
        all += std::to_string(count.launches) + " " + (name != nullptr ? name : kernel.c_str()) + " reads " +
               std::to_string(count.bytesRead) + " writes " + std::to_string(count.bytesWritten) + "\n";
        std::free(name);
    }
    return all;
}

/// Whether a step is replayed, and nobody observes it, or runs op by op, with its statistics.
enum class Mode : std::uint8_t { Replayed, Observed };

/// The last step of a training less the last but one of a shorter one.
Launches lastStep(const RunConfig& config, Mode mode, Options options = {}) {
    constexpr std::int64_t kReplayed = 9;
    options.tunes = false;
    const auto trained = [&config, &options, mode](std::int64_t steps) {
        Device::get().restart(options);
        OpenedGpu opened = openGpu();
        EXPECT_NE(opened.backend, nullptr) << opened.absent;
        Device::get().launched().clear();
        TrainOptions training;
        training.steps = steps;
        training.statistics = mode == Mode::Observed;
        training.replaySteps = mode == Mode::Replayed;
        training.readingInterval = training.probeInterval = 1e9;  // the clock decides nothing
        SeenTraining seen;
        const auto result = train(config, *opened.backend, training, seen);
        EXPECT_TRUE(result.has_value()) << (result.has_value() ? "" : result.error().text());
        Launches launches = Device::get().launched();
        opened.backend.reset();
        checkGpu();
        return launches;
    };
    Launches step = trained(kReplayed + 1);
    for (const auto& [kernel, count] : trained(kReplayed)) {
        LaunchCount& more = step[kernel];
        more = more - count;
        if (more.launches == 0) step.erase(kernel);
    }
    return step;
}

Launches replayedStep(const RunConfig& config, const Options& options = {}) {
    return lastStep(config, Mode::Replayed, options);
}

RunConfig plainConfig(Precision precision, std::int64_t layers, std::int64_t rows = 32) {
    RunConfig config;
    config.dim = 32;
    config.layers = layers;
    config.outputs = 1;
    config.batch = config.microBatch = rows;
    config.precision = precision;
    return config;
}

/// Launches of a step of L layers: perLayer * L + rest.
struct Expected {
    Precision precision{};
    Activation activation = Activation::None;
    std::int64_t perLayer = 0;
    std::int64_t rest = 0;
};
void PrintTo(const Expected& of, std::ostream* out) {
    *out << name(of.precision) << (of.activation == Activation::Relu ? " relu" : "");
}

class LaunchesOfAStep : public ::testing::TestWithParam<Expected> {};

TEST_P(LaunchesOfAStep, AreAsManyAsDocsSay) {
    for (const std::int64_t layers : {1, 2, 5}) {
        RunConfig config = plainConfig(GetParam().precision, layers);
        config.activation = GetParam().activation;
        const Launches step = replayedStep(config);
        EXPECT_EQ(launchesOf(step), GetParam().perLayer * layers + GetParam().rest) << layers << " layers\n"
                                                                                    << text(step);
    }
}

INSTANTIATE_TEST_SUITE_P(Simulated, LaunchesOfAStep,
                         ::testing::Values(Expected{Precision::Fp32, Activation::None, 3, 3},
                                           Expected{Precision::Tf32, Activation::None, 3, 3},
                                           Expected{Precision::Bf16, Activation::None, 3, 3},
                                           Expected{Precision::Bf16, Activation::Relu, 3, 3},
                                           Expected{Precision::Fp16, Activation::None, 3, 4},
                                           Expected{Precision::Fp16, Activation::Relu, 3, 4},
                                           Expected{Precision::Fp8, Activation::None, 4, 4},
                                           Expected{Precision::Fp8, Activation::Relu, 5, 3}));

// Nothing makes a batch, and all else is as before, launch by launch and byte by byte.
TEST(LaunchesOfAResidentStep, AreOneLessForTheBatchThatStays) {
    for (const Precision precision : {Precision::Fp32, Precision::Bf16, Precision::Fp16, Precision::Fp8}) {
        RunConfig config = plainConfig(precision, 3);
        Launches made = replayedStep(config);
        config.residentBatch = true;
        const Launches kept = replayedStep(config);
        std::int64_t batches = 0;
        std::erase_if(made, [&batches](const auto& entry) {
            const bool isBatch = entry.first.find("SynthesiseBody") != std::string::npos;
            batches += isBatch ? entry.second.launches : 0;
            return isBatch;
        });
        EXPECT_EQ(batches, 1);
        EXPECT_EQ(text(kept), text(made)) << name(precision);
    }
}

TEST(LaunchesOfAnFp8Step, AreMoreWhereTheLibraryDoesNotScaleResults) {
    Options options;
    options.scalesResults = false;
    const Launches step = replayedStep(plainConfig(Precision::Fp8, 5), options);
    EXPECT_EQ(launchesOf(step), 6 * 5 + 3) << text(step);
}

TEST(LaunchesOfAnFp8Step, AreTheFewestWhereNothingIsTransposed) {
    Options options;
    options.computeCapability = 100;
    const Launches step = replayedStep(plainConfig(Precision::Fp8, 5), options);
    EXPECT_EQ(launchesOf(step), 3 * 5 + 3) << text(step);
}

TEST(LaunchesOfLargeMatrices, AreMoreByTheirEarlyUpdates) {
    for (const std::int64_t layers : {1, 3}) {
        RunConfig config = plainConfig(Precision::Bf16, layers);
        config.dim = 512;
        const Launches bf16 = replayedStep(config);
        EXPECT_EQ(launchesOf(bf16), 3 * layers + 3 + layers) << text(bf16);
        config.precision = Precision::Fp8;
        const Launches fp8 = replayedStep(config);
        EXPECT_EQ(launchesOf(fp8), 4 * layers + 4 + 2 * layers - 1) << text(fp8);
        config.activation = Activation::Relu;
        const Launches relu = replayedStep(config);
        EXPECT_EQ(launchesOf(relu), 5 * layers + 3 + 2 * layers - 1) << text(relu);
        config.activation = Activation::None;
        config.clipNorm = 1;
        const Launches clipped = replayedStep(config);
        EXPECT_EQ(launchesOf(clipped), 4 * layers + 4 + 1) << "the norm\n" << text(clipped);
    }
}

/// Bytes that a step moves for each element of an activation h_l, with all that is as large as it: the second
/// difference of what steps of more layers and more rows move, in which weights and what is there once
/// cancel. In eighths of a byte, since a mask has a bit for each element.
class BytesOfAnActivation : public ::testing::TestWithParam<Expected> {};

TEST_P(BytesOfAnActivation, AreAsManyAsDocsSay) {
    const auto bytes = [](std::int64_t layers, std::int64_t rows) {
        RunConfig config = plainConfig(GetParam().precision, layers, rows);
        config.dim = 128;  // rows of a mask are whole 128 bits
        config.activation = GetParam().activation;
        return bytesOf(replayedStep(config));
    };
    const std::int64_t more = bytes(3, 32) - bytes(2, 32) - bytes(3, 16) + bytes(2, 16);
    EXPECT_EQ(static_cast<double>(more) / (16 * 128), static_cast<double>(GetParam().rest) / 8);
}

INSTANTIATE_TEST_SUITE_P(Simulated, BytesOfAnActivation,
                         ::testing::Values(Expected{Precision::Fp32, Activation::None, 0, 8 * 24},
                                           Expected{Precision::Bf16, Activation::None, 0, 8 * 12},
                                           Expected{Precision::Bf16, Activation::Relu, 0, 8 * 12 + 2},
                                           Expected{Precision::Fp16, Activation::None, 0, 8 * 12},
                                           Expected{Precision::Fp16, Activation::Relu, 0, 8 * 12 + 2},
                                           Expected{Precision::Fp8, Activation::None, 0, 8 * 10},
                                           Expected{Precision::Fp8, Activation::Relu, 0, 8 * 15}));

/// What the pass over the head moves, alone; launches of all else are left out.
LaunchCount headPassOf(const Launches& launches) {
    LaunchCount pass;
    for (const auto& [kernel, count] : launches)
        if (kernel.find("HeadPassBody") != std::string::npos) pass += count;
    return pass;
}

struct HeadOfAStep {
    Precision precision{};
    Activation activation = Activation::None;
    std::int64_t outputs = 1;
    std::int64_t rows = 32;
};
void PrintTo(const HeadOfAStep& of, std::ostream* out) {
    *out << name(of.precision) << (of.activation == Activation::Relu ? " relu" : "") << " " << of.outputs
         << " outputs, " << of.rows << " rows";
}

class BytesOfTheHead : public ::testing::TestWithParam<std::tuple<HeadOfAStep, Mode>> {};

// As docs/gpu.md has them: h_L once, g_L once, dy, and the sums of the weight's gradient.
TEST_P(BytesOfTheHead, AreThoseOfOneReadingAndOneWriting) {
    const auto& [of, mode] = GetParam();
    RunConfig config = plainConfig(of.precision, 2, of.rows);
    config.activation = of.activation;
    config.outputs = of.outputs;
    const Launches step = lastStep(config, mode);
    const LaunchCount pass = headPassOf(step);
    ASSERT_EQ(pass.launches, 1) << text(step);
    const std::int64_t h = of.rows * config.dim * dtypeSize(config.activationDtype());
    const std::int64_t g = of.rows * config.dim * dtypeSize(config.activationGradientDtype());
    const std::int64_t dy = of.rows * of.outputs * dtypeSize(config.activationGradientDtype());
    EXPECT_EQ(pass.bytesRead, h);
    EXPECT_EQ(pass.bytesWritten, g + dy);
    // Each part of the rows leaves its sums, which are added up in sets of 16 parts, and then the sets.
    const std::int64_t numbers = config.dim * of.outputs * std::int64_t{sizeof(float)};
    const std::int64_t rounds = (of.rows + 7) / 8;
    const std::int64_t perPart = (rounds + 256 / of.outputs - 1) / (256 / of.outputs);
    const std::int64_t parts = (rounds + perPart - 1) / perPart;
    const std::int64_t sets = (parts + 15) / 16;
    EXPECT_EQ(cuda::headPassBytes(of.rows, config.dim, of.outputs).partials, parts * numbers);
    // Beside them a part leaves the squares of its errors, or all that was seen of dy and g_L.
    const std::int64_t observed = mode == Mode::Observed || of.precision == Precision::Fp8;
    const std::int64_t seen = pass.bytesOfSums - (parts + sets) * numbers;
    EXPECT_EQ(seen % parts, 0);
    EXPECT_GE(seen, parts * std::int64_t{sizeof(double)});
    EXPECT_LE(seen, parts * (observed != 0 ? kHeadPassSums : Bytes{sizeof(double)}));
}

INSTANTIATE_TEST_SUITE_P(
    Simulated, BytesOfTheHead,
    ::testing::Combine(::testing::Values(HeadOfAStep{Precision::Fp32}, HeadOfAStep{Precision::Tf32},
                                         HeadOfAStep{Precision::Bf16},
                                         HeadOfAStep{Precision::Bf16, Activation::Relu, 4},
                                         HeadOfAStep{Precision::Bf16, Activation::None, 4, 600},
                                         HeadOfAStep{Precision::Fp16, Activation::Relu},
                                         HeadOfAStep{Precision::Fp8},
                                         HeadOfAStep{Precision::Fp8, Activation::Relu, 2}),
                       ::testing::Values(Mode::Replayed, Mode::Observed)));

/// The cells of a row of a table, without the spaces around them.
std::vector<std::string> cellsOf(const std::string& line) {
    std::vector<std::string> cells;
    std::istringstream row(line);
    for (std::string cell; std::getline(row, cell, '|');) {
        const std::size_t first = cell.find_first_not_of(' ');
        const std::size_t last = cell.find_last_not_of(' ');
        cells.push_back(first == std::string::npos ? "" : cell.substr(first, last + 1 - first));
    }
    return cells;
}

/// "4L + 4" with L layers.
std::int64_t numberOf(const std::string& expression, std::int64_t layers) {
    std::int64_t perLayer = 0;
    std::int64_t rest = 0;
    char letter = 0;
    char plus = 0;
    std::istringstream(expression) >> perLayer >> letter >> plus >> rest;
    EXPECT_TRUE(letter == 'L' && plus == '+') << expression;
    return perLayer * layers + rest;
}

/// A number as documents have it, whatever the locale.
double realOf(const std::string& text) {
    std::istringstream in(text);
    in.imbue(std::locale::classic());
    double number = -1;
    in >> number;
    return number;
}

TEST(TheTableOfAStep, IsWhatTheDeviceCounts) {
    std::ifstream document(GPU_DOCUMENT);
    if (!document) GTEST_SKIP() << "the documents are not beside this program";
    std::size_t rows = 0;
    for (std::string line; std::getline(document, line);) {
        const std::vector<std::string> cells = cellsOf(line);
        if (cells.size() != 10) continue;
        std::istringstream recipe(cells[1]);
        std::string precision;
        std::string relu;
        recipe >> precision >> relu;
        const auto known = kPrecisionNames.find(precision);
        if (!known) continue;
        SCOPED_TRACE(cells[1]);
        ++rows;
        const auto step = [&](std::int64_t layers, std::int64_t samples) {
            RunConfig config = plainConfig(*known, layers, samples);
            config.dim = 128;
            if (relu == "relu") config.activation = Activation::Relu;
            return replayedStep(config);
        };
        const Launches two = step(2, 16);
        const Launches three = step(3, 16);
        EXPECT_EQ(launchesOf(two), numberOf(cells[2], 2)) << text(two);
        EXPECT_EQ(launchesOf(three), numberOf(cells[2], 3)) << text(three);
        // What a layer more moves grows with the rows by its activations, and the rest is of its weights.
        const std::int64_t layer = bytesOf(three) - bytesOf(two);
        const std::int64_t activations = bytesOf(step(3, 32)) - bytesOf(step(2, 32)) - layer;
        const double activation = static_cast<double>(activations) / (16 * 128);
        EXPECT_EQ(activation, realOf(cells[5]));
        EXPECT_EQ(static_cast<double>(layer - activations) / (128 * 128), realOf(cells[8])) << text(three);
        EXPECT_LE(realOf(cells[7]), activation) << "the least";
        EXPECT_GE(realOf(cells[6]), activation) << "before";
    }
    EXPECT_EQ(rows, 8U);
}

}  // namespace
}  // namespace plumb::test::simulated
