// SPDX-License-Identifier: Apache-2.0
// The three products of a layer as the backend runs them beside the same products of a library, call after
// call in turn: "library/ours" is the median of the ratios of their speeds, below 1 where ours is faster.
// Libraries: the oneDNN of this build (another one: cmake -Ddnnl_DIR=...), and for fp32 the BLAS that the
// environment variable PLUMB_BENCH_BLAS names, a file with cblas_sgemm.
#include "core/machine/local_cpu.h"
#include "core/plan/step_plan.h"
#include "core/plan/thread_work.h"
#include "kernels/cpu/prepared_step.h"
#include "kernels/cpu/product.h"
#include "tests/kernels/samples.h"
#include "tests/kernels/scratch.h"

#include <benchmark/benchmark.h>
#include <dnnl.hpp>
#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <dlfcn.h>
#include <functional>
#include <memory>
#include <set>
#include <vector>

namespace plumb::cpu {
namespace {

struct Size {
    std::int64_t batch, in, out;
};
/// Tiny, of the digits, of heads with few outputs, wide. No matrix is larger than kMost.
constexpr std::array kSizes{
    Size{4, 4, 4},         Size{8, 8, 8},          Size{16, 16, 16},     Size{32, 32, 32},
    Size{64, 64, 64},      Size{64, 64, 128},      Size{64, 128, 128},   Size{256, 64, 64},
    Size{64, 64, 10},      Size{64, 64, 15},       Size{256, 256, 70},   Size{128, 256, 141},
    Size{64, 256, 256},    Size{256, 256, 256},    Size{64, 512, 512},   Size{512, 512, 512},
    Size{256, 1024, 1024}, Size{1024, 1024, 1024}, Size{64, 2048, 2048}, Size{2048, 2048, 2048}};
constexpr std::int64_t kMost = std::int64_t{2048} * 2048;

constexpr std::array kKinds{std::pair{ProductKind::Forward, "forward"},
                            std::pair{ProductKind::WeightGradient, "weight_gradient"},
                            std::pair{ProductKind::InputGradient, "input_gradient"}};

/// Rows, columns and depth of c = op(a) op(b), and which operand lies there as its transpose.
struct Form {
    std::int64_t rows, columns, depth;
    bool transposedA, transposedB;
};
Form formOf(const ProductShape& shape) {
    switch (shape.kind) {
    case ProductKind::Forward:
        return {shape.batch, shape.out, shape.in, false, false};
    case ProductKind::WeightGradient:
        return {shape.in, shape.out, shape.batch, true, false};
    case ProductKind::InputGradient:
        return {shape.batch, shape.in, shape.out, false, true};
    }
    return {};
}

double flopsOf(const ProductShape& shape) {
    return 2.0 * static_cast<double>(shape.batch * shape.in * shape.out);
}

/// `kMost` nearly normal numbers that bf16 holds; they repeat, which no product notices.
std::vector<float> numbers(std::uint32_t seed) {
    const auto some = test::fromBf16(test::toBf16(test::randomFloats(10007, seed)));
    std::vector<float> all(kMost);
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = some[i % some.size()];
    return all;
}

/// What every product reads, as fp32 and as bf16, and room for results.
struct Operands {
    std::vector<float> a = numbers(1), b = numbers(2);
    std::vector<std::uint16_t> a16 = test::toBf16(a), b16 = test::toBf16(b);
    std::vector<float> ours = std::vector<float>(kMost), theirs = ours, sums = ours;
    [[nodiscard]] const void* left(bool bf16) const {
        return bf16 ? static_cast<const void*>(a16.data()) : a.data();
    }
    [[nodiscard]] const void* right(bool bf16) const {
        return bf16 ? static_cast<const void*>(b16.data()) : b.data();
    }
};
Operands& operands() {
    static Operands all;
    return all;
}

using Run = std::function<void()>;
/// A product of a library, ready to run into Operands::theirs.
using Library = std::function<Run(const Form& form, bool bf16, int threads)>;

Run oneDnn(const Form& form, bool bf16, int threads) {
    using Layout = dnnl::memory::format_tag;
    omp_set_num_threads(threads);
    const auto type = bf16 ? dnnl::memory::data_type::bf16 : dnnl::memory::data_type::f32;
    const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
    const dnnl::memory::desc a({form.rows, form.depth}, type, form.transposedA ? Layout::ba : Layout::ab);
    const dnnl::memory::desc b({form.depth, form.columns}, type, form.transposedB ? Layout::ba : Layout::ab);
    const dnnl::memory::desc c({form.rows, form.columns}, type, Layout::ab);
    dnnl::primitive_attr attributes;
    attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
#if DNNL_VERSION_MAJOR >= 3
    const dnnl::matmul::primitive_desc description(engine, a, b, c, attributes);
#else
    const dnnl::matmul::primitive_desc description(dnnl::matmul::desc(a, b, c), attributes, engine);
#endif
    // As cheaply as the backend calls it: handles bound once, no map of arguments.
    struct Bound {
        dnnl::stream stream;
        dnnl::matmul product;
        std::array<dnnl::memory, 4> memory;
    };
    Operands& all = operands();
    auto bound = std::make_shared<Bound>(Bound{dnnl::stream(engine),
                                               dnnl::matmul(description),
                                               {dnnl::memory(a, engine, const_cast<void*>(all.left(bf16))),
                                                dnnl::memory(b, engine, const_cast<void*>(all.right(bf16))),
                                                dnnl::memory(c, engine, all.theirs.data()),
                                                dnnl::memory(description.scratchpad_desc(), engine)}});
    const std::array<dnnl_exec_arg_t, 4> arguments{
        dnnl_exec_arg_t{DNNL_ARG_SRC, bound->memory[0].get()},
        dnnl_exec_arg_t{DNNL_ARG_WEIGHTS, bound->memory[1].get()},
        dnnl_exec_arg_t{DNNL_ARG_DST, bound->memory[2].get()},
        dnnl_exec_arg_t{DNNL_ARG_SCRATCHPAD, bound->memory[3].get()}};
    return [bound, arguments, threads] {
        omp_set_num_threads(threads);
        dnnl_primitive_execute(bound->product.get(), bound->stream.get(), 4, arguments.data());
    };
}

/// The file that PLUMB_BENCH_BLAS names; its functions as CBLAS numbers them.
struct Blas {
    void* file = nullptr;
    void (*sgemm)(int order, int transA, int transB, int m, int n, int k, float alpha, const float* a,
                  int lda, const float* b, int ldb, float beta, float* c, int ldc) = nullptr;
    void (*setThreads)(std::int64_t) = nullptr;  ///< of BLIS, which asks OpenMP only once

    explicit Blas(const char* path) : file(path != nullptr ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : nullptr) {
        if (file == nullptr) return;
        sgemm = reinterpret_cast<decltype(sgemm)>(dlsym(file, "cblas_sgemm"));
        setThreads = reinterpret_cast<decltype(setThreads)>(dlsym(file, "bli_thread_set_num_threads"));
    }
    [[nodiscard]] Run operator()(const Form& form, bool, int threads) const {
        return [this, form, threads, m = static_cast<int>(form.rows), n = static_cast<int>(form.columns),
                k = static_cast<int>(form.depth)] {
            constexpr int kRowMajor = 101, kPlain = 111, kTransposed = 112;
            omp_set_num_threads(threads);
            if (setThreads != nullptr) setThreads(threads);
            Operands& all = operands();
            sgemm(kRowMajor, form.transposedA ? kTransposed : kPlain, form.transposedB ? kTransposed : kPlain,
                  m, n, k, 1, all.a.data(), form.transposedA ? m : k, all.b.data(), form.transposedB ? k : n,
                  0, all.theirs.data(), n);
        };
    }
};

/// Processor time where one thread works, so that other work on the machine does not count.
double secondsNow(int threads) {
    timespec now{};
    clock_gettime(threads == 1 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}
double secondsOf(const Run& run, int calls, int threads) {
    const double begin = secondsNow(threads);
    for (int i = 0; i < calls; ++i) run();
    return (secondsNow(threads) - begin) / calls;
}

double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

/// Whether both wrote the same numbers but for the rounding of sums in another order.
bool agree(const Form& form, bool bf16) {
    const Operands& all = operands();
    const auto at = [&](const std::vector<float>& values, std::int64_t i) {
        return bf16 ? floatFromBf16(reinterpret_cast<const std::uint16_t*>(values.data())[i])
                    : values[static_cast<std::size_t>(i)];
    };
    const float tolerance = (bf16 ? 2e-2F : 1e-5F) * static_cast<float>(std::sqrt(form.depth) + 4);
    for (std::int64_t i = 0; i < form.rows * form.columns; ++i)
        if (!(std::abs(at(all.ours, i) - at(all.theirs, i)) <= tolerance)) return false;
    return true;
}

void compare(benchmark::State& state, const ProductShape& shape, bool bf16, int most,
             const Library& library) {
    const Form form = formOf(shape);
    const int threads = threadsForProduct(flopsOf(shape), most);
    const Bytes declared =
        libraryScratchBytes(cpuTraits(), 4 * (shape.batch * (shape.in + shape.out) + shape.in * shape.out));
    const auto product = Product::create(shape, declared, most);
    if (!product.has_value() || (bf16 && !product->fuses())) {
        state.SkipWithError(product.has_value() ? "no bf16 product of our own"
                                                : product.error().text().c_str());
        return;
    }
    Operands& all = operands();
    test::Scratch scratch(declared);
    ProductCall call{.a = all.left(bf16),
                     .b = all.right(bf16),
                     .c = all.ours.data(),
                     .scratch = scratch.aligned(),
                     .bf16 = bf16,
                     .sums = all.sums.data()};
    const Run ours = [&] {
        if (product->fuses())
            product->run(call);
        else
            benchmark::DoNotOptimize(product->run(all.a.data(), all.b.data(), all.ours.data(), call.scratch));
    };
    const Run theirs = library(form, bf16, threads);
    ours();
    theirs();
    if (!agree(form, bf16)) {
        state.SkipWithError("the results differ");
        return;
    }
    constexpr double kBlock = 2e-4;
    const int calls = static_cast<int>(std::clamp(kBlock / secondsOf(ours, 1, threads), 1.0, 1e4));
    std::vector<double> times, ratios;
    for (auto _ : state) {
        const double own = secondsOf(ours, calls, threads);
        const double other = secondsOf(theirs, calls, threads);
        times.push_back(own);
        ratios.push_back(own / other);
        state.SetIterationTime(own * calls);
    }
    state.counters["library/ours"] = median(ratios);
    state.counters["ours us"] = median(times) * 1e6;
    state.counters["ours GFLOP/s"] = flopsOf(shape) / median(times) / 1e9;
    state.SetLabel(bf16 ? product->implementationOfBf16() : product->implementation());
}

/// On one thread and on all of them, where the size is worth more than one.
void add(const std::string& name, const Library& library, bool withBf16) {
    const std::set<int> threadCounts{1, usableCores()};
    for (const bool bf16 : withBf16 ? std::vector{false, true} : std::vector{false})
        for (const int threads : threadCounts)
            for (const auto& [kind, kindName] : kKinds)
                for (const Size& size : kSizes) {
                    const ProductShape shape{kind, size.batch, size.in, size.out, false};
                    if (threads > 1 && threadsForProduct(flopsOf(shape), threads) == 1) continue;
                    benchmark::RegisterBenchmark(
                        fmt::format("{}/{}/threads:{}/{}/{},{},{}", name, bf16 ? "bf16" : "fp32", threads,
                                    kindName, size.batch, size.in, size.out)
                            .c_str(),
                        [=](benchmark::State& state) { compare(state, shape, bf16, threads, library); })
                        ->UseManualTime();
                }
}

const bool kAdded = [] {
    add(fmt::format("onednn_{}.{}", DNNL_VERSION_MAJOR, DNNL_VERSION_MINOR), oneDnn, true);
    static const Blas blas(std::getenv("PLUMB_BENCH_BLAS"));
    if (blas.sgemm != nullptr) add("blas", std::cref(blas), false);
    return true;
}();

}  // namespace
}  // namespace plumb::cpu
