// SPDX-License-Identifier: Apache-2.0
// The head's three products, for few outputs: each is bound by the one large matrix that it reads or writes.
#pragma once

#include "kernels/cuda/bodies/encode_body.h"

namespace plumb::cuda {

/// How dy is stored beside h, and how a gradient of h is: tf32 is a way of reading.
PLUMB_HOST_DEVICE constexpr Storage gradientOf(Storage h) {
    return h == Storage::Fp8E4M3 ? Storage::Fp8E5M2 : h;
}
PLUMB_HOST_DEVICE constexpr Storage resultOf(Storage h) {
    return h == Storage::Tf32 ? Storage::Fp32 : gradientOf(h);
}

/// y = h W: a warp to a row.
template <Storage kStorage>
struct HeadForwardBody {
    using Arguments = HeadArguments;
    static constexpr Index kPack = sizeof(TypeOf<kStorage>) == 4 ? 4 : 8;
    static constexpr int kAtOnce = 4;  ///< outputs that share a reading of h
    using Run = Pack<TypeOf<kStorage>, kPack>;
    static constexpr int kRuns =
        32 / static_cast<int>(sizeof(Run));  ///< packs that are on their way together
    static constexpr int kResidentBlocks = 4;
    struct Sum {
        float value = 0;
        PLUMB_COMMON void add(const Sum& other) { value += other.value; }
    };
    struct Shared {
        Sum room[kAtOnce][kThreads];
    };

    PLUMB_HOST_DEVICE static Parts partsOfRows(const HeadArguments& a) {
        return partsOf((a.rows + kWarps - 1) / kWarps, 1);
    }
    static Index blocks(const HeadArguments& a) { return partsOfRows(a).count; }

    template <class Block>
    PLUMB_BODY static void run(Block& block, Shared& shared, const Arguments& a) {
        const Parts parts = partsOfRows(a);
        block.waitForEarlier();
        const float factor = Format<kStorage>::kScaled ? decodeFactor(a.h) * decodeFactor(a.weight) : 1;
        for (Index part = block.index(); part < parts.count; part += block.count())
            for (Index group = part * parts.size; group < (part + 1) * parts.size; ++group) {
                if (group * kWarps >= a.rows) break;
                for (Index first = 0; first < a.outputs; first += kAtOnce)
                    some(block, shared, a, factor, group * kWarps, first);
            }
    }

private:
    template <int kCount>
    PLUMB_BODY static void addRun(const HeadArguments& a, const Pack<TypeOf<kStorage>, kCount>& run,
                                  Index column, Index first, Index outputs, float (&sums)[kAtOnce]) {
        // One by one, and column after column: otherwise fp8 takes more registers than there are on sm_100.
        float h[kCount];
        PLUMB_UNROLL
        for (int i = 0; i < kCount; ++i) h[i] = loadNumber<kStorage>(&run.v[i]);
        if (a.outputs == 1) {  // the weights are neighbours
            float w[kCount];
            readAgain<kStorage>(a.weight.data, column, 1, w);
            PLUMB_UNROLL
            for (int i = 0; i < kCount; ++i) sums[0] += h[i] * w[i];
            return;
        }
        const auto* weight = static_cast<const TypeOf<kStorage>*>(a.weight.data);
        if constexpr (Format<kStorage>::kScaled) {
            PLUMB_UNROLL
            for (int i = 0; i < kCount; ++i) {
                const auto* const row = weight + (column + i) * a.outputs + first;
                PLUMB_UNROLL
                for (int k = 0; k < kAtOnce; ++k)
                    if (k < outputs) sums[k] += h[i] * loadNumber<kStorage>(row + k);
            }
        } else {
            PLUMB_UNROLL
            for (int k = 0; k < kAtOnce; ++k)
                if (k < outputs) {
                    PLUMB_UNROLL
                    for (int i = 0; i < kCount; ++i)
                        sums[k] += h[i] * loadNumber<kStorage>(weight + (column + i) * a.outputs + first + k);
                }
        }
    }

public:
    /// What one lane adds up of the outputs of a row.
    template <Reuse kReuse>
    PLUMB_BODY static void addRow(const HeadArguments& a, Index row, int lane, Index first, Index outputs,
                                  float (&sums)[kAtOnce]) {
        const auto* h = static_cast<const TypeOf<kStorage>*>(a.h.data) + row * a.dim;
        constexpr Index kStride = kLanes * kPack;
        if (a.dim % kPack == 0) {
            Index i = lane * kPack;
            for (; i + (kRuns - 1) * kStride < a.dim; i += kRuns * kStride) {
                Run runs[kRuns];
                PLUMB_UNROLL
                for (int j = 0; j < kRuns; ++j) runs[j] = loadPack<kPack, kReuse>(h + i + j * kStride);
                PLUMB_UNROLL
                for (int j = 0; j < kRuns; ++j)
                    addRun<kPack>(a, runs[j], i + j * kStride, first, outputs, sums);
            }
            PLUMB_ROLLED
            for (; i < a.dim; i += kStride)
                addRun<kPack>(a, loadPack<kPack, kReuse>(h + i), i, first, outputs, sums);
        } else {
            PLUMB_ROLLED
            for (Index i = lane; i < a.dim; i += kLanes)
                addRun<1>(a, loadPack<1, kReuse>(h + i), i, first, outputs, sums);
        }
    }

private:
    template <class Block>
    PLUMB_BODY static void some(Block& block, Shared& shared, const HeadArguments& a, float factor,
                                Index firstRow, Index first) {
        const Index outputs = smaller(kAtOnce, a.outputs - first);
        block.forThreads([&](int thread) {
            const Index row = firstRow + thread / kLanes;
            float sums[kAtOnce] = {};
            if (row < a.rows) addRow<Reuse::None>(a, row, thread % kLanes, first, outputs, sums);
            PLUMB_UNROLL
            for (int k = 0; k < kAtOnce; ++k) shared.room[k][thread].value = sums[k];
        });
        for (int k = 0; k < outputs; ++k) addUp<kLanes>(block, shared.room[k]);
        block.forThreads([&](int thread) {
            const Index row = firstRow + thread / kLanes;
            const int k = thread % kLanes;
            if (row < a.rows && k < outputs) {
                const float y = shared.room[k][thread - k].value;
                a.y[row * a.outputs + first + k] = Format<kStorage>::kScaled ? y * factor : y;
            }
        });
    }
};

/// dW = h^T dy: a block has some columns and a part of the rows; the last one of the columns adds up the
/// parts.
template <Storage kStorage>
struct HeadWeightGradientBody {
    using Arguments = HeadArguments;
    static constexpr Storage kDy = gradientOf(kStorage);
    static constexpr Index kPack = sizeof(TypeOf<kStorage>) == 4 ? 4 : 8;
    static constexpr Index kColumns = kLanes * kPack;
    static constexpr int kAtOnce = 4;
    using Run = Pack<TypeOf<kStorage>, kPack>;
    /// Rows that are on their way together: as many as there are registers for.
    static constexpr int kRuns = 4;
    static constexpr int kResidentBlocks = 2;
    struct Shared {
        float room[kWarps][kColumns];
        std::uint32_t last;
    };

    PLUMB_HOST_DEVICE static Index groups(Index dim) { return (dim + kColumns - 1) / kColumns; }
    PLUMB_HOST_DEVICE static Parts partsOfRows(Index rows) { return partsOf(rows, 64, 64); }
    static Index blocks(const HeadArguments& a) { return groups(a.dim) * partsOfRows(a.rows).count; }

    template <class Block>
    PLUMB_BODY static void run(Block& block, Shared& shared, const Arguments& a) {
        const Index all = groups(a.dim);
        const Parts parts = partsOfRows(a.rows);
        block.waitForEarlier();
        for (Index at = block.index(); at < all * parts.count; at += block.count()) {
            const Index group = at % all;
            const Index part = at / all;
            for (Index first = 0; first < a.outputs; first += kAtOnce)
                some(block, shared, a, group, part, parts, first);
            if (block.isLast(a.tickets + group, shared.last, static_cast<std::uint32_t>(parts.count)))
                finish(block, a, group, parts.count);
        }
    }

private:
    template <int kCount>
    PLUMB_BODY static void addRow(const HeadArguments& a, const Pack<TypeOf<kStorage>, kCount>& run,
                                  Index row, Index first, Index outputs, float (&sums)[kAtOnce][kPack]) {
        float h[kCount];
        decode<kStorage>(run, 1, h);
        const auto* dy = static_cast<const TypeOf<kDy>*>(a.dy.data);
        PLUMB_UNROLL
        for (int k = 0; k < kAtOnce; ++k)
            if (k < outputs) {
                const float factor = loadNumber<kDy>(dy + row * a.outputs + first + k);
                PLUMB_UNROLL
                for (int i = 0; i < kCount; ++i) sums[k][i] += factor * h[i];
            }
    }

    template <class Block>
    PLUMB_BODY static void some(Block& block, Shared& shared, const HeadArguments& a, Index group, Index part,
                                const Parts& parts, Index first) {
        struct Accumulators {
            float sum[kAtOnce][kPack] = {};
        };
        const Index outputs = smaller(kAtOnce, a.outputs - first);
        typename Block::template PerThread<Accumulators> own{};
        block.forThreads([&](int thread) {
            const Index column = group * kColumns + thread % kLanes * kPack;
            const Index end = smaller((part + 1) * parts.size, a.rows);
            auto& sums = own[thread].sum;
            const Index begin = part * parts.size + thread / kLanes;
            const auto* h = static_cast<const TypeOf<kStorage>*>(a.h.data) + column;
            if (a.dim % kPack == 0) {
                if (column >= a.dim) return;
                Index row = begin;
                for (; row + (kRuns - 1) * kWarps < end; row += kRuns * kWarps) {
                    Run runs[kRuns];
                    PLUMB_UNROLL
                    for (int j = 0; j < kRuns; ++j) runs[j] = loadPack<kPack>(h + (row + j * kWarps) * a.dim);
                    PLUMB_UNROLL
                    for (int j = 0; j < kRuns; ++j)
                        addRow<kPack>(a, runs[j], row + j * kWarps, first, outputs, sums);
                }
                PLUMB_ROLLED
                for (; row < end; row += kWarps)
                    addRow<kPack>(a, loadPack<kPack>(h + row * a.dim), row, first, outputs, sums);
            } else {
                PLUMB_ROLLED
                for (Index row = begin; row < end; row += kWarps) {
                    PLUMB_UNROLL
                    for (int i = 0; i < kPack; ++i) {
                        float one[kAtOnce][kPack] = {};
                        if (column + i >= a.dim) continue;
                        addRow<1>(a, loadPack<1>(h + row * a.dim + i), row, first, outputs, one);
                        PLUMB_UNROLL
                        for (int k = 0; k < kAtOnce; ++k) sums[k][i] += one[k][0];
                    }
                }
            }
        });
        PLUMB_UNROLL
        for (int k = 0; k < kAtOnce; ++k) {
            if (k >= outputs) continue;
            block.forThreads([&](int thread) {
                PLUMB_UNROLL
                for (int i = 0; i < kPack; ++i)
                    shared.room[thread / kLanes][thread % kLanes * kPack + i] = own[thread].sum[k][i];
            });
            block.forThreads([&](int thread) {
                const Index column = group * kColumns + thread;
                if (thread >= kColumns || column >= a.dim) return;
                float total = 0;
                for (int warp = 0; warp < kWarps; ++warp) total += shared.room[warp][thread];
                a.partials[(part * a.outputs + first + k) * a.dim + column] = total;
            });
        }
    }

    template <class Block>
    PLUMB_BODY static void finish(Block& block, const HeadArguments& a, Index group, Index parts) {
        const float factor = Format<kStorage>::kScaled ? decodeFactor(a.h) * decodeFactor(a.dy) : 1;
        block.forThreads([&](int thread) {
            const Index column = group * kColumns + thread;
            if (thread >= kColumns || column >= a.dim) return;
            for (Index k = 0; k < a.outputs; ++k) {
                float total = 0;
                for (Index part = 0; part < parts; ++part)
                    total += block.readFresh(a.partials + (part * a.outputs + k) * a.dim + column);
                if (Format<kStorage>::kScaled) total *= factor;
                store(a, column * a.outputs + k, total);
            }
        });
    }
    template <Storage kResult>
    PLUMB_BODY static void storeAs(const HeadArguments& a, Index at, float value) {
        auto* to = static_cast<TypeOf<kResult>*>(a.result.data) + at;
        Format<kResult>::store(to, a.accumulate ? value + Format<kResult>::load(to) : value);
    }

public:
    /// A number of the gradient, added to what is there where that is asked for.
    PLUMB_BODY static void store(const HeadArguments& a, Index at, float value) {
        if (a.result.storage == Storage::Bf16)
            storeAs<Storage::Bf16>(a, at, value);
        else if (a.result.storage == Storage::Fp16)
            storeAs<Storage::Fp16>(a, at, value);
        else
            storeAs<Storage::Fp32>(a, at, value);
    }
};

/// g = dy W^T under the mask of h, in the order of the CPU's sums.
template <Storage kStorage, Tallies kTallies>
struct HeadInputGradientBody {
    using Arguments = Pass<HeadArguments>;
    using Shared = TallyShared;
    static constexpr Storage kDy = gradientOf(kStorage);
    static constexpr Storage kResult = resultOf(kStorage);
    static constexpr Index kPack = sizeof(TypeOf<kResult>) == 4 ? 4 : 8;
    /// Eight numbers at once take more registers than five blocks leave.
    static constexpr int kResidentBlocks = kPack == 8 ? 4 : 5;

    static Index blocks(const Arguments& pass) { return partsOf(pass.work.rows * pass.work.dim).count; }

    template <class Block>
    PLUMB_BODY static void run(Block& block, Shared& shared, const Arguments& pass) {
        const HeadArguments& a = pass.work;
        const bool tallies = kTallies != Tallies::None && (pass.firstScale || a.report.tally);
        const Index elements = a.rows * a.dim;
        const double inverse = 1 / static_cast<double>(a.dim);
        const Parts parts = partsOf(elements);
        block.waitForEarlier();
        if (pass.firstScale && hasScale(a.report)) return;
        typename Block::template PerThread<Seen> own{};
        for (Index part = block.index(); part < parts.count; part += block.count()) {
            const Index begin = part * parts.size;
            const Index end = smaller(begin + parts.size, elements);
            block.forThreads([&](int thread) {
                if (a.dim % kPack == 0)
                    for (Index at = begin + thread * kPack; at < end; at += kThreads * kPack)
                        make<kPack>(pass, inverse, at, own[thread]);
                else
                    for (Index at = begin + thread; at < end; at += kThreads)
                        make<1>(pass, inverse, at, own[thread]);
            });
            if (tallies) storeTally(block, shared, own, a.report.sums, part);
        }
        if (tallies) finishPass(block, shared, a.report, kResult, parts.count, pass.firstScale);
    }

private:
    template <int kCount>
    PLUMB_BODY static void make(const Arguments& pass, double inverse, Index at, Seen& seen) {
        const HeadArguments& a = pass.work;
        const auto [row, column] = placeOf(at, a.dim, inverse);
        const auto* dy = static_cast<const TypeOf<kDy>*>(a.dy.data) + row * a.outputs;
        const auto* weight = static_cast<const TypeOf<kStorage>*>(a.weight.data) + column * a.outputs;
        float v[kCount] = {};
        if (a.outputs == 1) {  // the weights are neighbours
            readAgain<kStorage>(a.weight.data, column, 1, v);
            const float factor = loadNumber<kDy>(dy);
            PLUMB_UNROLL
            for (int i = 0; i < kCount; ++i) v[i] = factor * v[i];
        } else {
            for (Index k = 0; k < a.outputs; ++k) {
                const float factor = loadNumber<kDy>(dy + k);
                PLUMB_UNROLL
                for (int i = 0; i < kCount; ++i) {
                    const float product = factor * loadNumber<kStorage>(weight + i * a.outputs + k);
                    v[i] = k == 0 ? product : v[i] + product;
                }
            }
        }
        if constexpr (Format<kStorage>::kScaled) {
            const float factor = decodeFactor(a.dy) * decodeFactor(a.weight);
            PLUMB_UNROLL
            for (int i = 0; i < kCount; ++i) v[i] *= factor;
        }
        if (a.h.data != nullptr) {
            const auto h = loadPack<kCount, Reuse::Soon>(static_cast<const TypeOf<kStorage>*>(a.h.data) + at);
            PLUMB_UNROLL
            for (int i = 0; i < kCount; ++i) v[i] = Format<kStorage>::positive(h.v[i]) ? v[i] : 0.0F;
        }
        const float encode = pass.firstScale ? 1 : encodeFactor(a.result);
        // The choice keeps apart what takes registers: all of it at once is more than there are.
        if (kTallies != Tallies::None && (pass.firstScale || a.report.tally)) {
            PLUMB_UNROLL
            for (int i = 0; i < kCount; ++i) see<kResult, kTallies>(seen, v[i], encode);
        }
        if (!pass.firstScale && a.result.data != nullptr) writeNumbers<kResult>(a.result.data, at, encode, v);
    }
};

}  // namespace plumb::cuda
