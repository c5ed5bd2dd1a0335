// SPDX-License-Identifier: Apache-2.0
// First weights, and the micro-batches: the very numbers of the CPU backend, since every one of them is a
// function of its place alone.
#pragma once

#include "core/base/philox.h"
#include "kernels/cuda/bodies/encode_body.h"

namespace plumb::cuda {

template <Storage kTarget>
struct FillBody {
    using Arguments = Pass<FillArguments>;
    using Shared = TallyShared;
    static constexpr Index kPack = 4;

    static Index blocks(const Arguments& pass) { return partsOf(pass.work.count).count; }

    PLUMB_BODY static float numberAt(const FillArguments& a, Index at) {
        const auto stream = static_cast<RandomStream>(a.stream);
        const auto index = static_cast<std::uint64_t>(at);
        if (a.truncated) return truncatedNormalAt(a.seed, stream, a.sub, index) * a.factor;
        const PhiloxBlock block = philoxAt(a.seed, stream, a.sub, index);
        return (a.uniform ? uniformFromPhilox(block) : normalFromPhilox(block)) * a.factor;
    }
    template <int kCount>
    PLUMB_BODY static void fill(const FillArguments& a, bool write, bool tallies, float factor, Index at,
                                Seen& seen) {
        float v[kCount];
        PLUMB_UNROLL
        for (int i = 0; i < kCount; ++i) v[i] = numberAt(a, at + i);
        if (tallies) {
            PLUMB_UNROLL
            for (int i = 0; i < kCount; ++i) see<kTarget>(seen, v[i], factor);
        }
        if (!write) return;
        if (a.master != nullptr) writeNumbers<Storage::Fp32>(a.master, at, 1, v);
        writeNumbers<kTarget>(a.out.data, at, factor, v);
    }

    template <class Block>
    PLUMB_BODY static void run(Block& block, Shared& shared, const Arguments& pass) {
        const FillArguments& a = pass.work;
        const bool tallies = pass.firstScale || a.report.tally;
        const Parts parts = partsOf(a.count);
        block.waitForEarlier();
        if (pass.firstScale && hasScale(a.report)) return;
        const float factor = pass.firstScale ? 1 : encodeFactor(a.out);
        typename Block::template PerThread<Seen> own{};
        for (Index part = block.index(); part < parts.count; part += block.count()) {
            const Index begin = part * parts.size;
            const Index end = smaller(begin + parts.size, a.count);
            block.forThreads([&](int thread) {
                Index at = begin + thread * kPack;
                for (; at + kPack <= end; at += kThreads * kPack)
                    fill<kPack>(a, !pass.firstScale, tallies, factor, at, own[thread]);
                const Index rest = (end - begin) % kPack;
                if (thread < rest)
                    fill<1>(a, !pass.firstScale, tallies, factor, end - rest + thread, own[thread]);
            });
            if (tallies) storeTally(block, shared, own, a.report.sums, part);
        }
        if (tallies) finishPass(block, shared, a.report, kTarget, parts.count, pass.firstScale, true);
    }
};

struct ConstantArguments {
    float* out = nullptr;
    std::int64_t count = 0;
    float value = 0;
};
struct ConstantBody {
    using Arguments = ConstantArguments;
    struct Shared {};
    static constexpr Index kPack = 4;
    static Index blocks(const ConstantArguments& a) { return partsOf(a.count).count; }
    template <class Block>
    PLUMB_BODY static void run(Block& block, Shared& /*shared*/, const Arguments& a) {
        const Parts parts = partsOf(a.count);
        block.waitForEarlier();
        for (Index part = block.index(); part < parts.count; part += block.count())
            block.forThreads([&](int thread) {
                const Index begin = part * parts.size;
                const Index end = smaller(begin + parts.size, a.count);
                const Pack<float, kPack> values{{a.value, a.value, a.value, a.value}};
                for (Index i = begin + thread * kPack; i + kPack <= end; i += kThreads * kPack)
                    storePack<kPack, Reuse::Soon>(a.out + i, values);
                const Index rest = (end - begin) % kPack;
                if (thread < rest) a.out[end - rest + thread] = a.value;
            });
    }
};

/// The synthetic task. A block has some rows; it makes 1024 of their numbers at a time, and 16 threads to a
/// row add them up in the lanes and the order of the CPU.
template <Storage kTarget, Tallies kTallies>
struct SynthesiseBody {
    using Arguments = Pass<SynthesiseArguments>;
    static constexpr int kNumbers = 1024;
    static constexpr Index kPack = 4;
    static constexpr int kMostRows = 16;
    static constexpr int kResidentBlocks = 2;
    static constexpr int kSums = 16;  ///< 8 lanes of sums, 8 of sums times the place
    struct Shared {
        TallyShared tally;
        float x[kNumbers];
        double lanes[kMostRows * kSums];
        float noise[kThreads];
        float wrapping[kThreads];
    };

    PLUMB_HOST_DEVICE static Index rowsOf(const SynthesiseArguments& a) {
        Index rows = kMostRows;
        while (rows > 1 && a.rows < 512 * rows) rows /= 2;
        return rows;
    }
    PLUMB_HOST_DEVICE static Parts partsOfRows(const SynthesiseArguments& a) {
        return partsOf((a.rows + rowsOf(a) - 1) / rowsOf(a), 1);
    }
    static Index blocks(const Arguments& pass) { return partsOfRows(pass.work).count; }

    PLUMB_BODY static float deviate(const SynthesiseArguments& a, RandomStream stream, std::int64_t step,
                                    Index index) {
        return normalFromPhilox(
            philoxAt(a.seed, stream, static_cast<std::uint32_t>(step), static_cast<std::uint64_t>(index)));
    }

    template <class Block>
    PLUMB_BODY static void run(Block& block, Shared& shared, const Arguments& pass) {
        const SynthesiseArguments& a = pass.work;
        const bool tallies = kTallies != Tallies::None && (pass.firstScale || a.report.tally);
        const Index together = rowsOf(a);
        const Index groups = (a.rows + together - 1) / together;
        const Parts parts = partsOfRows(a);
        block.waitForEarlier();
        if (pass.firstScale && hasScale(a.report)) return;
        const std::int64_t step = stepOf(a.clock);
        typename Block::template PerThread<Seen> own{};
        for (Index part = block.index(); part < parts.count; part += block.count()) {
            const Index end = smaller((part + 1) * parts.size, groups);
            for (Index group = part * parts.size; group < end; ++group) {
                features(block, shared, pass, step, group * together, together, own);
                if (!pass.firstScale) targets(block, shared, a, step, group * together, together);
            }
            if (tallies) storeTally(block, shared.tally, own, a.report.sums, part);
        }
        if (tallies)
            finishPass(block, shared.tally, a.report, kTarget, parts.count, pass.firstScale, a.whole);
    }

private:
    template <class Block, class Own>
    PLUMB_BODY static void features(Block& block, Shared& shared, const Arguments& pass, std::int64_t step,
                                    Index firstRow, Index together, Own& own) {
        const SynthesiseArguments& a = pass.work;
        const Index columns = kNumbers / together;
        const Index firstSample = a.microBatch * a.rows;
        typename Block::template PerThread<double> sum{};
        for (Index column = 0; column < a.dim; column += columns) {
            block.forThreads([&](int thread) {
                const Index at = thread * kPack;
                const Index row = firstRow + at / columns;
                const Index c = column + at % columns;
                if (row >= a.rows || c >= a.dim) return;
                make(pass, step, (firstSample + row) * a.dim + c, row * a.dim + c, smaller(4, a.dim - c),
                     shared.x + at, own[thread]);
            });
            block.forThreads([&](int thread) {
                const Index row = thread / kSums;
                if (row >= together || firstRow + row >= a.rows) return;
                const int lane = thread % 8;
                const bool weighted = thread % kSums >= 8;
                const Index some = smaller(columns, a.dim - column);
                const float* x = shared.x + row * columns;
                double total = sum[thread];
                for (Index c = lane; c < some; c += 8) {
                    const auto value = static_cast<double>(x[c]);
                    total += weighted ? static_cast<double>(column + c) * value : value;
                }
                sum[thread] = total;
            });
        }
        block.forThreads([&](int thread) {
            if (thread < kMostRows * kSums) shared.lanes[thread] = sum[thread];
        });
    }

    /// Up to four neighbours, from element `index` of the stream on; at `place` of x.
    PLUMB_BODY static void make(const Arguments& pass, std::int64_t step, Index index, Index place,
                                Index count, float* room, Seen& seen) {
        const SynthesiseArguments& a = pass.work;
        const float factor = pass.firstScale ? 1 : encodeFactor(a.x);
        float v[4];
        PLUMB_UNROLL
        for (int i = 0; i < 4; ++i) {
            v[i] = deviate(a, RandomStream::Features, step, index + i);
            if (i < count) room[i] = v[i];
            if (i < count) see<kTarget, kTallies>(seen, v[i], factor);
        }
        if (pass.firstScale || a.x.data == nullptr) return;
        if (count == 4 && a.dim % 4 == 0) {
            writeNumbers<kTarget>(a.x.data, place, factor, v);
            return;
        }
        for (int i = 0; i < count; ++i) {
            const float one[1] = {v[i]};
            writeNumbers<kTarget>(a.x.data, place + i, factor, one);
        }
    }

    PLUMB_BODY static double sumOfLanes(const double* lanes) {
        return ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) +
               ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]));
    }

    /// Every weight grows by 1 from one output to the next, but the largest, D - 1, which falls to 0.
    template <class Block>
    PLUMB_BODY static void targets(Block& block, Shared& shared, const SynthesiseArguments& a,
                                   std::int64_t step, Index firstRow, Index together) {
        const Index atOnce = kThreads / together;
        const Index firstSample = a.microBatch * a.rows;
        typename Block::template PerThread<double> sums{};
        typename Block::template PerThread<double> weighted{};
        block.forThreads([&](int thread) {
            if (thread >= together) return;
            const double* lanes = shared.lanes + thread * kSums;
            sums[thread] = sumOfLanes(lanes);
            weighted[thread] = a.dim == 1 ? sums[thread] : sumOfLanes(lanes + 8);
        });
        for (Index first = 0; first < a.outputs; first += atOnce) {
            block.forThreads([&](int thread) {
                const Index row = firstRow + thread / atOnce;
                const Index k = first + thread % atOnce;
                if (row >= a.rows || k >= a.outputs) return;
                const Index sample = firstSample + row;
                shared.noise[thread] = deviate(a, RandomStream::Noise, step, sample * a.outputs + k);
                shared.wrapping[thread] =
                    deviate(a, RandomStream::Features, step, sample * a.dim + a.dim - 1 - k % a.dim);
            });
            block.forThreads([&](int thread) {
                const Index row = firstRow + thread;
                if (thread >= together || row >= a.rows) return;
                const Index some = smaller(atOnce, a.outputs - first);
                for (Index k = 0; k < some; ++k) {
                    const Index at = thread * atOnce + k;
                    a.t[row * a.outputs + first + k] = static_cast<float>(
                        weighted[thread] * a.scale + a.noise * static_cast<double>(shared.noise[at]));
                    if (a.dim > 1)
                        weighted[thread] += sums[thread] - static_cast<double>(a.dim) *
                                                               static_cast<double>(shared.wrapping[at]);
                }
            });
        }
    }
};

/// Staged rows: features are encoded, targets copied.
template <Storage kTarget, Tallies kTallies>
struct LoadBody {
    using Arguments = Pass<LoadArguments>;
    using Shared = TallyShared;
    static constexpr Index kPack = 4;

    static Index blocks(const Arguments& pass) { return partsOf(pass.work.rows * pass.work.dim).count; }

    template <class Block>
    PLUMB_BODY static void run(Block& block, Shared& shared, const Arguments& pass) {
        const LoadArguments& a = pass.work;
        const Parts parts = partsOf(a.rows * a.dim);
        block.waitForEarlier();
        if (pass.firstScale && hasScale(a.report)) return;
        const Index numbers = a.rows * (a.dim + a.outputs);
        const Index half = a.half >= 0 ? a.half : (stepOf(a.clock) * a.microBatches + a.microBatch) % 2;
        const float* from = a.staging + half * numbers;
        EncodeArguments encode;
        encode.in.data = const_cast<float*>(from);
        encode.out = a.x;
        encode.rows = a.rows;
        encode.columns = a.dim;
        encode.report = a.report;
        const EncodeState state = encodeState(encode, pass.firstScale);
        const bool tallies = kTallies != Tallies::None && state.tally;
        // The second half may begin anywhere.
        const bool aligned = numbers % 4 == 0;
        typename Block::template PerThread<Seen> own{};
        for (Index part = block.index(); part < parts.count; part += block.count()) {
            const Index begin = part * parts.size;
            const Index end = smaller(begin + parts.size, a.rows * a.dim);
            block.forThreads([&](int thread) {
                const Index whole = aligned ? begin + (end - begin) / kPack * kPack : begin;
                for (Index at = begin + thread * kPack; at < whole; at += kThreads * kPack)
                    load<kPack>(encode, state, at, own[thread]);
                for (Index at = whole + thread; at < end; at += kThreads)
                    load<1>(encode, state, at, own[thread]);
            });
            if (tallies) storeTally(block, shared, own, a.report.sums, part);
        }
        if (!pass.firstScale)
            block.forThreads([&](int thread) {
                const Index targets = a.rows * a.outputs;
                for (Index i = block.index() * kThreads + thread; i < targets; i += block.count() * kThreads)
                    a.t[i] = from[a.rows * a.dim + i];
            });
        if (tallies) finishPass(block, shared, a.report, kTarget, parts.count, pass.firstScale);
    }

private:
    template <int kCount>
    PLUMB_BODY static void load(const EncodeArguments& encode, const EncodeState& state, Index at,
                                Seen& seen) {
        float v[kCount];
        encodeRun<Storage::Fp32, kTarget, kTallies>(encode, state, at, v, seen);
        if (state.write) writeNumbers<kTarget>(encode.out.data, at, state.encode, v);
    }
};

}  // namespace plumb::cuda
