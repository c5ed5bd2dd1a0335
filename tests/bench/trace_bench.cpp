// SPDX-License-Identifier: Apache-2.0
// Opening a trace: text to columns, plain and packed, beside a look at every byte of the same file; its
// figures; and one frame of a view of it. PLUMBLINE_TRACE_MB is the size of the text (16), for a longer look
// 1000.
#include "core/base/quantity.h"
#include "core/trace/trace_overview.h"
#include "core/trace/trace_reader.h"
#include "core/trace/trace_rows.h"

#include <benchmark/benchmark.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>
#include <vector>
#include <zlib.h>

namespace plumb::trace {
namespace {

std::size_t textBytes() {
    const char* const given = std::getenv("PLUMBLINE_TRACE_MB");
    return static_cast<std::size_t>(given == nullptr ? 16 : parseSize(given).value()) * 1'000'000;
}

std::string times(std::int64_t begin, std::int64_t duration) {
    const auto micro = [](std::int64_t ns) {
        const std::string rest = std::to_string(ns % 1000);
        return std::to_string(ns / 1000) + "." + std::string(3 - rest.size(), '0') + rest;
    };
    return "\"ts\": " + micro(begin) + ", \"dur\": " + micro(duration);
}

/// An op, its launch, the kernel and the two ends of the arrow between them, as Kineto writes them.
void append(std::string& text, std::int64_t number) {
    static constexpr const char* kKernels[]{
        "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<c10::BFloat16>, "
        "at::detail::Array<char*, 3> >(int, at::native::CUDAFunctor_add<c10::BFloat16>, "
        "at::detail::Array<char*, 3>)",
        "sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64_warpgroupsize1x1x1_execute_kernel__5x_"
        "cublas",
        "void pytorch_flash::flash_fwd_kernel<Flash_fwd_kernel_traits<64, 128, 128, 4> "
        ">(pytorch_flash::Flash_fwd_params)",
        "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)"};
    const std::int64_t begin = 4'458'676'983'543'000 + number * 20'000;
    const std::string id = std::to_string(number + 1);
    const std::string stream = number % 4 == 3 ? "20" : "7";
    text += "  {\n    \"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"aten::op" +
            std::to_string(number % 300) + "\", \"pid\": 4211, \"tid\": 4211,\n    " + times(begin, 15'000) +
            ",\n    \"args\": {\n      \"External id\": " + id +
            ",\"Record function id\": 0, \"Sequence number\": " + id +
            ", \"Fwd thread id\": 0, \"Input Dims\": [[512, 1024], [1024, 1024], []], \"Input type\": "
            "[\"c10::BFloat16\", \"c10::BFloat16\", \"Scalar\"]\n    }\n  },\n";
    text += "  {\n    \"ph\": \"X\", \"cat\": \"cuda_runtime\", \"name\": \"cudaLaunchKernel\", \"pid\": "
            "4211, \"tid\": 4211,\n    " +
            times(begin + 3'000, 5'000) + ",\n    \"args\": {\n      \"External id\": " + id +
            ",\"cbid\": 211, \"correlation\": " + id + "\n    }\n  },\n";
    text += "  {\n    \"ph\": \"s\", \"id\": " + id +
            ", \"pid\": 4211, \"tid\": 4211, \"ts\": 4458676983543.183,\n    \"cat\": \"ac2g\", \"name\": "
            "\"ac2g\"\n  },\n";
    text +=
        "  {\n    \"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"" + std::string(kKernels[number % 4]) +
        "\", \"pid\": 0, \"tid\": " + stream + ",\n    " + times(begin + 30'000, 12'000 + number % 7'000) +
        ",\n    \"args\": {\n      \"External id\": " + id +
        ",\"queued\": 0, \"device\": 0, \"context\": 1, \"stream\": " + stream + ", \"correlation\": " + id +
        ", \"registers per thread\": 40, \"shared memory\": 400, \"blocks per SM\": 4.740741, \"warps per "
        "SM\": 75.851852, \"grid\": [512, 1, 1], \"block\": [512, 1, 1], \"est. achieved occupancy %\": 75\n "
        "   }\n  },\n";
    text += "  {\n    \"ph\": \"f\", \"id\": " + id + ", \"pid\": 0, \"tid\": " + stream +
            ", \"ts\": 4458676983543.183,\n    \"cat\": \"ac2g\", \"name\": \"ac2g\", \"bp\": \"e\"\n  },\n";
}

/// The same trace plain and packed; gone at the end.
class TraceFiles {
public:
    TraceFiles() {
        const std::string base =
            (std::filesystem::temp_directory_path() / ("plumbline-bench-" + std::to_string(::getpid())))
                .string();
        plain = base + ".json";
        packed = plain + ".gz";
        std::ofstream file(plain, std::ios::binary);
        const gzFile pack = gzopen(packed.c_str(), "wb6");
        std::string text = "{\n  \"schemaVersion\": 1,\n  \"traceEvents\": [\n";
        for (std::int64_t number = 0; bytes < textBytes(); ++number) {
            append(text, number);
            if (text.size() < 1'000'000) continue;
            write(file, pack, text);
        }
        text += "  {\"ph\": \"X\", \"name\": \"end\", \"ts\": 0, \"dur\": 0}\n  ]\n}\n";
        write(file, pack, text);
        gzclose(pack);
    }
    ~TraceFiles() {
        for (const std::string& path : {plain, packed}) ::unlink(path.c_str());
    }
    TraceFiles(const TraceFiles&) = delete;
    TraceFiles& operator=(const TraceFiles&) = delete;

    std::string plain;
    std::string packed;
    std::size_t bytes = 0;

private:
    void write(std::ofstream& file, gzFile pack, std::string& text) {
        file << text;
        gzwrite(pack, text.data(), static_cast<unsigned>(text.size()));
        bytes += text.size();
        text.clear();
    }
};

const TraceFiles& files() {
    static const TraceFiles made;
    return made;
}

void open(benchmark::State& state, const std::string& path) {
    std::int64_t events = 0;
    double memory = 0;
    for (auto _ : state) {
        const auto trace = readTrace(path);
        if (!trace.has_value()) return state.SkipWithError(trace.error().text().c_str());
        events = trace->events;
        memory = static_cast<double>(trace->memoryBytes());
    }
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(files().bytes));
    state.SetItemsProcessed(state.iterations() * events);
    state.counters["memory_share"] = memory / static_cast<double>(files().bytes);
}
void openPlainTrace(benchmark::State& state) { open(state, files().plain); }
void openPackedTrace(benchmark::State& state) { open(state, files().packed); }

/// The peer: reads the same file and looks for line ends.
void lookAtEveryByte(benchmark::State& state) {
    std::vector<char> room(1 << 20);
    for (auto _ : state) {
        std::ifstream file(files().plain, std::ios::binary);
        std::int64_t lines = 0;
        while (file.read(room.data(), static_cast<std::streamsize>(room.size())) || file.gcount() > 0) {
            const char* at = room.data();
            const char* const end = at + file.gcount();
            while ((at = static_cast<const char*>(
                        std::memchr(at, '\n', static_cast<std::size_t>(end - at)))) != nullptr) {
                ++lines;
                ++at;
            }
        }
        benchmark::DoNotOptimize(lines);
    }
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(files().bytes));
}

void figuresOfATrace(benchmark::State& state) {
    const auto trace = readTrace(files().plain).value();
    for (auto _ : state) benchmark::DoNotOptimize(overviewOf(trace, linkTrace(trace)));
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(trace.slices.size()));
}

/// All rows, the whole trace or a hundredth of it, 1600 pixels wide.
void spansOfAFrame(benchmark::State& state) {
    const auto trace = readTrace(files().plain).value();
    const RowIndex index(trace);
    const Nanoseconds begin = 4'458'676'983'543'000;
    const Nanoseconds length = static_cast<Nanoseconds>(trace.slices.size() / 3) * 20'000 / state.range(0);
    std::vector<DrawnSpan> spans;
    std::size_t drawn = 0;
    for (auto _ : state) {
        drawn = 0;
        for (std::size_t row = 0; row < trace.rows.size(); ++row) {
            index.draw(row, begin, begin + length, length / 1600, spans);
            drawn += spans.size();
        }
    }
    state.counters["spans"] = static_cast<double>(drawn);
    state.counters["slices"] = static_cast<double>(trace.slices.size());
}

BENCHMARK(openPlainTrace)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(openPackedTrace)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(lookAtEveryByte)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(figuresOfATrace)->Unit(benchmark::kMillisecond);
BENCHMARK(spansOfAFrame)->Arg(1)->Arg(100)->ArgName("zoom")->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace plumb::trace
