// SPDX-License-Identifier: Apache-2.0
// The head's three products and the loss, compiled once per instruction set.
// A part of kernels_body.h, under its rules.

#pragma once

#include "kernels/cpu/encode_body.h"

namespace plumb::cpu {
namespace {

// ---- head: y = h W, dW = h^T dy, g = dy W^T with few outputs
//
// W [dim, outputs] is strided along dim for each output, so tiles of it are transposed into a small block on
// the stack, from where they serve many rows. 16 outputs x 256 columns are 16 KiB: half of a level 1 cache.

constexpr Index kTileColumns = 256;
constexpr Index kTileOutputs = 16;
constexpr Index kTileRows = 16;
typedef float Float16 __attribute__((vector_size(64), aligned(4), may_alias));

template <Storage kStorage>
using Stored = typename Format<kStorage>::Type;

/// tf32 is a way of reading: what is written is fp32.
constexpr Storage resultOf(Storage storage) { return storage == Storage::Tf32 ? Storage::Fp32 : storage; }

template <Storage kStorage>
void packWeights(const Stored<kStorage>* weight, Index outputs, Index dimBegin, Index columns,
                 Index outputBegin, Index count, float (*tile)[kTileColumns]) {
    const Index padded = (columns + 15) / 16 * 16;
    for (Index k = 0; k < count; ++k) {
        for (Index i = 0; i < columns; ++i)
            tile[k][i] = Format<kStorage>::load(weight + (dimBegin + i) * outputs + outputBegin + k);
        for (Index i = columns; i < padded; ++i) tile[k][i] = 0;
    }
}

/// A tile of a row as fp32: whole vectors where they lie or decoded, and the rest of the columns with zeros
/// behind them.
struct RowTile {
    const float* whole;
    Index wholeColumns;
    const float* rest;  ///< 16 numbers; null where there is no rest
};
/// `room`: of columns rounded up to 16. The rest is written as one vector where the processor can: a load of
/// all of it would wait for the last of many narrow stores.
template <Storage kStorage>
PLUMB_INLINE RowTile rowTile(const Stored<kStorage>* row, Index columns, float* room) {
    RowTile tile{room, columns / 16 * 16, nullptr};
    if constexpr (kStorage == Storage::Fp32)
        tile.whole = row;
    else
        loadRun<kStorage>(row, room, tile.wholeColumns);
    if (tile.wholeColumns == columns) return tile;
    const Stored<kStorage>* from = row + tile.wholeColumns;
    float* const rest = room + tile.wholeColumns;
    const Index count = columns - tile.wholeColumns;
    tile.rest = rest;
#if defined(__AVX512F__)
    const auto present = static_cast<__mmask16>((1U << static_cast<unsigned>(count)) - 1);
    alignas(64) Stored<kStorage> codes[16];
    if constexpr (sizeof *from == 4)
        _mm512_store_si512(codes, _mm512_maskz_loadu_epi32(present, from));
    else if constexpr (sizeof *from == 2)
        _mm256_store_si256(reinterpret_cast<__m256i*>(codes), _mm256_maskz_loadu_epi16(present, from));
    else
        _mm_store_si128(reinterpret_cast<__m128i*>(codes), _mm_maskz_loadu_epi8(present, from));
    loadRun<kStorage>(codes, rest, 16);
#else
    loadRun<kStorage>(from, rest, count);
    for (Index i = count; i < 16; ++i) rest[i] = 0;
#endif
    return tile;
}

PLUMB_INLINE float sumOfLanes(const Float16& v) {
    float part[8];
    for (int j = 0; j < 8; ++j) part[j] = v[j] + v[j + 8];
    return ((part[0] + part[4]) + (part[2] + part[6])) + ((part[1] + part[5]) + (part[3] + part[7]));
}

// sums[k] = a . tile[k] for `kCount` outputs at once, which share the loads of a.
template <int kCount>
PLUMB_INLINE void dots(const RowTile& a, const float (*tile)[kTileColumns], float* sums) {
    Float16 lanes[kCount];
    for (int k = 0; k < kCount; ++k) lanes[k] = Float16{};
    const auto add = [&](const float* from, Index i) PLUMB_INLINE_LAMBDA {
        const Float16 value = *reinterpret_cast<const Float16*>(from);
#pragma GCC unroll 4
        for (int k = 0; k < kCount; ++k) lanes[k] += value * *reinterpret_cast<const Float16*>(tile[k] + i);
    };
    for (Index i = 0; i < a.wholeColumns; i += 16) add(a.whole + i, i);
    if (a.rest != nullptr) add(a.rest, a.wholeColumns);
    for (int k = 0; k < kCount; ++k) sums[k] = sumOfLanes(lanes[k]);
}

template <Storage kStorage>
void headForward(const HeadArguments& head, Index rowBegin, Index rowEnd) {
    const auto* h = static_cast<const Stored<kStorage>*>(head.h);
    const auto* weight = static_cast<const Stored<kStorage>*>(head.weight);
    alignas(64) float tile[kTileOutputs][kTileColumns];
    alignas(64) float room[kTileColumns];
    for (Index i0 = 0; i0 < head.dim; i0 += kTileColumns) {
        const Index columns = smaller(kTileColumns, head.dim - i0);
        const bool last = i0 + columns == head.dim;
        for (Index k0 = 0; k0 < head.outputs; k0 += kTileOutputs) {
            const Index outputs = smaller(kTileOutputs, head.outputs - k0);
            packWeights<kStorage>(weight, head.outputs, i0, columns, k0, outputs, tile);
            for (Index row = rowBegin; row < rowEnd; ++row) {
                const RowTile a = rowTile<kStorage>(h + row * head.dim + i0, columns, room);
                float sums[kTileOutputs];
                Index k = 0;
                for (; k + 4 <= outputs; k += 4) dots<4>(a, tile + k, sums + k);
                for (; k < outputs; ++k) dots<1>(a, tile + k, sums + k);
                float* y = head.y + row * head.outputs + k0;
                for (k = 0; k < outputs; ++k) y[k] = i0 == 0 ? sums[k] : y[k] + sums[k];
                if (Format<kStorage>::kScaled && last)
                    for (k = 0; k < outputs; ++k) y[k] *= head.factor;
            }
        }
    }
}

/// h is stored as kStorage, dy as kDy, the result as kResult.
template <Storage kStorage, Storage kDy, Storage kResult>
void headWeightGradient(const HeadArguments& head, Index dimBegin, Index dimEnd) {
    constexpr Index kOutputs = 8;
    constexpr Index kRows = 4;
    const auto* h = static_cast<const Stored<kStorage>*>(head.h);
    const auto* dy = static_cast<const Stored<kDy>*>(head.dy);
    auto* gradient = static_cast<Stored<kResult>*>(head.weightGradient);
    alignas(64) float total[kOutputs][kTileColumns];
    alignas(64) float rows[kRows][kTileColumns];
    alignas(64) float block[kOutputs * kTileColumns];
    EncodeArguments run;
    run.factor = head.resultFactor;
    run.tally = head.tally;
    const auto write = [&](const float* in, Index at, Index count) {
        run.in = in;
        run.out = gradient + at;
        run.count = count;
        if (head.accumulate)
            encode<kResult, Epilogue::Add>(run);
        else
            encode<kResult, Epilogue::Plain>(run);
    };
    for (Index i0 = dimBegin; i0 < dimEnd; i0 += kTileColumns) {
        const Index columns = smaller(kTileColumns, dimEnd - i0);
        for (Index k0 = 0; k0 < head.outputs; k0 += kOutputs) {
            const Index outputs = smaller(kOutputs, head.outputs - k0);
            for (Index k = 0; k < outputs; ++k)
                for (Index i = 0; i < columns; ++i) total[k][i] = 0;
            for (Index row = 0; row < head.rows; row += kRows) {
                // Missing rows of the last group count as zeros: they add 0 * 0.
                const Index present = smaller(kRows, head.rows - row);
                for (Index r = 0; r < present; ++r)
                    loadRun<kStorage>(h + (row + r) * head.dim + i0, rows[r], columns);
                for (Index r = present; r < kRows; ++r)
                    for (Index i = 0; i < columns; ++i) rows[r][i] = 0;
                for (Index k = 0; k < outputs; ++k) {
                    float factor[kRows];
                    for (Index r = 0; r < kRows; ++r)
                        factor[r] =
                            r < present ? Format<kDy>::load(dy + (row + r) * head.outputs + k0 + k) : 0.0F;
                    for (Index i = 0; i < columns; ++i)
                        total[k][i] = total[k][i] + factor[0] * rows[0][i] + factor[1] * rows[1][i] +
                                      factor[2] * rows[2][i] + factor[3] * rows[3][i];
                }
            }
            if constexpr (Format<kStorage>::kScaled)
                for (Index k = 0; k < outputs; ++k)
                    for (Index i = 0; i < columns; ++i) total[k][i] *= head.factor;
            if (head.outputs == 1) {
                write(total[0], i0, columns);
                continue;
            }
            for (Index k = 0; k < outputs; ++k)
                for (Index i = 0; i < columns; ++i) block[i * outputs + k] = total[k][i];
            if (outputs == head.outputs)
                write(block, i0 * outputs, columns * outputs);
            else
                for (Index i = 0; i < columns; ++i)
                    write(block + i * outputs, (i0 + i) * head.outputs + k0, outputs);
        }
    }
}

/// h and the weights are stored as kStorage, dy and the result as kDy.
template <Storage kStorage, Storage kDy>
void headInputGradient(const HeadArguments& head, Index rowBegin, Index rowEnd) {
    constexpr Storage kResult = resultOf(kDy);
    const auto* dy = static_cast<const Stored<kDy>*>(head.dy);
    const auto* weight = static_cast<const Stored<kStorage>*>(head.weight);
    const auto* h = static_cast<const Stored<kStorage>*>(head.h);
    auto* gradient = static_cast<Stored<kResult>*>(head.inputGradient);
    const bool packOnce = head.outputs <= kTileOutputs;
    alignas(64) float tile[kTileOutputs][kTileColumns];
    alignas(64) float total[kTileRows][kTileColumns];
    EncodeArguments run;
    run.factor = head.resultFactor;
    run.tally = head.tally;
    for (Index i0 = 0; i0 < head.dim; i0 += kTileColumns) {
        const Index columns = smaller(kTileColumns, head.dim - i0);
        const Index padded = (columns + 15) / 16 * 16;  // as the tile is
        run.count = columns;
        if (packOnce) packWeights<kStorage>(weight, head.outputs, i0, columns, 0, head.outputs, tile);
        for (Index row = rowBegin; row < rowEnd; row += kTileRows) {
            const Index rows = smaller(kTileRows, rowEnd - row);
            for (Index k0 = 0; k0 < head.outputs; k0 += kTileOutputs) {
                const Index outputs = smaller(kTileOutputs, head.outputs - k0);
                if (!packOnce) packWeights<kStorage>(weight, head.outputs, i0, columns, k0, outputs, tile);
                for (Index r = 0; r < rows; ++r)
                    for (Index k = 0; k < outputs; ++k) {
                        const float factor = Format<kDy>::load(dy + (row + r) * head.outputs + k0 + k);
                        if (k0 + k == 0)
                            for (Index i = 0; i < padded; ++i) total[r][i] = factor * tile[k][i];
                        else
                            for (Index i = 0; i < padded; ++i) total[r][i] += factor * tile[k][i];
                    }
            }
            for (Index r = 0; r < rows; ++r) {
                if constexpr (Format<kStorage>::kScaled)
                    for (Index i = 0; i < columns; ++i) total[r][i] *= head.factor;
                const Index at = (row + r) * head.dim + i0;
                run.in = total[r];
                run.out = gradient == nullptr ? nullptr : gradient + at;
                if (head.mask) {
                    run.mask = h + at;
                    encode<kResult, Epilogue::Mask>(run);
                } else {
                    encode<kResult, Epilogue::Plain>(run);
                }
            }
        }
    }
}

template <Storage kStorage>
double lossGradient(const LossArguments& loss) {
    auto* dy = static_cast<Stored<kStorage>*>(loss.dy);
    double lanes[8] = {};
    alignas(64) float gradient[kEncodeBlock];
    EncodeArguments run{.in = gradient, .factor = loss.resultFactor, .tally = loss.tally};
    for (Index begin = 0; begin < loss.count; begin += kEncodeBlock) {
        const float* __restrict y = loss.y + begin;
        const float* __restrict t = loss.t + begin;
        const float scale = loss.scale;
        const float floor = loss.floor;
        const Index count = smaller(kEncodeBlock, loss.count - begin);
        Index i = 0;
        for (; i + 8 <= count; i += 8)
            for (int j = 0; j < 8; ++j) {
                const float difference = y[i + j] - t[i + j];
                lanes[j] += static_cast<double>(difference) * static_cast<double>(difference);
                gradient[i + j] = y[i + j] <= floor ? 0.0F : scale * difference;
            }
        for (int j = 0; i + j < count; ++j) {
            const float difference = y[i + j] - t[i + j];
            lanes[j] += static_cast<double>(difference) * static_cast<double>(difference);
            gradient[i + j] = y[i + j] <= floor ? 0.0F : scale * difference;
        }
        run.out = dy == nullptr ? nullptr : dy + begin;
        run.count = count;
        encode<kStorage, Epilogue::Plain>(run);
    }
    return ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) + ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]));
}

}  // namespace
}  // namespace plumb::cpu
