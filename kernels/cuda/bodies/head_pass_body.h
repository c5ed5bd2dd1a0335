// SPDX-License-Identifier: Apache-2.0
// Head, loss and the gradients of both in one pass over h, for few outputs. A round is eight rows: they are
// read from memory for y, and again from the cache for what follows from dy.
#pragma once

#include "core/plan/step_plan.h"
#include "kernels/cuda/bodies/head_body.h"
#include "kernels/cuda/bodies/loss_body.h"
#include "kernels/cuda/device_kernels.h"

namespace plumb::cuda {

/// What a part of the rows was seen to hold.
struct HeadSums {
    DoubleSum squares;  ///< of y - t
    Tally dy;
    Tally gradient;
    PLUMB_COMMON void add(const HeadSums& other) {
        squares.add(other.squares);
        dy.add(other.dy);
        gradient.add(other.gradient);
    }
};
static_assert(sizeof(HeadSums) <= kHeadPassSums);

/// Parts of the rows are added up in sets of so many, and then the sets.
inline constexpr Index kHeadSet = 16;
/// Most parts, over the outputs: as many sums of the weight gradient as stay in the cache.
inline constexpr Index kMostHeadParts = 256;

static_assert(1 + (kMostHeadParts + kHeadSet - 1) / kHeadSet <= kHeadPassTickets);

PLUMB_HOST_DEVICE constexpr Parts headPassParts(Index rows, Index outputs) {
    return partsOf((rows + kWarps - 1) / kWarps, 1, kMostHeadParts / outputs);
}

template <Storage kStorage, Tallies kTallies>
struct HeadPassBody {
    using Arguments = HeadPassArguments;
    using Forward = HeadForwardBody<kStorage>;
    static constexpr Storage kDy = gradientOf(kStorage);  ///< as products read it
    static constexpr Storage kResult = resultOf(kStorage);
    /// Columns of a thread: with as many as a pack of h has, 4 outputs take more registers than there are.
    static constexpr Index kColumns = 4;
    static constexpr int kMostOutputs = Forward::kAtOnce;
    static constexpr int kResidentBlocks = 2;
    /// Which sums there are.
    using Part = std::conditional_t<kTallies == Tallies::None, SquaresOf, Whole>;
    struct Seen2 {
        double squares = 0;
        Seen dy;
        Seen gradient;
    };
    struct Shared {
        typename Forward::Sum sums[kMostOutputs][kThreads];
        float dy[kWarps][kMostOutputs];
        HeadSums room[kThreads];
        std::uint32_t last;
    };

    static Index blocks(const HeadPassArguments& a) {
        return headPassParts(a.head.rows, a.head.outputs).count;
    }

    template <class Block>
    PLUMB_BODY static void run(Block& block, Shared& shared, const Arguments& a) {
        const HeadArguments& head = a.head;
        const Parts parts = headPassParts(head.rows, head.outputs);
        const Index sets = (parts.count + kHeadSet - 1) / kHeadSet;
        block.waitForEarlier();
        typename Block::template PerThread<Seen2> own{};
        for (Index part = block.index(); part < parts.count; part += block.count()) {
            const Index begin = part * parts.size * kWarps;
            const Index end = smaller(begin + parts.size * kWarps, head.rows);
            for (Index row = begin; row < end; row += kWarps)
                round(block, shared, a, own, part, row, end, row == begin);
            block.forThreads([&](int thread) {
                Seen2& seen = own[thread];
                shared.room[thread].squares.value = seen.squares;
                if constexpr (kTallies != Tallies::None) {
                    shared.room[thread].dy = seen.dy.tally();
                    shared.room[thread].gradient = seen.gradient.tally();
                }
                seen = Seen2{};
            });
            addUp<kThreads>(block, shared.room, Part{});
            block.forThreads([&](int thread) {
                if (thread == 0) Part{}(static_cast<HeadSums*>(a.sums)[part]) = Part{}(shared.room[0]);
            });
            const Index set = part / kHeadSet;
            const Index first = set * kHeadSet;
            const Index count = smaller(kHeadSet, parts.count - first);
            if (!block.isLast(head.tickets + 1 + set, shared.last, static_cast<std::uint32_t>(count)))
                continue;
            addSet(block, head, first, count);
            if (block.isLast(head.tickets, shared.last, static_cast<std::uint32_t>(sets)))
                finish(block, shared, a, parts.count, sets);
        }
    }

private:
    template <class Block>
    PLUMB_BODY static void round(Block& block, Shared& shared, const Arguments& a,
                                 typename Block::template PerThread<Seen2>& own, Index part, Index firstRow,
                                 Index end, bool isFirst) {
        const HeadArguments& head = a.head;
        block.forThreads([&](int thread) {
            const Index row = firstRow + thread / kLanes;
            float sums[kMostOutputs] = {};
            if (row < end)
                Forward::template addRow<Reuse::Soon>(head, row, thread % kLanes, 0, head.outputs, sums);
            PLUMB_UNROLL
            for (int k = 0; k < kMostOutputs; ++k) shared.sums[k][thread].value = sums[k];
        });
        for (int k = 0; k < head.outputs; ++k) addUp<kLanes>(block, shared.sums[k]);
        block.forThreads([&](int thread) {
            const Index row = firstRow + thread / kLanes;
            const int k = thread % kLanes;
            if (row < end && k < head.outputs)
                shared.dy[thread / kLanes][k] =
                    makeDy(a, row, k, shared.sums[k][thread - k].value, own[thread]);
        });
        const int rows = static_cast<int>(smaller(kWarps, end - firstRow));
        block.forThreads([&](int thread) {
            if (head.dim % kColumns == 0)
                for (Index column = thread * kColumns; column < head.dim; column += kThreads * kColumns)
                    columns<kColumns>(shared, a, own[thread], part, firstRow, rows, column, isFirst);
            else
                for (Index column = thread; column < head.dim; column += kThreads)
                    columns<1>(shared, a, own[thread], part, firstRow, rows, column, isFirst);
        });
    }

    /// Stores y and dy of one output, and returns dy as products read it, still times its scale.
    PLUMB_BODY static float makeDy(const Arguments& a, Index row, int k, float sum, Seen2& seen) {
        const HeadArguments& head = a.head;
        const Index at = row * head.outputs + k;
        const float y =
            Format<kStorage>::kScaled ? sum * (decodeFactor(head.h) * decodeFactor(head.weight)) : sum;
        head.y[at] = y;
        const float difference = y - a.t[at];
        seen.squares += static_cast<double>(difference) * static_cast<double>(difference);
        const double lossScale = a.dyReport.lossScale == nullptr ? 1 : a.dyReport.lossScale[kLossScaleValue];
        const float v = static_cast<float>(2 / a.outputsOfStep * lossScale) * difference;
        const float encode = encodeFactor(head.dy);
        see<kResult, kTallies>(seen.dy, v, encode);
        const float scaled[1] = {Format<kResult>::kScaled ? v * encode : v};
        Pack<TypeOf<kResult>, 1> pack;
        storeNumbers<kResult, false>(pack, scaled);
        storePack<1, Reuse::Soon>(static_cast<TypeOf<kResult>*>(head.dy.data) + at, pack);
        return loadNumber<kDy>(&pack.v[0]);
    }

    /// Some columns of all rows of a round: the gradient of h, and what they add to that of the weights.
    template <int kCount>
    PLUMB_BODY static void columns(const Shared& shared, const Arguments& a, Seen2& seen, Index part,
                                   Index firstRow, int rows, Index column, bool isFirst) {
        const HeadArguments& head = a.head;
        const auto* weight = static_cast<const TypeOf<kStorage>*>(head.weight.data) + column * head.outputs;
        const float factor =
            Format<kStorage>::kScaled ? decodeFactor(head.dy) * decodeFactor(head.weight) : 1;
        const float encode = encodeFactor(a.inputGradient);
        float w[kMostOutputs][kCount];
        float sums[kMostOutputs][kCount] = {};
        PLUMB_UNROLL
        for (int k = 0; k < kMostOutputs; ++k)
            if (k < head.outputs) {
                PLUMB_UNROLL
                for (int i = 0; i < kCount; ++i)
                    w[k][i] = loadNumber<kStorage>(weight + i * head.outputs + k);
            }
        PLUMB_ROLLED
        for (int row = 0; row < rows; ++row) {
            const Index at = (firstRow + row) * head.dim + column;
            const auto pack = loadAgain<kCount>(static_cast<const TypeOf<kStorage>*>(head.h.data) + at);
            float h[kCount];
            decode<kStorage>(pack, 1, h);
            float v[kCount] = {};
            PLUMB_UNROLL
            for (int k = 0; k < kMostOutputs; ++k)
                if (k < head.outputs) {
                    const float dy = shared.dy[row][k];
                    PLUMB_UNROLL
                    for (int i = 0; i < kCount; ++i) {
                        sums[k][i] += dy * h[i];
                        const float product = dy * w[k][i];
                        v[i] = k == 0 ? product : v[i] + product;
                    }
                }
            if (a.inputGradient.data == nullptr) continue;
            PLUMB_UNROLL
            for (int i = 0; i < kCount; ++i) {
                if constexpr (Format<kStorage>::kScaled) v[i] *= factor;
                if (a.masks) v[i] = Format<kStorage>::positive(pack.v[i]) ? v[i] : 0.0F;
                see<kResult, kTallies>(seen.gradient, v[i], encode);
            }
            writeNumbers<kResult>(a.inputGradient.data, at, encode, v);
        }
        PLUMB_UNROLL
        for (int k = 0; k < kMostOutputs; ++k)
            if (k < head.outputs) {
                float* const to = head.partials + (part * head.outputs + k) * head.dim + column;
                PLUMB_UNROLL
                for (int i = 0; i < kCount; ++i) to[i] = isFirst ? sums[k][i] : to[i] + sums[k][i];
            }
    }

    /// The sums of a set of parts, in place of those of its first one.
    template <class Block>
    PLUMB_BODY static void addSet(Block& block, const HeadArguments& head, Index first, Index count) {
        const Index numbers = head.dim * head.outputs;
        block.forThreads([&](int thread) {
            for (Index at = thread; at < numbers; at += kThreads) {
                float total = 0;
                for (Index part = first; part < first + count; ++part)
                    total += block.readFresh(head.partials + part * numbers + at);
                head.partials[first * numbers + at] = total;
            }
        });
    }

    template <class Block>
    PLUMB_BODY static void finish(Block& block, Shared& shared, const Arguments& a, Index parts, Index sets) {
        const HeadArguments& head = a.head;
        const Index numbers = head.dim * head.outputs;
        const float factor = Format<kStorage>::kScaled ? decodeFactor(head.h) * decodeFactor(head.dy) : 1;
        block.forThreads([&](int thread) {
            for (Index at = thread; at < numbers; at += kThreads) {
                float total = 0;
                for (Index set = 0; set < sets; ++set)
                    total += block.readFresh(head.partials + set * kHeadSet * numbers + at);
                if (Format<kStorage>::kScaled) total *= factor;
                const Index k = at / head.dim;
                HeadWeightGradientBody<kStorage>::store(head, (at - k * head.dim) * head.outputs + k, total);
            }
        });
        takeAmaxes(block, a.seen);
        addPartials(block, shared.room, static_cast<const HeadSums*>(a.sums), parts, Part{});
        block.forThreads([&](int thread) {
            if (thread != 0) return;
            const HeadSums& seen = shared.room[0];
            if constexpr (kTallies != Tallies::None) {
                if (a.dyReport.tally) reportTally(a.dyReport, kResult, seen.dy);
                if (head.report.tally) reportTally(head.report, kResult, seen.gradient);
            }
            setLoss(a.loss, seen.squares.value / a.outputsOfStep, head.accumulate);
        });
    }
};

}  // namespace plumb::cuda
