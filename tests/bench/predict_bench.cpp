// SPDX-License-Identifier: Apache-2.0
// What a slider move costs before anything is drawn. The promise: planning and predicting L = 512 takes under
// 1 ms on one core, and so does finding the largest batch that fits at L = 256. Finding the schedule with the
// least recomputation is measured at budgets from the least possible to that of keeping all.
#include "core/machine/op_cost_key.h"
#include "core/measure/reading.h"
#include "core/plan/chain_search.h"
#include "core/plan/fit_schedule.h"
#include "core/plan/step_plan.h"

#include <benchmark/benchmark.h>

namespace plumb {
namespace {

RunConfig configOf(std::int64_t layers, RecomputePolicy recompute, std::int64_t microBatches) {
    RunConfig config{.dim = 4096, .layers = layers, .batch = 8192};
    config.microBatch = config.batch / microBatches;
    config.activation = Activation::Relu;
    config.precision = Precision::Bf16;
    config.recompute = recompute;
    return config;
}

Machine machine() {
    return Machine{.memoryBytes = 141'000'000'000,
                   .bandwidthBytesPerSecond = 4.8e12,
                   .peakFlopPerSecond = {{Dtype::Fp32, 67e12}, {Dtype::Bf16, 989e12}},
                   .perOpOverhead = 3e-6};
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

/// As large as the tables of a calibrated machine, for the ops of `plan` in their plain form and their own.
CostTables tablesFor(const StepPlan& plan) {
    CostTables costs;
    const auto add = [&](const std::string& op, int lines, int rows) {
        if (costs.find(op) != nullptr) return;
        CostTable table{op, {}};
        for (int l = 0; l < lines; ++l) {
            CostLine line;
            line.column = 32.0 * (l + 1) * (l + 1);
            for (int r = 0; r < rows; ++r) {
                line.rows.push_back(1 << r);
                line.work.push_back(line.column * (1 << r));
                line.seconds.push_back(1e-9 * line.work.back());
            }
            table.lines.push_back(std::move(line));
        }
        costs.tables.insert(std::upper_bound(costs.tables.begin(), costs.tables.end(), table,
                                             [](const auto& a, const auto& b) { return a.op < b.op; }),
                            std::move(table));
    };
    for (const Op& op : plan.ops) {
        const OpSignature signature = signatureOf(plan, op);
        add(signature.plain().text(), 13, 11);
        add(signature.text(), 4, 3);
    }
    return costs;
}

void planAndPredictByTables(benchmark::State& state, const RunConfig& config) {
    const BackendTraits backend = traits();
    Machine device = machine();
    device.costs = tablesFor(*planStep(config, backend));
    for (auto _ : state) {
        const Result<StepPlan> plan = planStep(config, backend);
        benchmark::DoNotOptimize(predict(*plan, device).totals.seconds);
    }
}

void findLargestBatch(benchmark::State& state, const RunConfig& config) {
    const Machine device = machine();
    const BackendTraits backend = traits();
    for (auto _ : state) {
        const std::int64_t batch = largestBatchThatFits(config, backend, *device.memoryBytes);
        benchmark::DoNotOptimize(batch);
    }
}

/// Per mille of the way from the least possible peak to that of keeping all; without the planner's memory of
/// schedules that it was asked for before.
void BM_FitSchedule_L512(benchmark::State& state) {
    RunConfig config = configOf(512, {RecomputePolicy::Kind::All, 1}, state.range(0));
    config.dim = 1024;
    const Result<StepPlan> all = planStep(config, traits());
    config.recompute.kind = RecomputePolicy::Kind::None;
    const Result<StepPlan> none = planStep(config, traits());
    const Bytes least = *leastPeak(config, traits());
    const Bytes most = summariseCurve(memoryCurve(*all)).peakBytes;
    const ChainCapacity capacity = chainCapacity(*none, least + (most - least) * state.range(1) / 1000);
    std::int64_t recomputed = 0;
    for (auto _ : state) {
        const std::optional<RecomputeSchedule> schedule = leastRecomputation(capacity);
        recomputed = schedule->recomputedLayers();
        benchmark::DoNotOptimize(recomputed);
    }
    state.counters["recomputed"] = static_cast<double>(recomputed);
}

void BM_LeastPeak_L512(benchmark::State& state) {
    const RunConfig config = configOf(512, {RecomputePolicy::Kind::None, 1}, state.range(0));
    for (auto _ : state) benchmark::DoNotOptimize(leastPeak(config, traits()).has_value());
}

constexpr RecomputePolicy kAll{RecomputePolicy::Kind::All, 1};
constexpr RecomputePolicy kEvery8{RecomputePolicy::Kind::Every, 8};
constexpr RecomputePolicy kNone{RecomputePolicy::Kind::None, 1};

void BM_PlanAndPredict_L512_all(benchmark::State& state) { planAndPredict(state, configOf(512, kAll, 1)); }
void BM_PlanAndPredict_L512_all_tables(benchmark::State& state) {
    planAndPredictByTables(state, configOf(512, kAll, 1));
}
void BM_PlanAndPredict_L512_none_tables(benchmark::State& state) {
    planAndPredictByTables(state, configOf(512, kNone, 1));
}
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

BENCHMARK(BM_PlanAndPredict_L512_all_tables)->Unit(benchmark::kMicrosecond);
BENCHMARK(BM_PlanAndPredict_L512_none_tables)->Unit(benchmark::kMicrosecond);
BENCHMARK(BM_PlanAndPredict_L512_all)->Unit(benchmark::kMicrosecond);
BENCHMARK(BM_PlanAndPredict_L512_every8)->Unit(benchmark::kMicrosecond);
BENCHMARK(BM_PlanAndPredict_L512_none)->Unit(benchmark::kMicrosecond);
BENCHMARK(BM_PlanAndPredict_L512_every8_4microBatches)->Unit(benchmark::kMicrosecond);
BENCHMARK(BM_PlanAndPredict_L512_none_4microBatches)->Unit(benchmark::kMicrosecond);
BENCHMARK(BM_LargestBatch_L256_all)->Unit(benchmark::kMicrosecond);
BENCHMARK(BM_LargestBatch_L256_every8)->Unit(benchmark::kMicrosecond);
BENCHMARK(BM_LargestBatch_L256_4microBatches)->Unit(benchmark::kMicrosecond);

BENCHMARK(BM_FitSchedule_L512)
    ->ArgNames({"microBatches", "permille"})
    ->ArgsProduct({{1, 4}, {0, 5, 10, 20, 50, 100, 300, 700, 1000}})
    ->Unit(benchmark::kMillisecond);
BENCHMARK(BM_LeastPeak_L512)->ArgName("microBatches")->Arg(1)->Arg(4)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace plumb
