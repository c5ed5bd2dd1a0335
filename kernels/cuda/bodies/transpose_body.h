// SPDX-License-Identifier: Apache-2.0
// Tiles of 64 x 64 one-byte numbers through shared memory, so that both the matrix and its transpose are
// moved in 16-byte accesses: fp8 products want their operands in one layout only.
#pragma once

#include "kernels/cuda/bodies/encode_body.h"

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

/// EncodeBody for fp8, that writes the transpose as well.
template <Storage kSource, Storage kTarget>
struct EncodeTilesBody {
    static_assert(sizeof(TypeOf<kTarget>) == 1);
    struct Shared {
        TallyShared tally;
        ByteTile tile;
    };
    using Arguments = Pass<EncodeArguments>;
    static constexpr Index kPack = kPackOf<kSource, kTarget>;
    static constexpr Index kPerRow = kTile / kPack;  ///< threads that share a row of a tile
    static constexpr Index kRowsAtOnce = kThreads / kPerRow;
    static constexpr int kResidentBlocks = 3;

    static Index blocks(const EncodeArguments& a) {
        return partsOf(tilesOf(a.rows, a.columns).count, 1).count;
    }

    template <class Block>
    PLUMB_BODY static void run(Block& block, Shared& shared, const Arguments& pass) {
        const EncodeArguments& a = pass.work;
        const EncodeState state = encodeState(a, false);
        const Tiles tiles = tilesOf(a.rows, a.columns);
        const Parts parts = partsOf(tiles.count, 1);
        auto* transposed = static_cast<std::uint8_t*>(a.transposed);
        typename Block::template PerThread<Seen> own{};
        for (Index part = block.index(); part < parts.count; part += block.count()) {
            const Index end = smaller((part + 1) * parts.size, tiles.count);
            for (Index tile = part * parts.size; tile < end; ++tile) {
                const Index row = tile / tiles.across * kTile;
                const Index column = tile % tiles.across * kTile;
                block.forThreads([&](int thread) {
                    for (Index r = thread / kPerRow; r < kTile && row + r < a.rows; r += kRowsAtOnce)
                        encodeRow(a, state, row + r, column + thread % kPerRow * kPack,
                                  shared.tile.byte + r * kTileStride + thread % kPerRow * kPack, own[thread]);
                });
                block.forThreads([&](int thread) {
                    writeTransposed(shared.tile, transposed, a.rows, a.columns, row, column, thread);
                });
            }
            if (state.tally) storeTally(block, shared.tally, own, a.report.sums, part);
        }
        if (state.tally) finishPass(block, shared.tally, a.report, kTarget, parts.count, false);
    }

private:
    template <int kCount>
    PLUMB_BODY static void encodeSome(const EncodeArguments& a, const EncodeState& state, Index at,
                                      std::uint8_t* tile, Seen& seen) {
        float v[kCount];
        encodeRun<kSource, kTarget>(a, state, at, v, seen);
        Pack<std::uint8_t, kCount> pack;
        PLUMB_UNROLL
        for (int i = 0; i < kCount; ++i) Format<kTarget>::store(&pack.v[i], v[i] * state.encode);
        if (state.write) storePack<kCount, Reuse::Soon>(static_cast<std::uint8_t*>(a.out.data) + at, pack);
        PLUMB_UNROLL
        for (int i = 0; i < kCount; ++i) tile[i] = pack.v[i];
    }
    PLUMB_BODY static void encodeRow(const EncodeArguments& a, const EncodeState& state, Index row,
                                     Index column, std::uint8_t* tile, Seen& seen) {
        const Index at = row * a.columns + column;
        if (a.columns % kPack == 0 && column + kPack <= a.columns) {
            encodeSome<kPack>(a, state, at, tile, seen);
            return;
        }
        for (int i = 0; i < kPack && column + i < a.columns; ++i)
            encodeSome<1>(a, state, at + i, tile + i, seen);
    }
};

/// One matrix, or all weights of one shape.
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

struct TransposeBody {
    using Arguments = TransposeArguments;
    using Shared = ByteTile;
    static Index blocks(const TransposeArguments& a) { return tilesOf(a.rows, a.columns).count; }

    template <class Block>
    PLUMB_BODY static void run(Block& block, Shared& shared, const Arguments& a) {
        const Tiles tiles = tilesOf(a.rows, a.columns);
        for (Index tile = block.index(); tile < tiles.count; tile += block.count()) {
            const Index row = tile / tiles.across * kTile;
            const Index column = tile % tiles.across * kTile;
            block.forThreads([&](int thread) {
                readTile(static_cast<const std::uint8_t*>(a.in), shared, a.rows, a.columns, row, column,
                         thread);
            });
            block.forThreads([&](int thread) {
                writeTransposed(shared, static_cast<std::uint8_t*>(a.out), a.rows, a.columns, row, column,
                                thread);
            });
        }
    }
};

/// All fp8 weights: the tiles of the layers one after the other, then the head's.
struct TransposeWeightsBody {
    using Arguments = Parameters;
    using Shared = ByteTile;
    static Index blocks(const Parameters& p) {
        return p.layers * tilesOf(p.dim, p.dim).count + tilesOf(p.dim, p.outputs).count;
    }

    template <class Block>
    PLUMB_BODY static void run(Block& block, Shared& shared, const Arguments& p) {
        const Index perLayer = tilesOf(p.dim, p.dim).count;
        const Index all = p.layers * perLayer + tilesOf(p.dim, p.outputs).count;
        for (Index at = block.index(); at < all; at += block.count()) {
            const Index matrix = smaller(at / perLayer, p.layers);
            const Index columns = matrix < p.layers ? p.dim : p.outputs;
            const Index tile = at - matrix * perLayer;
            const Tiles tiles = tilesOf(p.dim, columns);
            const Index row = tile / tiles.across * kTile;
            const Index column = tile % tiles.across * kTile;
            const DeviceMatrix weights = p.matrices[matrix];
            if (weights.transposed == nullptr) continue;
            block.forThreads([&](int thread) {
                readTile(static_cast<const std::uint8_t*>(weights.weight), shared, p.dim, columns, row,
                         column, thread);
            });
            block.forThreads([&](int thread) {
                writeTransposed(shared, static_cast<std::uint8_t*>(weights.transposed), p.dim, columns, row,
                                column, thread);
            });
        }
    }
};

}  // namespace plumb::cuda
