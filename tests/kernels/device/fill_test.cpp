// SPDX-License-Identifier: Apache-2.0
// First weights and staged data: the very bits of the CPU backend.
#include "core/base/philox.h"
#include "tests/kernels/device/step_mirror.h"
#include "tests/kernels/stored.h"

#include <gtest/gtest.h>

namespace plumb::test {
namespace {

class DeviceFill : public OnRunner<testing::TestWithParam<std::tuple<Precision, Initialisation>>> {};

RunConfig configOf(Precision precision, Initialisation initialisation) {
    RunConfig config{.dim = 75, .layers = 2, .outputs = 3, .batch = 16};
    config.seed = 0x123456789abcdef0;
    config.precision = precision;
    config.initialisation = initialisation;
    return config;
}

TEST_P(DeviceFill, GivesTheWeightsOfTheCpu) {
    const auto [precision, initialisation] = GetParam();
    const RunConfig config = configOf(precision, initialisation);
    StepHarness harness(config, {});  // has initialised its tensors
    const StepPlan& plan = harness.plan;
    const auto rows = static_cast<std::size_t>(statisticsSlots(config));
    DeviceArray<double> statistics(runner(), std::vector<double>(rows * kStatisticCount, 0));
    DeviceArray<float> scales(runner(), std::vector<float>(rows * kScalesColumns, 0));
    const SumRoom room(runner());
    for (std::int32_t layer = 1; layer <= config.layers + 1; ++layer) {
        const bool head = layer > config.layers;
        const std::size_t id = harness.find(TensorRole::Weight, layer);
        const auto count = static_cast<std::size_t>(plan.tensors[id].elements());
        const std::int64_t slot = statisticsSlot(config, TensorRole::Weight, layer);
        DeviceArray<std::byte> weights(runner(), static_cast<std::size_t>(plan.tensors[id].bytes()));
        DeviceArray<float> masters(runner(), count);
        cuda::FillArguments a;
        a.seed = config.seed;
        a.stream = static_cast<std::uint32_t>(head ? RandomStream::Head : RandomStream::Weights);
        a.sub = static_cast<std::uint32_t>(layer);
        a.truncated = initialisation == Initialisation::Truncated;
        if (initialisation != Initialisation::Naive) a.factor = static_cast<float>(1 / std::sqrt(75.0));
        a.out.data = weights.data();
        a.out.storage = cpu::storageOf(config.weightDtype());
        if (precision == Precision::Fp8) a.out.scale = scales.data() + slot * kScalesColumns;
        if (config.hasMasterCopy()) a.master = masters.data();
        a.count = static_cast<std::int64_t>(count);
        a.report.tally = a.report.writesStatistics = true;
        a.report.slot = slot;
        a.report.statistics = statistics.data();
        a.report.scales = precision == Precision::Fp8 ? scales.data() : nullptr;
        a.report.clock.step = 0;
        a.report.sums = room.sums();
        if (precision == Precision::Fp8) {
            ASSERT_EQ(runner().fill(a, true), 0);
        }
        ASSERT_EQ(runner().fill(a, false), 0);
        EXPECT_TRUE(weights.get() == harness.bytes(id)) << "layer " << layer;
        if (config.hasMasterCopy()) {
            const auto* expected =
                static_cast<const float*>(harness.buffers[harness.find(TensorRole::Master, layer)].data);
            EXPECT_EQ(masters.get(), std::vector<float>(expected, expected + count)) << "layer " << layer;
        }
        const auto* seen = harness.data<double>(plan.statistics) + slot * kStatisticCount;
        for (std::int64_t i = 0; i < kStatisticCount; ++i)
            EXPECT_NEAR(statistics.get()[static_cast<std::size_t>(slot * kStatisticCount + i)], seen[i],
                        1e-12 * std::abs(seen[i]));
        EXPECT_TRUE(weights.guarded() && masters.guarded() && room.clean());
    }
    if (precision == Precision::Fp8) {
        const auto* expected = harness.data<float>(plan.scales);
        EXPECT_EQ(scales.get(), std::vector<float>(expected, expected + scales.size()));
    }
}

INSTANTIATE_TEST_SUITE_P(All, DeviceFill,
                         testing::Combine(testing::Values(Precision::Fp32, Precision::Bf16, Precision::Fp16,
                                                          Precision::Fp8),
                                          testing::Values(Initialisation::Scaled, Initialisation::Truncated,
                                                          Initialisation::Naive)));

class DeviceLoad : public OnRunner<testing::TestWithParam<std::tuple<Precision, std::int64_t>>> {};

TEST_P(DeviceLoad, RoundsStagedRows) {
    const auto [precision, dim] = GetParam();
    RunConfig config;
    config.precision = precision;
    constexpr std::int64_t kRows = 29;
    constexpr std::int64_t kOutputs = 3;
    const std::int64_t numbers = kRows * (dim + kOutputs);
    const std::vector<float> staged = randomFloats(2 * numbers, 5);
    DeviceArray<float> staging(runner(), staged);
    DeviceArray<cuda::StepState> state(runner(), std::vector<cuda::StepState>(1));
    DeviceArray<double> statistics(runner(), std::vector<double>(4, 0));
    DeviceArray<float> scales(runner(), std::vector<float>(kScalesColumns, 0));
    const SumRoom room(runner());
    const cpu::Storage storage = cpu::storageOf(config.activationDtype());
    DeviceArray<std::uint8_t> x(runner(),
                                static_cast<std::size_t>(kRows * dim * dtypeSize(config.activationDtype())));
    DeviceArray<float> t(runner(), static_cast<std::size_t>(kRows * kOutputs));
    cuda::LoadArguments a;
    a.staging = staging.data();
    a.microBatches = 3;
    a.clock.state = state.data();
    a.x = {x.data(), storage, precision == Precision::Fp8 ? scales.data() : nullptr};
    a.t = t.data();
    a.rows = kRows;
    a.dim = dim;
    a.outputs = kOutputs;
    a.report.tally = true;
    a.report.slot = 0;
    a.report.statistics = statistics.data();
    a.report.scales = a.x.scale != nullptr ? scales.data() : nullptr;
    a.report.clock = a.clock;
    a.report.sums = room.sums();
    for (std::int64_t step = 0; step < 2; ++step)
        for (a.microBatch = 0; a.microBatch < 3; ++a.microBatch) {
            std::vector<cuda::StepState> now(1);
            now[0].step = step;
            state.set(now);
            if (precision == Precision::Fp8) {
                ASSERT_EQ(runner().load(a, true), 0);
            }
            ASSERT_EQ(runner().load(a, false), 0);
            const std::int64_t half = (step * 3 + a.microBatch) % 2 * numbers;
            const float scale = a.x.scale != nullptr ? scales.get()[0] : 1;
            const auto got = x.get();
            for (std::int64_t i = 0; i < kRows * dim; ++i) {
                std::uint32_t bits = 0;
                const auto size = static_cast<std::size_t>(dtypeSize(config.activationDtype()));
                std::memcpy(&bits, got.data() + static_cast<std::size_t>(i) * size, size);
                ASSERT_EQ(bits, encodeOne(storage, staged[static_cast<std::size_t>(half + i)] * scale));
            }
            const auto first = staged.begin() + half + kRows * dim;
            EXPECT_EQ(t.get(), std::vector<float>(first, first + kRows * kOutputs));
            EXPECT_TRUE(x.guarded() && t.guarded() && room.clean());
        }
}

class DeviceConstant : public OnRunner<> {};

TEST_F(DeviceConstant, FillsEveryNumberAndNoMore) {
    for (const std::size_t count : {1U, 3U, 4U, 1023U, 2048U, 2049U, 5002U}) {
        const DeviceArray<float> out(runner(), count);
        ASSERT_EQ(runner().constant(out.data(), static_cast<std::int64_t>(count), 0.25F), 0);
        EXPECT_EQ(out.get(), std::vector<float>(count, 0.25F));
        EXPECT_TRUE(out.guarded()) << count;
    }
}

INSTANTIATE_TEST_SUITE_P(All, DeviceLoad,
                         testing::Combine(testing::Values(Precision::Fp32, Precision::Bf16, Precision::Fp16,
                                                          Precision::Fp8),
                                          testing::Values(64, 101)));

}  // namespace
}  // namespace plumb::test
