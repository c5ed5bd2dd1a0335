// SPDX-License-Identifier: Apache-2.0
// What a GPU says of its own work: counters against the model, records of activity, what its memory is in use
// for. Skipped, with the reason, where no GPU is or it does not let itself be profiled.
#include "core/engine/capabilities.h"
#include "core/train/trainer.h"
#include "tests/gpu/gpu_fixture.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace plumb {
namespace {

class GpuProfile : public OnGpu {
protected:
    /// `config` profiled; the steps that counting announced and took go to `announced`.
    Result<TrainResult> profiled(const RunConfig& config, std::optional<CounterDetail> counters) {
        ProfileExtras extras;
        extras.counters = counters;
        extras.countingProgress = [this](std::int64_t done, std::int64_t total) {
            announced = total;
            counted = done;
        };
        return profile(config, *backend, kSteps, {}, {}, extras);
    }

    static constexpr std::int64_t kSteps = 4;
    std::int64_t announced = 0, counted = 0;
};

/// Products of whole tiles, whose padding is nothing.
RunConfig wholeTiles(Precision precision) {
    return RunConfig{
        .dim = 1024, .layers = 4, .activation = Activation::Relu, .batch = 2048, .precision = precision};
}

bool isLayerProduct(const StepPlan& plan, std::size_t op) {
    const Op& planned = plan.ops[op];
    return !planned.isHead &&
           (planned.kind == OpKind::LayerForward || planned.kind == OpKind::WeightGradient ||
            planned.kind == OpKind::InputGradient);
}

TEST_F(GpuProfile, CountsTheModelledFlopsOfProductsInEveryPrecision) {
    for (const Precision precision :
         {Precision::Fp32, Precision::Tf32, Precision::Bf16, Precision::Fp16, Precision::Fp8}) {
        if (precision == Precision::Fp8 && gpu.computeCapability < 89) continue;
        const RunConfig config = wholeTiles(precision);
        const auto result = profiled(config, CounterDetail::Full);
        ASSERT_TRUE(result.has_value()) << result.error().text();
        const Reading& measured = result->measured;
        if (!measured.counterRun) GTEST_SKIP() << measured.countersAbsent;
        EXPECT_EQ(announced, measured.counterRun->passes);
        EXPECT_EQ(counted, announced);
        const auto plan = planStep(config, backend->traits());
        ASSERT_TRUE(plan.has_value());
        for (std::size_t op = 0; op < plan->ops.size(); ++op) {
            if (!isLayerProduct(*plan, op)) continue;
            const auto executed = measured.ops[op].counters.executedFlops();
            ASSERT_TRUE(executed.has_value()) << measured.ops[op].id << ": " << measured.countersAbsent;
            const double ratio = static_cast<double>(*executed) / static_cast<double>(plan->ops[op].flops);
            EXPECT_GT(ratio, 0.98) << measured.ops[op].id << " precision " << static_cast<int>(precision);
            EXPECT_LT(ratio, 1.02) << measured.ops[op].id << " precision " << static_cast<int>(precision);
        }
    }
}

// Parameters, gradients and states are far larger than any L2, and each is touched once.
TEST_F(GpuProfile, CountsTheModelledDramBytesOfTheOptimizer) {
    const RunConfig config{
        .dim = 4096, .layers = 8, .batch = 256, .precision = Precision::Bf16, .optimizer = Optimizer::AdamW};
    const auto result = profiled(config, CounterDetail::Quick);
    ASSERT_TRUE(result.has_value()) << result.error().text();
    const Reading& measured = result->measured;
    if (!measured.counterRun) GTEST_SKIP() << measured.countersAbsent;
    const auto plan = planStep(config, backend->traits());
    ASSERT_TRUE(plan.has_value());
    const auto bytes = measured.ops.back().counters.bytesAt(MemoryLevel::Dram);
    ASSERT_EQ(measured.ops.back().id, "optimizer");
    ASSERT_TRUE(bytes.has_value()) << measured.countersAbsent;
    const double ratio = static_cast<double>(*bytes) / static_cast<double>(plan->ops.back().bytes);
    EXPECT_GT(ratio, 0.85);
    EXPECT_LT(ratio, 1.25);
}

TEST_F(GpuProfile, CountsPlausibleBytesOfEveryLevel) {
    const RunConfig config = wholeTiles(Precision::Bf16);
    const auto result = profiled(config, CounterDetail::Full);
    ASSERT_TRUE(result.has_value()) << result.error().text();
    const Reading& measured = result->measured;
    if (!measured.counterRun) GTEST_SKIP() << measured.countersAbsent;
    const auto plan = planStep(config, backend->traits());
    ASSERT_TRUE(plan.has_value());
    double modelled = 0;
    double counts[3] = {};
    constexpr MemoryLevel kLevels[] = {MemoryLevel::Dram, MemoryLevel::L2, MemoryLevel::L1};
    for (std::size_t op = 0; op < plan->ops.size(); ++op) {
        if (plan->ops[op].bytes <= 0) continue;
        modelled += static_cast<double>(plan->ops[op].bytes);
        for (std::size_t level = 0; level < 3; ++level) {
            const auto bytes = measured.ops[op].counters.bytesAt(kLevels[level]);
            if (!bytes) continue;  // of ops without a kernel, and the reading says so
            EXPECT_GE(*bytes, 0) << measured.ops[op].id;
            counts[level] += static_cast<double>(*bytes);
        }
    }
    // What stays in the L2 from one op to the next is never read from DRAM; tiles are asked of the L2 often.
    EXPECT_GT(counts[0], 0.01 * modelled);
    EXPECT_LT(counts[0], 4 * modelled);
    EXPECT_GT(counts[1], 0.1 * modelled);
    EXPECT_LT(counts[1], 100 * modelled);
    EXPECT_GT(counts[2], 0.1 * modelled);
    EXPECT_LT(counts[2], 1000 * modelled);
}

TEST_F(GpuProfile, TakesNoTimeFromCountedSteps) {
    const RunConfig config = wholeTiles(Precision::Bf16);
    const auto timed = profiled(config, std::nullopt);
    const auto counts = profiled(config, CounterDetail::Full);
    ASSERT_TRUE(timed.has_value() && counts.has_value());
    EXPECT_EQ(timed->measured.stepsMeasured, kSteps);
    EXPECT_EQ(counts->measured.stepsMeasured, kSteps) << "counted steps are not among those that are timed";
    EXPECT_EQ(timed->measured.countersAbsent, "none were asked for");
    for (const OpReading& op : counts->measured.ops) {
        EXPECT_NE(op.source, Source::Counter) << op.id;
        EXPECT_GT(op.seconds.value_or(0), 0) << op.id;
    }
}

TEST_F(GpuProfile, LaysTheRecordsOfTheDeviceToItsOps) {
    for (const Precision precision : {Precision::Fp32, Precision::Bf16}) {
        const RunConfig config = wholeTiles(precision);
        {
            const auto plan = planStep(config, backend->traits());
            ASSERT_TRUE(plan.has_value());
            ASSERT_TRUE(backend->prepare(*plan).has_value());
            const auto collector = openActivity(*backend);
            if (!collector.has_value()) GTEST_SKIP() << collector.error().text();
        }
        const auto result = profiled(config, std::nullopt);
        ASSERT_TRUE(result.has_value()) << result.error().text();
        ASSERT_NE(result->measured.timeline, nullptr);
        const Timeline& timeline = *result->measured.timeline;
        ASSERT_EQ(timeline.source, Source::Activity);
        EXPECT_EQ(timeline.dropped, 0);
        ASSERT_FALSE(timeline.steps.empty());
        std::vector<double> busy(result->measured.ops.size(), 0);
        std::int64_t kernels = 0;
        std::int64_t strangers = 0;
        for (const TimelineRecord& record : timeline.records) {
            EXPECT_LE(record.begin, record.end);
            EXPECT_GE(record.begin, 0);
            if (record.kind != TimelineKind::Kernel) continue;
            ++kernels;
            if (record.op < 0)
                ++strangers;
            else
                busy.at(static_cast<std::size_t>(record.op)) += record.end - record.begin;
        }
        EXPECT_GT(kernels, 0);
        EXPECT_EQ(strangers, 0) << "of " << kernels << " kernels";
        for (std::size_t op = 0; op < busy.size(); ++op)
            EXPECT_GT(busy[op], 0) << result->measured.ops[op].id << " has no kernel";
    }
}

TEST_F(GpuProfile, NamesAllMemoryThatTheDriverReportsAsUsed) {
    const auto result = profiled(wholeTiles(Precision::Bf16), std::nullopt);
    ASSERT_TRUE(result.has_value()) << result.error().text();
    const auto& memory = result->measured.memory;
    ASSERT_TRUE(memory.has_value());
    ASSERT_FALSE(memory->device.empty());
    std::set<std::string> names;
    Bytes sum = 0;
    Bytes largestLeftOver = 0;
    for (const MemoryShare& share : memory->device) {
        EXPECT_TRUE(names.insert(share.name).second) << share.name;
        sum += share.bytes;
        largestLeftOver = share.bytes;
    }
    EXPECT_GT(sum, memory->peakBytes / 2);
    EXPECT_LE(sum, gpu.memoryBytes);
    // What nobody counts comes last: code of kernels and what the matrix library keeps, not gigabytes.
    EXPECT_LT(std::abs(static_cast<double>(largestLeftOver)), 2e9);
    // Now the step is gone; what the driver reports is still all named.
    const std::vector<MemoryShare> now = backend->capabilities().memory->memoryShares();
    Bytes used = 0;
    for (const MemoryShare& share : now) used += share.bytes;
    const auto free = cuda::freeDeviceMemory(gpu.uuid);
    if (!free) GTEST_SKIP() << "the driver's management library does not answer";
    // Both ask the driver, at two moments and by two libraries, which count the firmware's part apart.
    EXPECT_NEAR(static_cast<double>(used), static_cast<double>(gpu.memoryBytes - *free),
                0.02 * static_cast<double>(gpu.memoryBytes));
}

}  // namespace
}  // namespace plumb
