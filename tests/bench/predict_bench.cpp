// SPDX-License-Identifier: Apache-2.0
// What a slider move costs before anything is drawn. The promise: planning and predicting L = 512 takes under
// 1 ms on one core, and so does finding the largest batch that fits at L = 256.
#include "core/account/reading.h"
#include "core/plan/step_plan.h"

#include <benchmark/benchmark.h>

namespace plumb {
namespace {

RunConfig configOf(std::int64_t layers, CheckpointPolicy checkpoint, std::int64_t microBatches) {
    RunConfig config;
    config.dim = 4096;
    config.layers = layers;
    config.batch = 8192;
    config.microBatch = config.batch / microBatches;
    config.activation = Activation::Relu;
    config.precision = Precision::Bf16;
    config.checkpoint = checkpoint;
    return config;
}

Machine machine() {
    Machine device;
    device.memoryBytes = 141'000'000'000;
    device.bandwidthBytesPerSecond = 4.8e12;
    device.peakFlopPerSecond = {{Dtype::Fp32, 67e12}, {Dtype::Bf16, 989e12}};
    device.perOpOverhead = 3e-6;
    return device;
}

BackendTraits traits() {
    BackendTraits device = cpuTraits();
    device.libraryScratchBytes = Bytes{1} << 25;
    device.libraryScratchPerByte = 0.25;
    return device;
}

void planAndPredict(benchmark::State& state, const RunConfig& config) {
    const Machine device = machine();
    const BackendTraits backend = traits();
    std::size_t ops = 0;
    for (auto _ : state) {
        const Result<StepPlan> plan = planStep(config, backend);
        const Prediction prediction = predict(*plan, device);
        ops = plan->ops.size();
        benchmark::DoNotOptimize(prediction.memory.peakBytes);
    }
    state.counters["ops"] = static_cast<double>(ops);
}

void findLargestBatch(benchmark::State& state, const RunConfig& config) {
    const Machine device = machine();
    const BackendTraits backend = traits();
    for (auto _ : state) {
        const std::int64_t batch = largestBatchThatFits(config, backend, *device.memoryBytes);
        benchmark::DoNotOptimize(batch);
    }
}

constexpr CheckpointPolicy kAll{CheckpointPolicy::Kind::All, 1};
constexpr CheckpointPolicy kEvery8{CheckpointPolicy::Kind::Every, 8};
constexpr CheckpointPolicy kNone{CheckpointPolicy::Kind::None, 1};

void BM_PlanAndPredict_L512_all(benchmark::State& state) { planAndPredict(state, configOf(512, kAll, 1)); }
void BM_PlanAndPredict_L512_every8(benchmark::State& state) {
    planAndPredict(state, configOf(512, kEvery8, 1));
}
void BM_PlanAndPredict_L512_none(benchmark::State& state) { planAndPredict(state, configOf(512, kNone, 1)); }
void BM_PlanAndPredict_L512_every8_4microBatches(benchmark::State& state) {
    planAndPredict(state, configOf(512, kEvery8, 4));
}
void BM_PlanAndPredict_L512_none_4microBatches(benchmark::State& state) {
    planAndPredict(state, configOf(512, kNone, 4));
}
void BM_LargestBatch_L256_all(benchmark::State& state) { findLargestBatch(state, configOf(256, kAll, 1)); }
void BM_LargestBatch_L256_every8(benchmark::State& state) {
    findLargestBatch(state, configOf(256, kEvery8, 1));
}
void BM_LargestBatch_L256_4microBatches(benchmark::State& state) {
    findLargestBatch(state, configOf(256, kAll, 4));
}

BENCHMARK(BM_PlanAndPredict_L512_all)->Unit(benchmark::kMicrosecond);
BENCHMARK(BM_PlanAndPredict_L512_every8)->Unit(benchmark::kMicrosecond);
BENCHMARK(BM_PlanAndPredict_L512_none)->Unit(benchmark::kMicrosecond);
BENCHMARK(BM_PlanAndPredict_L512_every8_4microBatches)->Unit(benchmark::kMicrosecond);
BENCHMARK(BM_PlanAndPredict_L512_none_4microBatches)->Unit(benchmark::kMicrosecond);
BENCHMARK(BM_LargestBatch_L256_all)->Unit(benchmark::kMicrosecond);
BENCHMARK(BM_LargestBatch_L256_every8)->Unit(benchmark::kMicrosecond);
BENCHMARK(BM_LargestBatch_L256_4microBatches)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace plumb
