// SPDX-License-Identifier: Apache-2.0
// The three products of a layer as the backend runs them, and oneDNN's plain sgemm on the same sizes in the
// same run as the peer. "FLOP/s" is the rate; a product's rate against its peer's is what says something.
#include "core/plan/step_plan.h"
#include "kernels/cpu/prepared_step.h"
#include "kernels/cpu/product.h"
#include "kernels/cpu/threads.h"
#include "tests/kernels/samples.h"

#include <benchmark/benchmark.h>

#include <vector>

namespace plumb::cpu {
namespace {

void runProduct(benchmark::State& state, ProductKind kind, bool accumulate, Bytes scratchBytes) {
    const ProductShape shape{kind, state.range(0), state.range(1), state.range(1), accumulate};
    const Bytes declared =
        libraryScratchBytes(cpuTraits(), 4 * (2 * shape.batch * shape.in + shape.in * shape.out));
    auto product = Product::create(shape, scratchBytes < 0 ? declared : scratchBytes, usableCores());
    if (!product.has_value()) {
        state.SkipWithError(product.error().text().c_str());
        return;
    }
    const std::int64_t rows = shape.batch * shape.in;
    const std::int64_t matrix = shape.in * shape.out;
    const bool weightGradient = kind == ProductKind::WeightGradient;
    const auto a = test::randomFloats(rows, 1);
    const auto b = test::randomFloats(weightGradient ? rows : matrix, 2);
    auto c = test::randomFloats(weightGradient ? matrix : rows, 3);
    std::vector<std::byte> scratch(static_cast<std::size_t>(declared) + 64);
    void* aligned =
        reinterpret_cast<void*>((reinterpret_cast<std::uintptr_t>(scratch.data()) + 63) / 64 * 64);
    for (auto _ : state) {
        const auto ran = product->run(a.data(), b.data(), c.data(), aligned);
        benchmark::DoNotOptimize(ran);
    }
    state.SetLabel(product->implementation());
    state.counters["FLOP/s"] =
        benchmark::Counter(2.0 * static_cast<double>(rows) * static_cast<double>(shape.out),
                           benchmark::Counter::kIsIterationInvariantRate);
}

constexpr Bytes kDeclared = -1;
void sizes(benchmark::internal::Benchmark* bench) {
    for (const auto& size : {std::pair{64, 64}, {64, 256}, {256, 256}, {256, 1024}, {1024, 1024}})
        bench->Args({size.first, size.second});
    bench->UseRealTime();
}
BENCHMARK_CAPTURE(runProduct, forward, ProductKind::Forward, false, kDeclared)->Apply(sizes);
BENCHMARK_CAPTURE(runProduct, forward_peer, ProductKind::Forward, false, 0)->Apply(sizes);
BENCHMARK_CAPTURE(runProduct, input_gradient, ProductKind::InputGradient, false, kDeclared)->Apply(sizes);
BENCHMARK_CAPTURE(runProduct, input_gradient_peer, ProductKind::InputGradient, false, 0)->Apply(sizes);
BENCHMARK_CAPTURE(runProduct, weight_gradient, ProductKind::WeightGradient, false, kDeclared)->Apply(sizes);
BENCHMARK_CAPTURE(runProduct, weight_gradient_sum, ProductKind::WeightGradient, true, kDeclared)
    ->Apply(sizes);
BENCHMARK_CAPTURE(runProduct, weight_gradient_peer, ProductKind::WeightGradient, false, 0)->Apply(sizes);

}  // namespace
}  // namespace plumb::cpu
