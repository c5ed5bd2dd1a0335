// SPDX-License-Identifier: Apache-2.0
// Tiles of 64 x 64 one-byte numbers through shared memory, so that both the matrix and its transpose are
// moved in 16-byte accesses: fp8 products want their operands in one layout only.
#pragma once

#include "kernels/cuda/bodies/sums.h"

namespace plumb::cuda {

inline constexpr Index kTile = 64;
inline constexpr Index kTileStride =
    68;  ///< bytes from row to row: neighbours in a column lie in different banks

struct ByteTile {
    std::uint8_t byte[kTile * kTileStride];
};

/// Tiles of a matrix, in rows of tiles.
struct Tiles {
    Index across = 0;
    Index count = 0;
};
PLUMB_HOST_DEVICE constexpr Tiles tilesOf(Index rows, Index columns) {
    Tiles tiles;
    tiles.across = (columns + kTile - 1) / kTile;
    tiles.count = tiles.across * ((rows + kTile - 1) / kTile);
    return tiles;
}

/// Writes a tile into the transpose: thread t has the 16 rows from t % 4 * 16 on of column t / 4, which
/// become 16 neighbours.
PLUMB_BODY void writeTransposed(const ByteTile& tile, std::uint8_t* out, Index rows, Index columns, Index row,
                                Index column, int thread) {
    const Index c = column + thread / 4;
    const int first = thread % 4 * 16;
    const Index r = row + first;
    if (c >= columns || r >= rows) return;
    Pack<std::uint8_t, 16> pack;
    PLUMB_UNROLL
    for (int i = 0; i < 16; ++i) pack.v[i] = tile.byte[(first + i) * kTileStride + thread / 4];
    std::uint8_t* to = out + c * rows + r;
    if (rows % 16 == 0 && r + 16 <= rows) {
        storePack<16, Reuse::Soon>(to, pack);
        return;
    }
    PLUMB_UNROLL
    for (int i = 0; i < 16; ++i)
        if (r + i < rows) to[i] = pack.v[i];
}

PLUMB_BODY void readTile(const std::uint8_t* in, ByteTile& tile, Index rows, Index columns, Index row,
                         Index column, int thread) {
    const Index r = row + thread / 4;
    const Index c = column + static_cast<Index>(thread % 4) * 16;
    if (r >= rows || c >= columns) return;
    std::uint8_t* to = tile.byte + thread / 4 * kTileStride + static_cast<Index>(thread % 4) * 16;
    const std::uint8_t* from = in + r * columns + c;
    if (columns % 16 == 0 && c + 16 <= columns) {
        const auto pack = loadPack<16, Reuse::Soon>(from);
        PLUMB_UNROLL
        for (int i = 0; i < 16; ++i) to[i] = pack.v[i];
    } else {
        for (int i = 0; i < 16 && c + i < columns; ++i) to[i] = from[i];
    }
}

/// One tile of a matrix, by a block.
template <class Block>
PLUMB_BODY void transposeTile(Block& block, ByteTile& shared, const void* in, void* out, Index rows,
                              Index columns, Index tile) {
    const Index across = tilesOf(rows, columns).across;
    const Index row = tile / across * kTile;
    const Index column = tile % across * kTile;
    block.forThreads([&](int thread) {
        readTile(static_cast<const std::uint8_t*>(in), shared, rows, columns, row, column, thread);
    });
    block.forThreads([&](int thread) {
        writeTransposed(shared, static_cast<std::uint8_t*>(out), rows, columns, row, column, thread);
    });
}

struct TransposeBody {
    using Arguments = TransposeArguments;
    using Shared = ByteTile;
    PLUMB_HOST_DEVICE static Index tilesIn(const TransposedMatrix& matrix) {
        return matrix.in == nullptr ? 0 : tilesOf(matrix.rows, matrix.columns).count;
    }
    static Index blocks(const TransposeArguments& a) { return tilesIn(a.first) + tilesIn(a.second); }

    template <class Block>
    PLUMB_BODY static void run(Block& block, Shared& shared, const Arguments& a) {
        const Index first = tilesIn(a.first);
        const Index all = first + tilesIn(a.second);
        block.waitForEarlier();
        for (Index tile = block.index(); tile < all; tile += block.count()) {
            const bool second = tile >= first;
            transposeTile(block, shared, second ? a.second.in : a.first.in,
                          second ? a.second.out : a.first.out, second ? a.second.rows : a.first.rows,
                          second ? a.second.columns : a.first.columns, second ? tile - first : tile);
        }
    }
};

/// The weights of all layers.
struct TransposeWeightsBody {
    using Arguments = TransposeWeightsArguments;
    using Shared = ByteTile;
    static Index blocks(const Arguments& a) { return a.layers * tilesOf(a.dim, a.dim).count; }

    template <class Block>
    PLUMB_BODY static void run(Block& block, Shared& shared, const Arguments& a) {
        const Index each = tilesOf(a.dim, a.dim).count;
        block.waitForEarlier();
        for (Index tile = block.index(); tile < a.layers * each; tile += block.count()) {
            const DeviceMatrix& matrix = a.matrices[tile / each];
            transposeTile(block, shared, matrix.weight, matrix.transposed, a.dim, a.dim, tile % each);
        }
    }
};

}  // namespace plumb::cuda
