// SPDX-License-Identifier: Apache-2.0
// From results to what is stored: epilogue, scale, rounding and tally in one pass.
#pragma once

#include "kernels/common/scales.h"
#include "kernels/cuda/bodies/fp8_pairs.h"
#include "kernels/cuda/bodies/sums.h"

#ifdef __CUDACC__
#include "kernels/cuda/bodies/fp8_instructions.h"
#endif

namespace plumb::cuda {

using common::Format;

template <Storage kStorage>
using TypeOf = typename Format<kStorage>::Type;

/// A pass that writes, or the one before it that looks for the first scale of an fp8 tensor.
template <class Work>
struct Pass {
    Work work;
    bool firstScale = false;
};

PLUMB_BODY float* scaleOf(const Report& report) { return report.scales + report.slot * kScalesColumns; }
/// Whether there is nothing to look for: the tensor has its scale.
PLUMB_BODY bool hasScale(const Report& report) { return *scaleOf(report) != 0; }

/// The end of a pass: the last block reports, or sets the first scale: of a weight, which is seen `whole`, or
/// of a tensor of which more may follow.
template <class Block>
PLUMB_BODY void finishPass(Block& block, TallyShared& shared, const Report& report, Storage storage,
                           Index parts, bool firstScale, bool whole = false) {
    if (!finishTally(block, shared, report.sums, parts)) return;
    block.forThreads([&](int thread) {
        if (thread != 0) return;
        const Tally seen = shared.room[0];
        if (!firstScale)
            reportTally(report, storage, seen);
        else
            *scaleOf(report) =
                whole ? common::fp8Scale(storage, seen.amax) : common::fp8FirstScale(storage, seen.amax);
    });
}

/// What stored numbers are multiplied with after they are read, and before they are stored.
PLUMB_BODY float decodeFactor(const Stored& tensor) {
    return tensor.scale == nullptr ? 1 : 1 / *tensor.scale;
}
PLUMB_BODY float encodeFactor(const Stored& tensor) { return tensor.scale == nullptr ? 1 : *tensor.scale; }

/// One number; fp8 by the device's own conversion, where it has one.
template <Storage kStorage>
PLUMB_BODY float loadNumber(const TypeOf<kStorage>* from) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 890
    if constexpr (Format<kStorage>::kScaled) return fromFp8Pair<kStorage>(*from).x;
#endif
    return Format<kStorage>::load(from);
}
template <Storage kStorage, int kCount>
PLUMB_BODY void decode(const Pack<TypeOf<kStorage>, kCount>& pack, float factor, float (&v)[kCount]) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 890
    if constexpr (Format<kStorage>::kScaled && kCount % 2 == 0) {
        PLUMB_UNROLL
        for (int i = 0; i < kCount; i += 2) {
            const float2 pair = fromFp8Pair<kStorage>(
                static_cast<std::uint16_t>(pack.v[i] | static_cast<std::uint32_t>(pack.v[i + 1]) << 8U));
            v[i] = pair.x * factor;
            v[i + 1] = pair.y * factor;
        }
    } else
#endif
    {
        PLUMB_UNROLL
        for (int i = 0; i < kCount; ++i) {
            v[i] = loadNumber<kStorage>(&pack.v[i]);
            if constexpr (Format<kStorage>::kScaled) v[i] *= factor;
        }
    }
}
template <Storage kStorage, int kCount>
PLUMB_BODY void readNumbers(const void* from, Index at, float factor, float (&v)[kCount]) {
    decode<kStorage>(loadPack<kCount>(static_cast<const TypeOf<kStorage>*>(from) + at), factor, v);
}
/// The same of what this block, or one beside it, has read before: it counts as no traffic.
template <Storage kStorage, int kCount>
PLUMB_BODY void readAgain(const void* from, Index at, float factor, float (&v)[kCount]) {
    decode<kStorage>(loadAgain<kCount>(static_cast<const TypeOf<kStorage>*>(from) + at), factor, v);
}
/// kPlain: without the device's own conversion.
template <Storage kStorage, bool kPlain, int kCount>
PLUMB_BODY void storeNumbers(Pack<TypeOf<kStorage>, kCount>& pack, const float (&v)[kCount]) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 890
    if constexpr (Format<kStorage>::kScaled && !kPlain) {
        storePairs<kStorage>(pack, v, ToFp8Pair<kStorage>{});
    } else
#endif
    {
        PLUMB_UNROLL
        for (int i = 0; i < kCount; ++i) Format<kStorage>::store(&pack.v[i], v[i]);
    }
}
template <Storage kStorage, int kCount, Reuse kReuse = Reuse::Soon, bool kPlain = false>
PLUMB_BODY void writeNumbers(void* to, Index at, float factor, const float (&v)[kCount]) {
    Pack<TypeOf<kStorage>, kCount> pack;
    float scaled[kCount];
    PLUMB_UNROLL
    for (int i = 0; i < kCount; ++i) scaled[i] = Format<kStorage>::kScaled ? v[i] * factor : v[i];
    storeNumbers<kStorage, kPlain>(pack, scaled);
    storePack<kCount, kReuse>(static_cast<TypeOf<kStorage>*>(to) + at, pack);
}

/// Bits of kCount neighbours from flat element `at` on; `inverse` is 1 / columns.
template <int kCount>
PLUMB_BODY std::uint32_t maskBits(const EncodeArguments& a, double inverse, Index at) {
    auto [row, column] = placeOf(at, a.columns, inverse);
    const Index stride = a.bitStride / 32;
    if (kCount == 1 || (column + kCount <= a.columns && column % 32 + kCount <= 32))
        return a.bits[row * stride + column / 32] >> static_cast<unsigned>(column % 32);
    std::uint32_t bits = 0;
    PLUMB_ROLLED
    for (int i = 0; i < kCount; ++i) {
        bits |= (a.bits[row * stride + column / 32] >> static_cast<unsigned>(column % 32) & 1U)
                << static_cast<unsigned>(i);
        if (++column == a.columns) {
            column = 0;
            ++row;
        }
    }
    return bits;
}

/// The epilogue, on numbers from flat element `at` on.
template <Storage kTarget, int kCount>
PLUMB_BODY void applyEpilogue(const EncodeArguments& a, double inverse, Index at, float (&v)[kCount]) {
    if (a.epilogue == Epilogue::Relu) {
        PLUMB_UNROLL
        for (int i = 0; i < kCount; ++i) v[i] = v[i] < 0 ? 0.0F : v[i];
    } else if (a.epilogue == Epilogue::Mask && a.bits != nullptr) {
        const std::uint32_t bits = maskBits<kCount>(a, inverse, at);
        PLUMB_UNROLL
        for (int i = 0; i < kCount; ++i) v[i] = (bits >> static_cast<unsigned>(i) & 1U) != 0 ? v[i] : 0.0F;
    } else if (a.epilogue == Epilogue::Mask) {
        constexpr Storage kMask = Format<kTarget>::kMask;
        const auto h = loadPack<kCount, Reuse::Soon>(static_cast<const TypeOf<kMask>*>(a.mask.data) + at);
        PLUMB_UNROLL
        for (int i = 0; i < kCount; ++i) v[i] = Format<kMask>::positive(h.v[i]) ? v[i] : 0.0F;
    } else if (a.epilogue == Epilogue::Add) {
        const auto old = loadPack<kCount>(static_cast<const TypeOf<kTarget>*>(a.out.data) + at);
        PLUMB_UNROLL
        for (int i = 0; i < kCount; ++i) v[i] = v[i] + Format<kTarget>::load(&old.v[i]);
    }
}

/// Numbers that one thread moves at once: 16 bytes of the wider side, of which none is narrower than 2 bytes.
constexpr int packOf(std::size_t source, std::size_t target) {
    const std::size_t wider = source > target ? source : target;
    return wider == 4 ? 4 : 8;
}
template <Storage kSource, Storage kTarget>
inline constexpr Index kPackOf = packOf(sizeof(TypeOf<kSource>), sizeof(TypeOf<kTarget>));

/// Factors and switches of a pass, read once by each thread.
struct EncodeState {
    float decode = 1;
    float encode = 1;
    double inverse = 1;  ///< 1 / columns
    bool tally = false;  ///< what was seen is reported
    bool write = false;
};
PLUMB_BODY EncodeState encodeState(const EncodeArguments& a, bool firstScale) {
    EncodeState state;
    state.decode = decodeFactor(a.in);
    state.encode = firstScale ? 1 : encodeFactor(a.out);
    state.inverse = 1 / static_cast<double>(a.columns);
    state.tally = firstScale || a.report.tally;
    state.write = !firstScale && a.out.data != nullptr;
    return state;
}

template <Storage kSource, Storage kTarget, Tallies kTallies, int kCount>
PLUMB_BODY void encodeRun(const EncodeArguments& a, const EncodeState& state, Index at, float (&v)[kCount],
                          Seen& seen) {
    readNumbers<kSource>(a.in.data, at, state.decode, v);
    applyEpilogue<kTarget>(a, state.inverse, at, v);
    PLUMB_UNROLL
    for (int i = 0; i < kCount; ++i) see<kTarget, kTallies>(seen, v[i], state.encode);
}

template <Storage kSource, Storage kTarget, Tallies kTallies>
struct EncodeBody {
    using Arguments = Pass<EncodeArguments>;
    using Shared = TallyShared;
    static constexpr Index kPack = kPackOf<kSource, kTarget>;
    static constexpr int kResidentBlocks = 4;

    static Index blocks(const Arguments& pass) { return partsOf(pass.work.rows * pass.work.columns).count; }

    template <class Block>
    PLUMB_BODY static void run(Block& block, Shared& shared, const Arguments& pass) {
        const EncodeArguments& a = pass.work;
        const Index elements = a.rows * a.columns;
        const Parts parts = partsOf(elements);
        block.waitForEarlier();
        if (pass.firstScale && hasScale(a.report)) return;
        const EncodeState state = encodeState(a, pass.firstScale);
        const bool tallies = kTallies != Tallies::None && state.tally;
        typename Block::template PerThread<Seen> own{};
        for (Index part = block.index(); part < parts.count; part += block.count()) {
            const Index begin = part * parts.size;
            const Index end = smaller(begin + parts.size, elements);
            block.forThreads([&](int thread) {
                Seen& seen = own[thread];
                constexpr Index kStride = kThreads * kPack;
                Index at = begin + thread * kPack;
                // Two at a time: as many bytes have to be on their way as a memory answers late.
                for (; at + kStride + kPack <= end; at += 2 * kStride) {
                    float first[kPack];
                    float second[kPack];
                    encodeRun<kSource, kTarget, kTallies>(a, state, at, first, seen);
                    encodeRun<kSource, kTarget, kTallies>(a, state, at + kStride, second, seen);
                    if (!state.write) continue;
                    writeNumbers<kTarget>(a.out.data, at, state.encode, first);
                    writeNumbers<kTarget>(a.out.data, at + kStride, state.encode, second);
                }
                for (; at + kPack <= end; at += kStride) {
                    float v[kPack];
                    encodeRun<kSource, kTarget, kTallies>(a, state, at, v, seen);
                    if (state.write) writeNumbers<kTarget>(a.out.data, at, state.encode, v);
                }
                const Index rest = (end - begin) % kPack;
                if (thread < rest) {
                    float v[1];
                    at = end - rest + thread;
                    encodeRun<kSource, kTarget, kTallies>(a, state, at, v, seen);
                    if (state.write) writeNumbers<kTarget>(a.out.data, at, state.encode, v);
                }
            });
            if (tallies) storeTally(block, shared, own, a.report.sums, part);
        }
        if (tallies) finishPass(block, shared, a.report, kTarget, parts.count, pass.firstScale);
    }
};

/// Epilogue::Relu that notes the mask: a thread has one word of 32 neighbours. For where the library cannot.
template <Storage kTarget, Tallies kTallies>
struct ReluBitsBody {
    using Arguments = Pass<EncodeArguments>;
    using Shared = TallyShared;
    static constexpr Index kPack = kPackOf<kTarget, kTarget>;
    static constexpr int kResidentBlocks = 4;

    static Index words(const EncodeArguments& a) { return a.rows * (a.bitStride / 32); }
    static Index blocks(const Arguments& pass) { return partsOf(words(pass.work), kThreads).count; }

    template <class Block>
    PLUMB_BODY static void run(Block& block, Shared& shared, const Arguments& pass) {
        const EncodeArguments& a = pass.work;
        const Index stride = a.bitStride / 32;
        const Parts parts = partsOf(a.rows * stride, kThreads);
        block.waitForEarlier();
        const EncodeState state = encodeState(a, false);
        const bool tallies = kTallies != Tallies::None && state.tally;
        typename Block::template PerThread<Seen> own{};
        for (Index part = block.index(); part < parts.count; part += block.count()) {
            const Index begin = part * parts.size;
            const Index end = smaller(begin + parts.size, a.rows * stride);
            block.forThreads([&](int thread) {
                for (Index word = begin + thread; word < end; word += kThreads)
                    a.writeBits[word] = reluWord(a, state, word / stride, word % stride * 32, own[thread]);
            });
            if (tallies) storeTally(block, shared, own, a.report.sums, part);
        }
        if (tallies) finishPass(block, shared, a.report, kTarget, parts.count, false);
    }

private:
    template <int kCount>
    PLUMB_BODY static std::uint32_t writeRun(const EncodeArguments& a, const EncodeState& state, Index at,
                                             const float (&v)[kCount]) {
        if (state.write) writeNumbers<kTarget>(a.out.data, at, state.encode, v);
        std::uint32_t bits = 0;
        PLUMB_UNROLL
        for (int i = 0; i < kCount; ++i) {
            // Not in one expression, of which GCC 12 loses the index where it checks bounds.
            const std::uint32_t flag = 1U << static_cast<unsigned>(i);
            if (v[i] > 0) bits |= flag;
        }
        return bits;
    }
    PLUMB_BODY static std::uint32_t reluWord(const EncodeArguments& a, const EncodeState& state, Index row,
                                             Index column, Seen& seen) {
        const Index end = smaller(column + 32, a.columns);
        const Index base = row * a.columns;
        std::uint32_t bits = 0;
        Index c = column;
        if (a.columns % kPack == 0)
            // Two at a time, as in EncodeBody.
            for (; c + 2 * kPack <= end; c += 2 * kPack) {
                float first[kPack];
                float second[kPack];
                encodeRun<kTarget, kTarget, kTallies>(a, state, base + c, first, seen);
                encodeRun<kTarget, kTarget, kTallies>(a, state, base + c + kPack, second, seen);
                bits |= writeRun(a, state, base + c, first) << static_cast<unsigned>(c - column);
                bits |= writeRun(a, state, base + c + kPack, second)
                        << static_cast<unsigned>(c + kPack - column);
            }
        PLUMB_ROLLED
        for (; c < end; ++c) {
            float v[1];
            encodeRun<kTarget, kTarget, kTallies>(a, state, base + c, v, seen);
            bits |= writeRun(a, state, base + c, v) << static_cast<unsigned>(c - column);
        }
        return bits;
    }
};

}  // namespace plumb::cuda
