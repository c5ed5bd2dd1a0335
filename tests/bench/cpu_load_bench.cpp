// SPDX-License-Identifier: Apache-2.0
// Seconds per element of the synthetic batch, and of its random numbers alone at each instruction set; one
// thread.
#include "kernels/cpu/batch_loader.h"

#include <benchmark/benchmark.h>

#include <array>
#include <vector>

namespace plumb::cpu {
namespace {

void perElement(benchmark::State& state, std::int64_t elements) {
    state.counters["s/element"] =
        benchmark::Counter(static_cast<double>(elements),
                           benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void loadBatch(benchmark::State& state) {
    RunConfig config;
    config.batch = state.range(0);
    config.dim = state.range(1);
    const BatchLoader loader(config, bestKernels(), 1);
    std::vector<float> x(static_cast<std::size_t>(config.batch * config.dim));
    std::vector<float> t(static_cast<std::size_t>(config.batch));
    std::int64_t step = 0;
    const StepPlan plan = planStep(config, cpuTraits()).value();
    const Tensor& statistics = plan.tensor(plan.statistics);
    std::vector<double> numbers(static_cast<std::size_t>(statistics.bytes()) / sizeof(double));
    std::vector<Buffer> buffers(plan.tensors.size());
    buffers[static_cast<std::size_t>(plan.statistics)] = {numbers.data(), statistics.bytes(),
                                                          statistics.category};
    OpCall call;
    call.tensors = buffers;
    for (auto _ : state) {
        TensorWriter writer(plan, call, bestKernels(), 1);
        loader.load({step++, 0, nullptr, x.data(), t.data()}, writer);
    }
    perElement(state, config.batch * config.dim);
}

void normals(benchmark::State& state) {
    const Kernels* kernels = kernelsFor(static_cast<InstructionSet>(state.range(0)));
    if (kernels == nullptr) {
        state.SkipWithError("not on this processor");
        return;
    }
    std::array<float, 4096> out;
    std::uint32_t sub = 0;
    for (auto _ : state) {
        kernels->normals({1, 3, sub++}, 0, out.size(), out.data());
        benchmark::DoNotOptimize(out);
    }
    state.SetLabel(kernels->name);
    perElement(state, static_cast<std::int64_t>(out.size()));
}

BENCHMARK(loadBatch)->Args({64, 64})->Args({256, 1024});
BENCHMARK(normals)->DenseRange(0, 2);

}  // namespace
}  // namespace plumb::cpu
