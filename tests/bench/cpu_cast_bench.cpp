// SPDX-License-Identifier: Apache-2.0
// Bytes per second of the passes that read and write each storage type, one thread, in the level 2 cache and
// in memory; a copy of fp32 is the peer. `tallied` is the pass that also counts what training wants to know.
#include "core/base/dtype.h"
#include "kernels/cpu/kernels.h"
#include "tests/kernels/samples.h"

#include <benchmark/benchmark.h>

#include <string>
#include <vector>

namespace plumb::cpu {
namespace {

struct Case {
    std::string name;
    Dtype dtype;
    Epilogue epilogue;
    bool tallied;
};

void runDecode(benchmark::State& state, const Kernels& kernels, Dtype dtype) {
    const std::int64_t count = state.range(0);
    const std::vector<float> in = test::randomFloats(count, 1);
    std::vector<float> stored(in.size());
    const auto type = static_cast<std::size_t>(storageOf(dtype));
    kernels.encode[type][0]({in.data(), stored.data(), nullptr, count});
    std::vector<float> out(in.size());
    for (auto _ : state) {
        kernels.decode[type](stored.data(), out.data(), count, 1);
        benchmark::ClobberMemory();
    }
    state.SetBytesProcessed(state.iterations() * count * (4 + dtypeSize(dtype)));
}

void runEncode(benchmark::State& state, const Kernels& kernels, const Case& which) {
    const std::int64_t count = state.range(0);
    const std::vector<float> in = test::randomFloats(count, 1);
    std::vector<float> h(in), out(in.size());
    Tally tally;
    EncodeArguments arguments{in.data(), out.data(), h.data(), count, 64, which.tallied ? &tally : nullptr};
    const auto encode = kernels.encode[static_cast<std::size_t>(storageOf(which.dtype))]
                                      [static_cast<std::size_t>(which.epilogue)];
    const std::int64_t bytes = dtypeSize(which.dtype);
    for (auto _ : state) {
        encode(arguments);
        benchmark::ClobberMemory();
    }
    state.SetBytesProcessed(state.iterations() * count *
                            (4 + bytes + (which.epilogue == Epilogue::Mask ? bytes : 0)));
}

void runCopy(benchmark::State& state) {
    const std::vector<float> in = test::randomFloats(state.range(0), 1);
    std::vector<float> out(in.size());
    for (auto _ : state) {
        bestKernels().copy(in.data(), out.data(), state.range(0));
        benchmark::ClobberMemory();
    }
    state.SetBytesProcessed(state.iterations() * state.range(0) * 8);
}
BENCHMARK(runCopy)->Arg(1 << 15)->Arg(1 << 23);

const bool kRegistered = [] {
    for (const auto set : {InstructionSet::Baseline, InstructionSet::Avx2, InstructionSet::Avx512}) {
        const Kernels* kernels = kernelsFor(set);
        if (kernels == nullptr) continue;
        const std::string prefix = std::string(kernels->name) + "/";
        for (const Dtype dtype : {Dtype::Bf16, Dtype::Fp16, Dtype::Fp8E4M3, Dtype::Fp8E5M2}) {
            const std::string name(dtypeName(dtype));
            benchmark::RegisterBenchmark((prefix + "decode/" + name).c_str(),
                                         [=](benchmark::State& state) { runDecode(state, *kernels, dtype); })
                ->Arg(1 << 15)
                ->Arg(1 << 23);
            for (const Case& which : {Case{"encode", dtype, Epilogue::Plain, false},
                                      Case{"encode_relu_tallied", dtype, Epilogue::Relu, true},
                                      Case{"encode_mask_tallied", dtype, Epilogue::Mask, true}})
                benchmark::RegisterBenchmark(
                    (prefix + which.name + "/" + name).c_str(),
                    [=](benchmark::State& state) { runEncode(state, *kernels, which); })
                    ->Arg(1 << 15)
                    ->Arg(1 << 23);
        }
    }
    return true;
}();

}  // namespace
}  // namespace plumb::cpu
