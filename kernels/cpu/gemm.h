// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/quantity.h"
#include "kernels/cpu/kernels.h"

#include <cstdint>

namespace plumb::cpu {

/// A matrix of fp32 or bf16 by the distance of its rows; `transposed`: what is asked for is the transpose
/// of what lies there.
struct GemmMatrix {
    const void* data = nullptr;
    std::int64_t stride = 0;
    bool bf16 = false;
    bool transposed = false;
};

/// What happens to a tile of the result while it is in registers or in the nearest cache, in this order.
struct GemmResult {
    void* data = nullptr;
    std::int64_t stride = 0;  ///< elements from row to row, of `partial` and `mask` as well
    bool bf16 = false;
    bool accumulate = false;     ///< adds what is there, then rounds once
    bool relu = false;           ///< below 0: 0; what is not a number stays so, as in torch.relu
    const void* mask = nullptr;  ///< mask of the result's type: 0 where it is not above 0
    float factor = 1;          ///< factor of the sums, before all that follows; with 1 alone fp32 accumulates
    float* partial = nullptr;  ///< sums of the earlier parts of a long inner dimension
    bool isFirst = true;       ///< nothing lies in `partial` yet
    bool isLast = true;        ///< otherwise: the sum goes to `partial` and nothing else happens
};

/// Sizes of a tile in registers and of packed panels.
struct GemmTile {
    std::int64_t rows = 0;
    std::int64_t columns = 0;
    std::int64_t depth = 0;  ///< a good size for the depth of packed panels
};

/// The innermost parts of a product for one instruction set (gemm_v4.cpp).
struct GemmKernels {
    GemmTile tile;
    const char* name;
    std::int64_t numbersPerWord =
        1;  ///< numbers in a word of 32 bits of a packed panel: a pair is read where bf16 is multiplied
    /// Rows [row, row + rows) and depth [at, at + depth) of op(a) as panels of at most tile.rows rows.
    void (*packA)(const GemmMatrix& a, std::int64_t row, std::int64_t rows, std::int64_t at,
                  std::int64_t depth, float* packed);
    /// Depth [at, at + depth) and columns [column, column + columns) of op(b) as panels of tile.columns
    /// columns, filled up with zeros.
    void (*packB)(const GemmMatrix& b, std::int64_t at, std::int64_t depth, std::int64_t column,
                  std::int64_t columns, float* packed);
    /// The tiles of rows x columns from packed panels, `depth` words of them; `result` is that of the whole
    /// matrix, `row` and `column` say where the tiles begin in it.
    void (*multiply)(const float* packedA, const float* packedB, std::int64_t rows, std::int64_t columns,
                     std::int64_t depth, std::int64_t row, std::int64_t column, bool transposedA,
                     const GemmResult& result);
};

/// Words from one packed panel of a to the next: 16 for each of `depth`, rounded up to a multiple of 16.
[[nodiscard]] constexpr std::int64_t packedPanelOfA(std::int64_t depth) { return (depth + 15) / 16 * 256; }

/// Null where the library's products are used: without AVX-512.
[[nodiscard]] const GemmKernels* gemmKernels();
/// Those that multiply bf16 as such, faster than fp32; null where the processor lacks them or is no faster
/// with them. They make do with the blocking and the scratch of gemmKernels() and give the same bits (but for
/// subnormal numbers).
[[nodiscard]] const GemmKernels* bf16GemmKernels();

/// How a product is cut into blocks and shared between threads; never into sums: each element of the result
/// is summed by one thread, from the first number of the inner dimension to the last one.
struct GemmBlocking {
    std::int64_t rows = 0, columns = 0, depth = 0;
    int threadsOfRows = 1, threadsOfColumns = 1;
    std::int64_t blockRows = 0;     ///< rows of a, packed by each thread for itself
    std::int64_t blockColumns = 0;  ///< columns of b, packed by all threads together
    std::int64_t blockDepth = 0;
    Bytes scratchBytes = 0;  ///< room for the packed blocks
    /// The result of more than one block in depth is first summed as fp32: in itself, or in
    /// GemmResult::partial.
    [[nodiscard]] bool isCutInDepth() const { return blockDepth < depth; }
};

/// The largest blocks that fit `scratchBytes`; scratchBytes of 0 in the answer when not even the smallest do.
[[nodiscard]] GemmBlocking chooseBlocking(const GemmKernels& kernels, std::int64_t rows, std::int64_t columns,
                                          std::int64_t depth, int threads, Bytes scratchBytes);

/// result = op(a) op(b). `scratch` holds blocking.scratchBytes, aligned to 64. isFirst and isLast of `result`
/// are set here; `partial` is needed for a bf16 result that is cut in depth.
void runGemm(const GemmKernels& kernels, const GemmBlocking& blocking, const GemmMatrix& a,
             const GemmMatrix& b, const GemmResult& result, float* scratch);

}  // namespace plumb::cpu
