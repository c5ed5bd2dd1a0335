// SPDX-License-Identifier: Apache-2.0
// Rows and bytes per second out of data files that the system holds in its cache: shuffled .npy rows in both
// orders and three widths, windows of token files, and what the prefetch thread hides of it.
#include "core/data/batch_prefetcher.h"
#include "core/data/row_batches.h"
#include "core/data/token_batches.h"

#include <benchmark/benchmark.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <unistd.h>
#include <vector>

namespace plumb {
namespace {

constexpr std::int64_t kBatch = 256;
constexpr std::int64_t kFileBytes = 32 << 20;

enum class Kind { NpyC, NpyFortran, Tokens };
constexpr const char* kKindNames[] = {"npy C", "npy Fortran", "tokens"};

/// A data file of `bytesPerElement` each, features of `dim` columns, opened; the files are gone with it.
class DataFiles {
public:
    DataFiles(Kind kind, std::int64_t bytesPerElement, std::int64_t dim) {
        m_config.dim = dim;
        m_config.batch = kBatch;
        m_config.vocabulary = std::int64_t{1} << 31;
        const std::int64_t rows = kFileBytes / (dim * bytesPerElement);
        const std::string base =
            (std::filesystem::temp_directory_path() / ("plumbline-bench-" + std::to_string(::getpid())))
                .string();
        const bool tokens = kind == Kind::Tokens;
        m_config.data = base + (tokens ? ".u16" : "-x.npy");
        // Every byte 0x3c is 1.06, 0.0115 or 1.5e-19 as a number, or the id 15420.
        write(m_config.data, tokens ? "" : header(rows, dim, bytesPerElement, kind == Kind::NpyFortran),
              rows * dim * bytesPerElement);
        if (tokens) {
            m_config.dataFormat = bytesPerElement == 2 ? DataFormat::TokensU16 : DataFormat::TokensI32;
            source = TokenBatches::open(m_config).value();
            return;
        }
        m_config.targets = base + "-t.npy";
        write(m_config.targets, header(rows, 1, 4, false), rows * 4);
        source = RowBatches::open(m_config).value();
    }
    ~DataFiles() {
        for (const std::string& path : {m_config.data, m_config.targets}) ::unlink(path.c_str());
    }
    DataFiles(const DataFiles&) = delete;
    DataFiles& operator=(const DataFiles&) = delete;

    std::unique_ptr<BatchSource> source;

private:
    static std::string header(std::int64_t rows, std::int64_t columns, std::int64_t bytes, bool fortran) {
        std::string text = "{'descr': '<f" + std::to_string(bytes) +
                           "', 'fortran_order': " + (fortran ? "True" : "False") + ", 'shape': (" +
                           std::to_string(rows) + ", " + std::to_string(columns) + "), }";
        text.resize(117, ' ');
        return std::string("\x93NUMPY\x01\x00\x76\x00", 10) + text + "\n";
    }
    static void write(const std::string& path, const std::string& head, std::int64_t bytes) {
        std::ofstream(path, std::ios::binary) << head << std::string(static_cast<std::size_t>(bytes), '\x3c');
    }
    RunConfig m_config;
};

void countRows(benchmark::State& state, std::int64_t dim, std::int64_t bytesPerElement) {
    state.SetItemsProcessed(state.iterations() * kBatch);
    state.SetBytesProcessed(state.iterations() * kBatch * dim * bytesPerElement);
}

void gatherRows(benchmark::State& state) {
    const auto kind = static_cast<Kind>(state.range(0));
    const std::int64_t bytes = state.range(1), dim = state.range(2);
    const DataFiles files(kind, bytes, dim);
    std::vector<float> x(static_cast<std::size_t>(kBatch * dim)), t(kBatch);
    std::int64_t first = 0;
    for (auto _ : state) {
        if (!files.source->copySamples(first, x, t).has_value()) state.SkipWithError("cannot be read");
        first += kBatch;
        benchmark::DoNotOptimize(x.data());
    }
    state.SetLabel(std::string(kKindNames[state.range(0)]));
    countRows(state, dim, bytes);
}

/// Stands for the training on a batch: reads it again and again.
double work(const float* x, std::int64_t count, int rounds) {
    double sum = 0;
    for (int round = 0; round < rounds; ++round)
        for (std::int64_t i = 0; i < count; ++i) sum += std::abs(static_cast<double>(x[i]) - sum);
    return sum;
}

// Half of the time of the first is work; with a core to spare the second hides the rest.
void loadThenWork(benchmark::State& state, bool prefetched) {
    const std::int64_t dim = state.range(0);
    const DataFiles files(Kind::NpyC, 4, dim);
    const BatchPrefetcher::Shape shape{kBatch, dim, 1};
    std::vector<float> staging(static_cast<std::size_t>(2 * shape.floats()));
    std::unique_ptr<BatchPrefetcher> prefetcher;
    if (prefetched) prefetcher = BatchPrefetcher::create(*files.source, shape, staging, 0).value();
    std::int64_t number = 0;
    for (auto _ : state) {
        const float* x = staging.data();
        if (prefetched) {
            x += *prefetcher->take(number) * shape.floats();
        } else {
            const auto features = static_cast<std::size_t>(kBatch * dim);
            if (!files.source
                     ->copySamples(number * kBatch, std::span(staging).first(features),
                                   std::span(staging).subspan(features, kBatch))
                     .has_value())
                state.SkipWithError("cannot be read");
        }
        benchmark::DoNotOptimize(work(x, kBatch * dim, static_cast<int>(state.range(1))));
        if (prefetched) prefetcher->release();
        ++number;
    }
    countRows(state, dim, 4);
}
void loadThenWorkAlone(benchmark::State& state) { loadThenWork(state, false); }
void loadThenWorkPrefetched(benchmark::State& state) { loadThenWork(state, true); }

void everyFile(benchmark::internal::Benchmark* bench) {
    for (const std::int64_t dim : {64, 1024}) {
        for (const Kind kind : {Kind::NpyC, Kind::NpyFortran})
            for (const std::int64_t bytes : {2, 4, 8}) bench->Args({static_cast<int>(kind), bytes, dim});
        for (const std::int64_t bytes : {2, 4}) bench->Args({static_cast<int>(Kind::Tokens), bytes, dim});
    }
    bench->ArgNames({"kind", "bytes", "D"});
}
BENCHMARK(gatherRows)->Apply(everyFile);
// Rounds of work: none, and about as long as the gathering.
BENCHMARK(loadThenWorkAlone)->Args({1024, 0})->Args({1024, 1})->ArgNames({"D", "rounds"})->UseRealTime();
BENCHMARK(loadThenWorkPrefetched)->Args({1024, 0})->Args({1024, 1})->ArgNames({"D", "rounds"})->UseRealTime();

}  // namespace
}  // namespace plumb
