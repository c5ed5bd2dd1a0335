// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/gemm.h"

#include <omp.h>

#include <algorithm>

namespace plumb::cpu {

extern const GemmKernels kGemmAvx512;
extern const GemmKernels kGemmAvx512Bf16;

namespace {

constexpr std::int64_t kWord = 4;
/// Panels of a that a thread packs at once, 0.5 MB, and the widest block of b, 8 MB at most: what stays in
/// the level 2 cache of a core and in the cache behind it.
constexpr std::int64_t kMostPanels = 16;
constexpr std::int64_t kMostColumns = 4096;
/// Below this, blocks of b are no longer worth their packing of a.
constexpr std::int64_t kFewestColumns = 256;

constexpr std::int64_t kThin = 64;

constexpr std::int64_t ceilDivide(std::int64_t value, std::int64_t unit) { return (value + unit - 1) / unit; }
constexpr std::int64_t roundUp(std::int64_t value, std::int64_t unit) {
    return ceilDivide(value, unit) * unit;
}

/// Rows first: each thread then packs its own rows of a and nobody else's. Columns are split where rows would
/// get fewer than two panels each.
int threadsOfColumns(const GemmTile& tile, std::int64_t rows, std::int64_t columns, int threads) {
    for (int split = 1; split < threads; ++split)
        if (threads % split == 0 && rows * split >= 2 * tile.rows * threads) return split;
    return columns >= rows ? threads : 1;
}

}  // namespace

const GemmKernels* gemmKernels() {
    return kernelsFor(InstructionSet::Avx512) != nullptr ? &kGemmAvx512 : nullptr;
}

// Zen 5 takes as many dot products as multiply-adds in a cycle, each with twice the numbers; Zen 4 was not
// measured. Those of Intel without AMX take half as many (a Xeon of 2023), which gains nothing.
const GemmKernels* bf16GemmKernels() {
    const bool isFaster = __builtin_cpu_is("amd") && __builtin_cpu_supports("avx512bf16");
    return isFaster && gemmKernels() != nullptr ? &kGemmAvx512Bf16 : nullptr;
}

GemmBlocking chooseBlocking(const GemmKernels& kernels, std::int64_t rows, std::int64_t columns,
                            std::int64_t depth, int threads, Bytes scratchBytes) {
    const GemmTile& tile = kernels.tile;
    GemmBlocking blocking;
    blocking.rows = rows;
    blocking.columns = columns;
    blocking.depth = depth;
    blocking.threadsOfColumns = threadsOfColumns(tile, rows, columns, threads);
    blocking.threadsOfRows = threads / blocking.threadsOfColumns;
    // Equal parts of the depth. Thin matrices take little room for scratch, but a packed panel is as wide as
    // a tile: less depth makes it fit.
    const std::int64_t mostDepth = std::min(rows, columns) < kThin ? tile.depth / 4 : tile.depth;
    const std::int64_t unit = 16 * kernels.numbersPerWord;
    blocking.blockDepth = std::min(depth, roundUp(ceilDivide(depth, ceilDivide(depth, mostDepth)), unit));
    const std::int64_t words = ceilDivide(blocking.blockDepth, kernels.numbersPerWord);
    const std::int64_t rowsOfThread = ceilDivide(rows, blocking.threadsOfRows);
    std::int64_t panels = std::min(ceilDivide(rowsOfThread, tile.rows), kMostPanels);
    blocking.blockColumns = std::min(roundUp(columns, tile.columns), kMostColumns);
    const auto need = [&] {
        return kWord * (blocking.blockColumns * words + threads * panels * packedPanelOfA(words));
    };
    while (need() > scratchBytes && blocking.blockColumns > kFewestColumns)
        blocking.blockColumns = roundUp(blocking.blockColumns / 2, tile.columns);
    while (need() > scratchBytes && panels > 1) --panels;
    if (need() > scratchBytes) return blocking;
    // Equal blocks here too.
    const std::int64_t blocks = ceilDivide(rowsOfThread, panels * tile.rows);
    blocking.blockRows = ceilDivide(rowsOfThread, blocks);
    blocking.scratchBytes = need();
    return blocking;
}

void runGemm(const GemmKernels& kernels, const GemmBlocking& blocking, const GemmMatrix& a,
             const GemmMatrix& b, const GemmResult& result, float* scratch) {
    const GemmTile& tile = kernels.tile;
    const auto wordsOf = [&](std::int64_t depth) { return ceilDivide(depth, kernels.numbersPerWord); };
    float* const packedB = scratch;
    float* const packedA = scratch + blocking.blockColumns * wordsOf(blocking.blockDepth);
    const std::int64_t panelsOfA = ceilDivide(blocking.blockRows, tile.rows);
    const std::int64_t sizeOfA = panelsOfA * packedPanelOfA(wordsOf(blocking.blockDepth));
    const bool sumsInPlace = !result.bf16;

    const auto work = [&](int thread, int threads, const auto& barrier) {
        // Fewer threads than asked for may come: then the rows alone are shared.
        const bool allCame = threads == blocking.threadsOfRows * blocking.threadsOfColumns;
        const int splitOfColumns = allCame ? blocking.threadsOfColumns : 1;
        const int splitOfRows = allCame ? blocking.threadsOfRows : threads;
        const std::int64_t rowBegin = blocking.rows * (thread / splitOfColumns) / splitOfRows;
        const std::int64_t rowEnd = blocking.rows * (thread / splitOfColumns + 1) / splitOfRows;
        const int place = thread % splitOfColumns;
        float* const ownA = packedA + thread * sizeOfA;
        for (std::int64_t column = 0; column < blocking.columns; column += blocking.blockColumns) {
            const std::int64_t columns = std::min(blocking.blockColumns, blocking.columns - column);
            const std::int64_t panels = ceilDivide(columns, tile.columns);
            const auto borderOf = [&](std::int64_t part, std::int64_t parts) {
                return std::min(columns, panels * part / parts * tile.columns);
            };
            for (std::int64_t at = 0; at < blocking.depth; at += blocking.blockDepth) {
                const std::int64_t depth = std::min(blocking.blockDepth, blocking.depth - at);
                if (column + at > 0) barrier();  // the block before is no longer read
                const std::int64_t packBegin = borderOf(thread, threads);
                const std::int64_t packEnd = borderOf(thread + 1, threads);
                if (packEnd > packBegin)
                    kernels.packB(b, at, depth, column + packBegin, packEnd - packBegin,
                                  packedB + packBegin * wordsOf(depth));
                barrier();
                GemmResult part = result;
                part.isFirst = at == 0;
                part.isLast = at + depth >= blocking.depth;
                if (sumsInPlace) {
                    // What is there comes after the whole sum where one block holds it, so that the gradients
                    // of micro-batches add up to the bits of those that ranks add; else the sum begins with
                    // it.
                    const bool isWhole = part.isFirst && part.isLast;
                    part.partial = static_cast<float*>(result.data);
                    part.accumulate = isWhole && result.accumulate;
                    part.isFirst = part.isFirst && (isWhole || !result.accumulate);
                }
                const std::int64_t columnBegin = borderOf(place, splitOfColumns);
                const std::int64_t columnEnd = borderOf(place + 1, splitOfColumns);
                if (columnEnd == columnBegin) continue;
                for (std::int64_t row = rowBegin; row < rowEnd; row += blocking.blockRows) {
                    const std::int64_t rows = std::min(blocking.blockRows, rowEnd - row);
                    kernels.packA(a, row, rows, at, depth, ownA);
                    kernels.multiply(ownA, packedB + columnBegin * wordsOf(depth), rows,
                                     columnEnd - columnBegin, wordsOf(depth), row, column + columnBegin,
                                     a.transposed, part);
                }
            }
        }
    };
    const int threads = blocking.threadsOfRows * blocking.threadsOfColumns;
    if (threads == 1) {
        work(0, 1, [] {});
        return;
    }
#pragma omp parallel num_threads(threads)
    work(omp_get_thread_num(), omp_get_num_threads(), [] {
#pragma omp barrier
    });
}

}  // namespace plumb::cpu
