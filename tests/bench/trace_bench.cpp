// SPDX-License-Identifier: Apache-2.0
// Opening a trace: text to columns, plain and packed, beside a look at every byte of the same file; its
// figures; and one frame of a view of it. PLUMBLINE_TRACE_MB is the size of the text (16), for a longer look
// 1000.
#include "core/base/quantity.h"
#include "core/trace/trace_overview.h"
#include "core/trace/trace_reader.h"
#include "core/trace/trace_rows.h"
#include "tests/bench/made_trace.h"

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
        std::string text(kMadeBegin);
        for (std::int64_t number = 0; bytes < textBytes(); ++number) {
            appendMade(text, number);
            if (text.size() < 1'000'000) continue;
            write(file, pack, text);
        }
        text += kMadeEnd;
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
