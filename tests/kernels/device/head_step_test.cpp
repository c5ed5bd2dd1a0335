// SPDX-License-Identifier: Apache-2.0
// The head's launch that does all beside the launches that do a part each.
#include "tests/kernels/device/kernel_runner.h"
#include "tests/kernels/samples.h"
#include "tests/kernels/stored.h"

#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

namespace plumb::test {
namespace {

using Case = std::tuple<Storage, std::int64_t, std::int64_t, bool>;

class DeviceHeadStep : public testing::TestWithParam<Case> {};

std::vector<std::uint8_t> storedBytes(Storage storage, const std::vector<float>& values, float scale) {
    const auto size = static_cast<std::size_t>(sizeOf(storage));
    std::vector<std::uint8_t> bytes(values.size() * size);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::uint32_t bits = encodeOne(storage, isFp8(storage) ? values[i] * scale : values[i]);
        std::memcpy(bytes.data() + i * size, &bits, size);
    }
    return bytes;
}

/// What the launches write, on one side.
struct Outputs {
    Outputs(KernelRunner& runner, Storage gradient, Storage weights, std::int64_t rows, std::int64_t dim)
        : y(runner, static_cast<std::size_t>(rows)),
          dy(runner, static_cast<std::size_t>(rows * sizeOf(gradient))),
          g(runner, static_cast<std::size_t>(rows * dim * sizeOf(gradient))),
          dw(runner, storedBytes(weights, randomFloats(dim, 77), 1)),
          loss(runner, std::vector<double>{0.5, 0, 0, 0}),
          statistics(runner, std::vector<double>(3 * 4, 0)),
          scales(runner, std::vector<float>(3 * 17, 0)),
          lossScale(runner, std::vector<double>{8, 0, 0, 0, 0, 0}),
          room(runner, 4U << 20U) {
        std::vector<float> rowsOfScales(3 * 17, 0);
        rowsOfScales[0] = 2;      // h and weight
        rowsOfScales[17] = 1024;  // dy
        rowsOfScales[34] = 2048;  // g
        scales.set(rowsOfScales);
    }
    DeviceArray<float> y;
    DeviceArray<std::uint8_t> dy;
    DeviceArray<std::uint8_t> g;
    DeviceArray<std::uint8_t> dw;
    DeviceArray<double> loss;
    DeviceArray<double> statistics;
    DeviceArray<float> scales;
    DeviceArray<double> lossScale;
    SumRoom room;
};

TEST_P(DeviceHeadStep, GivesWhatItsPartsGive) {
    const RunnerChoice choice = makeRunner();
    if (choice.runner == nullptr) GTEST_SKIP() << choice.reason;
    KernelRunner& runner = *choice.runner;
    const auto [storage, rows, dim, mask] = GetParam();
    const Storage kept = storage == Storage::Tf32 ? Storage::Fp32 : storage;
    const Storage gradient = storage == Storage::Fp8E4M3 ? Storage::Fp8E5M2 : kept;
    const Storage weights = storage == Storage::Fp8E4M3 ? Storage::Bf16 : kept;
    const bool fp8 = isFp8(storage);
    const DeviceArray<std::uint8_t> h(runner, storedBytes(kept, randomFloats(rows * dim, 1), 2));
    const DeviceArray<std::uint8_t> weight(runner, storedBytes(kept, randomFloats(dim, 2), 2));
    const DeviceArray<float> t(runner, randomFloats(rows, 3));

    const auto headOf = [&](const Outputs& out) {
        cuda::HeadArguments head;
        const float* scales = out.scales.data();
        head.h = {h.data(), storage, fp8 ? scales : nullptr};
        head.weight = {weight.data(), kept, fp8 ? scales : nullptr};
        head.y = out.y.data();
        head.dy = {out.dy.data(), gradient, fp8 ? scales + 17 : nullptr};
        head.result = {out.dw.data(), weights, nullptr};
        head.accumulate = true;
        head.partials = static_cast<float*>(out.room.partials());
        head.tickets = out.room.tickets();
        head.rows = rows;
        head.dim = dim;
        head.outputs = 1;
        return head;
    };
    const auto reportOf = [&](const Outputs& out, std::int64_t slot) {
        cuda::Report report;
        report.tally = report.observe = report.gradient = true;
        report.slot = slot;
        report.statistics = out.statistics.data();
        report.lossScale = storage == Storage::Fp16 ? out.lossScale.data() : nullptr;
        report.scales = fp8 ? out.scales.data() : nullptr;
        report.clock.step = 4;
        report.sums = out.room.sums();
        return report;
    };
    const Outputs parts(runner, gradient, weights, rows, dim);
    cuda::HeadArguments head = headOf(parts);
    ASSERT_EQ(runner.headForward(head), 0);
    cuda::LossArguments loss;
    loss.y = parts.y.data();
    loss.t = t.data();
    loss.dy = head.dy;
    loss.loss = parts.loss.data();
    loss.accumulate = true;
    loss.outputsOfStep = 100;
    loss.count = rows;
    loss.report = reportOf(parts, 1);
    loss.sums = parts.room.sums();
    ASSERT_EQ(runner.loss(loss, false), 0);
    ASSERT_EQ(runner.headWeightGradient(head), 0);
    cuda::HeadArguments input = head;
    if (!mask) input.h.data = nullptr;
    input.result = {parts.g.data(), gradient, fp8 ? parts.scales.data() + 34 : nullptr};
    input.report = reportOf(parts, 2);
    ASSERT_EQ(runner.headInputGradient(input, false), 0);

    const Outputs whole(runner, gradient, weights, rows, dim);
    cuda::HeadStepArguments step;
    step.head = headOf(whole);
    step.inputGradient = {whole.g.data(), gradient, fp8 ? whole.scales.data() + 34 : nullptr};
    step.mask = mask;
    step.t = t.data();
    step.loss = whole.loss.data();
    step.accumulateLoss = true;
    step.outputsOfStep = 100;
    step.dyReport = reportOf(whole, 1);
    step.report = reportOf(whole, 2);
    step.sums = whole.room.sums();
    ASSERT_EQ(runner.headStep(step), 0);

    EXPECT_EQ(whole.y.get(), parts.y.get());
    EXPECT_TRUE(whole.dy.get() == parts.dy.get());
    EXPECT_TRUE(whole.g.get() == parts.g.get());
    EXPECT_EQ(whole.scales.get(), parts.scales.get());
    EXPECT_EQ(whole.lossScale.get(), parts.lossScale.get());
    EXPECT_NEAR(whole.loss.get()[0], parts.loss.get()[0], 1e-12 * parts.loss.get()[0]);
    const auto seen = whole.statistics.get();
    const auto expected = parts.statistics.get();
    for (std::size_t i = 0; i < seen.size(); ++i)
        EXPECT_NEAR(seen[i], expected[i], 1e-12 * std::abs(expected[i]));
    const auto decoded = [&](const Outputs& out) {
        std::vector<float> numbers;
        const auto bytes = out.dw.get();
        for (std::size_t at = 0; at < bytes.size(); at += static_cast<std::size_t>(sizeOf(weights))) {
            std::uint32_t bits = 0;
            std::memcpy(&bits, bytes.data() + at, static_cast<std::size_t>(sizeOf(weights)));
            numbers.push_back(decodeOne(weights, bits));
        }
        return numbers;
    };
    const auto got = decoded(whole);
    const auto sums = decoded(parts);
    const double tolerance = sizeOf(weights) == 4 ? 1e-5 : weights == Storage::Bf16 ? 1.0 / 128 : 1.0 / 1024;
    double largest = 0;
    for (const float value : sums) largest = std::max(largest, static_cast<double>(std::abs(value)));
    for (std::size_t i = 0; i < got.size(); ++i)
        EXPECT_NEAR(static_cast<double>(got[i]), static_cast<double>(sums[i]), tolerance * largest) << i;
    EXPECT_TRUE(whole.room.clean() && whole.g.guarded() && whole.dy.guarded() && whole.dw.guarded());
}

INSTANTIATE_TEST_SUITE_P(All, DeviceHeadStep,
                         testing::Combine(testing::Values(Storage::Fp32, Storage::Tf32, Storage::Bf16,
                                                          Storage::Fp16, Storage::Fp8E4M3),
                                          testing::Values(1, 37, 1100), testing::Values(8, 256, 504),
                                          testing::Bool()));

TEST(DeviceHeadStepLimits, AreRefused) {
    const RunnerChoice choice = makeRunner();
    if (choice.runner == nullptr) GTEST_SKIP() << choice.reason;
    for (const auto& [dim, outputs] : {std::pair{4096, 1}, std::pair{10, 1}, std::pair{256, 2}}) {
        cuda::HeadStepArguments a;
        a.head.rows = 1;
        a.head.dim = dim;
        a.head.outputs = outputs;
        EXPECT_NE(choice.runner->headStep(a), 0) << dim << ", " << outputs;
    }
}

}  // namespace
}  // namespace plumb::test
