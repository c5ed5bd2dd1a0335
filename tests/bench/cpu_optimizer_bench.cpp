// SPDX-License-Identifier: Apache-2.0
// Bytes per second of the fused optimizers, and of a copy in the same run as the peer. One thread each: with
// all of them, both meet the same memory.
#include "kernels/cpu/kernels.h"
#include "tests/kernels/samples.h"

#include <benchmark/benchmark.h>

#include <cstring>
#include <vector>

namespace plumb::cpu {
namespace {

/// One parameter matrix in fp32 with everything an optimizer may want.
struct Parameters {
    explicit Parameters(std::int64_t count)
        : weight(test::randomFloats(count, 1)),
          gradient(test::randomFloats(count, 2)),
          moment1(weight.size(), 0.1F),
          moment2(weight.size(), 0.1F) {}
    std::vector<float> weight, gradient, moment1, moment2;
};

using Rule = void (*)(const UpdateArguments&);

void update(benchmark::State& state, Rule rule, std::int64_t bytesPerParameter) {
    Parameters parameters(state.range(0));
    UpdateArguments arguments;
    arguments.weight = parameters.weight.data();
    arguments.gradient = parameters.gradient.data();
    arguments.moment1 = parameters.moment1.data();
    arguments.moment2 = parameters.moment2.data();
    arguments.count = state.range(0);
    arguments.learningRate = 1e-4F;
    for (auto _ : state) rule(arguments);
    state.SetBytesProcessed(state.iterations() * state.range(0) * bytesPerParameter);
}
void sgd(benchmark::State& state) { update(state, bestKernels().sgd[0], 12); }
void adagrad(benchmark::State& state) { update(state, bestKernels().adagrad[0], 20); }
void adamw(benchmark::State& state) { update(state, bestKernels().adamw[0], 28); }

void copyPeer(benchmark::State& state) {
    Parameters parameters(state.range(0));
    for (auto _ : state) {
        std::memcpy(parameters.moment1.data(), parameters.weight.data(),
                    parameters.weight.size() * sizeof(float));
        benchmark::ClobberMemory();
    }
    state.SetBytesProcessed(state.iterations() * state.range(0) * 8);
}

void sizes(benchmark::internal::Benchmark* bench) { bench->Arg(1 << 12)->Arg(1 << 18)->Arg(1 << 24); }
BENCHMARK(sgd)->Apply(sizes);
BENCHMARK(adagrad)->Apply(sizes);
BENCHMARK(adamw)->Apply(sizes);
BENCHMARK(copyPeer)->Apply(sizes);

}  // namespace
}  // namespace plumb::cpu
