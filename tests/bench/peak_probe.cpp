// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/peak_probe.h"

#include "core/plan/step_plan.h"
#include "kernels/cpu/prepared_step.h"
#include "kernels/cpu/product.h"
#include "tests/kernels/samples.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <thread>
#include <vector>

namespace plumb::bench {

namespace {

// Twelve independent sums hide the latency of a multiply-add on every processor so far. Returns a value that
// depends on all of them, so that nothing is left out.
#define PLUMB_FMA_LOOP(Vector)                                                                               \
    Vector sums[12];                                                                                         \
    for (int k = 0; k < 12; ++k) sums[k] = Vector{} + static_cast<float>(k);                                 \
    const Vector factor = Vector{} + 0.999F;                                                                 \
    const Vector term = Vector{} + 0.001F;                                                                   \
    for (std::int64_t i = 0; i < rounds; ++i) {                                                              \
        _Pragma("GCC unroll 12") for (int k = 0; k < 12; ++k) sums[k] = sums[k] * factor + term;             \
    }                                                                                                        \
    Vector all{};                                                                                            \
    for (const Vector& sum : sums) all += sum;                                                               \
    return all[0] + all[1];

typedef float Vector16 __attribute__((vector_size(64)));
typedef float Vector8 __attribute__((vector_size(32)));

__attribute__((target("avx512f"), optimize("O3", "fp-contract=fast"))) float fmaLoop512(std::int64_t rounds) {
    PLUMB_FMA_LOOP(Vector16)
}
__attribute__((target("avx2,fma"), optimize("O3", "fp-contract=fast"))) float
fmaLoop256(std::int64_t rounds) {
    PLUMB_FMA_LOOP(Vector8)
}
#undef PLUMB_FMA_LOOP

double fmaRate(int threads, Stopwatch now) {
    constexpr std::int64_t kRounds = 4'000'000;
    constexpr int kRepeats = 5;
    const bool wide = __builtin_cpu_supports("avx512f") != 0;
    const double flops = 2.0 * 12 * (wide ? 16 : 8) * kRounds * threads;
    double best = 0;
    volatile float sink = 0;
    for (int repeat = 0; repeat < kRepeats; ++repeat) {
        const double begin = now();
        std::vector<std::jthread> workers;
        for (int thread = 0; thread < threads; ++thread)
            workers.emplace_back([&] { sink = wide ? fmaLoop512(kRounds) : fmaLoop256(kRounds); });
        workers.clear();
        best = std::max(best, flops / (now() - begin));
    }
    return best;
}

double gemmRate(int threads, Stopwatch now) {
    constexpr int kRepeats = 5;
    constexpr std::int64_t kElements = kGemmSize * kGemmSize;
    const auto a = test::randomFloats(kElements, 1);
    const auto b = test::randomFloats(kElements, 2);
    auto c = test::randomFloats(kElements, 3);
    const Bytes scratchBytes = cpu::libraryScratchBytes(cpuTraits(), 3 * 4 * kElements);
    std::vector<std::byte> room(static_cast<std::size_t>(scratchBytes) + 64);
    void* scratch = reinterpret_cast<void*>((reinterpret_cast<std::uintptr_t>(room.data()) + 63) / 64 * 64);
    double best = 0;
    for (const auto kind :
         {cpu::ProductKind::Forward, cpu::ProductKind::WeightGradient, cpu::ProductKind::InputGradient}) {
        const cpu::ProductShape shape{kind, kGemmSize, kGemmSize, kGemmSize, false};
        const auto product = cpu::Product::create(shape, scratchBytes, threads);
        if (!product.has_value()) continue;
        for (int repeat = 0; repeat < kRepeats; ++repeat) {
            const double begin = now();
            if (!product->run(a.data(), b.data(), c.data(), scratch).has_value()) break;
            best = std::max(best, 2.0 * kGemmSize * static_cast<double>(kElements) / (now() - begin));
        }
    }
    return best;
}

}  // namespace

double wallSeconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}
double processorSeconds() {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

Peaks measurePeaks(int threads, Stopwatch now) { return {fmaRate(threads, now), gemmRate(threads, now)}; }

}  // namespace plumb::bench
