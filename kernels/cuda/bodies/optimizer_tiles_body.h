// SPDX-License-Identifier: Apache-2.0
// The update of fp8 weights that products read in both layouts: tile by tile, so that the transposed copy is
// written in the same pass.
#pragma once

#include "kernels/cuda/bodies/optimizer_body.h"

namespace plumb::cuda {

template <class Policy, Storage kGradient>
struct UpdateTilesBody : UpdateSteps<Policy, Storage::Fp8E4M3, kGradient> {
    static constexpr Storage kWeight = Storage::Fp8E4M3;
    using Steps = UpdateSteps<Policy, kWeight, kGradient>;
    using Arguments = OptimizerArguments;
    struct Shared {
        typename Steps::Shared steps;
        ByteTile tile;
    };
    static constexpr int kResidentBlocks = 2;
    static constexpr Index kPerRow = kTile / kUpdatePack;  ///< threads that share a row of a tile
    static constexpr Index kRowsAtOnce = kThreads / kPerRow;

    static Index blocks(const OptimizerArguments& a) { return tilePartsOf(a.parameters).count; }

    template <class Block>
    PLUMB_BODY static void run(Block& block, Shared& shared, const Arguments& a) {
        const ParameterParts parts = tilePartsOf(a.parameters);
        auto* partials = static_cast<PartSums*>(a.sums.partials);
        const bool skips = skipsUpdate(a.controls);
        if (!skips)
            for (Index index = block.index(); index < parts.count; index += block.count()) {
                const Index matrix = smaller(index / parts.perLayer, a.parameters.layers);
                update(block, shared, a, matrix, (index - matrix * parts.perLayer) * parts.size, parts.size);
                block.forThreads([&](int thread) {
                    if (thread == 0) partials[index] = shared.steps.room[0];
                });
            }
        if (block.isLast(a.sums.ticket, shared.steps.last, static_cast<std::uint32_t>(block.count())))
            Steps::finish(block, shared.steps, a, parts, partials, skips);
    }

private:
    template <class Block>
    PLUMB_BODY static void update(Block& block, Shared& shared, const OptimizerArguments& a, Index matrix,
                                  Index firstTile, Index count) {
        const Index rows = a.parameters.dim;
        const Index columns = matrix < a.parameters.layers ? rows : a.parameters.outputs;
        const Tiles tiles = tilesOf(rows, columns);
        const UpdateState state = Steps::stateOf(a, matrix);
        const Policy policy(a, matrix);
        typename Block::template PerThread<PartSeen> own{};
        for (Index tile = firstTile; tile < smaller(firstTile + count, tiles.count); ++tile) {
            const Index row = tile / tiles.across * kTile;
            const Index column = tile % tiles.across * kTile;
            block.forThreads([&](int thread) {
                const Index c = thread % kPerRow * kUpdatePack;
                for (Index r = thread / kPerRow; r < kTile && row + r < rows; r += kRowsAtOnce)
                    updateRow(policy, state, (row + r) * columns + column + c, columns - column - c,
                              columns % kUpdatePack == 0, shared.tile.byte + r * kTileStride + c,
                              own[thread]);
            });
            block.forThreads([&](int thread) {
                writeTransposed(shared.tile, static_cast<std::uint8_t*>(state.matrix.transposed), rows,
                                columns, row, column, thread);
            });
        }
        block.forThreads([&](int thread) { shared.steps.room[thread] = own[thread].sums(); });
        addUp<kThreads>(block, shared.steps.room);
    }

    /// Up to four neighbours, of which `left` are in the row.
    PLUMB_BODY static void updateRow(const Policy& policy, const UpdateState& state, Index at, Index left,
                                     bool aligned, std::uint8_t* tile, PartSeen& sums) {
        if (aligned && left >= kUpdatePack) {
            updateSome<kUpdatePack>(policy, state, at, tile, sums);
            return;
        }
        for (int i = 0; i < kUpdatePack && i < left; ++i)
            updateSome<1>(policy, state, at + i, tile + i, sums);
    }
    template <int kCount>
    PLUMB_BODY static void updateSome(const Policy& policy, const UpdateState& state, Index at,
                                      std::uint8_t* tile, PartSeen& sums) {
        float updated[kCount];
        Steps::template updateRun<kCount>(policy, state, at, updated, sums);
        PLUMB_UNROLL
        for (int i = 0; i < kCount; ++i) Format<kWeight>::store(tile + i, updated[i] * state.encode);
    }
};

}  // namespace plumb::cuda
