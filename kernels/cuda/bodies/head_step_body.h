// SPDX-License-Identifier: Apache-2.0
// Head, loss and all three of their gradients in one launch, for one output and rows that fit in a warp's
// registers: h is read once. For steps that are bound by launches.
#pragma once

#include "kernels/cuda/bodies/head_body.h"
#include "kernels/cuda/bodies/loss_body.h"

namespace plumb::cuda {

/// What a block of HeadStepBody saw; its part of the weights' gradient lies elsewhere.
struct HeadSums {
    double squares = 0;
    Tally dy;
    Tally g;
    PLUMB_COMMON void add(const HeadSums& other) {
        squares += other.squares;
        dy.add(other.dy);
        g.add(other.g);
    }
};

/// Most blocks: as many partial gradients are added up in the end.
inline constexpr Index kHeadBlocks = 128;

/// Rows in groups of one for each warp.
PLUMB_HOST_DEVICE constexpr Parts headStepParts(Index rows) {
    return partsOf((rows + kWarps - 1) / kWarps, 1, kHeadBlocks);
}
PLUMB_HOST_DEVICE constexpr Index headStepSumsBytes(Index rows) {
    return headStepParts(rows).count * static_cast<Index>(sizeof(HeadSums));
}

/// kPacks packs to a lane: rows of up to 32 * kPacks * kPack numbers.
template <Storage kStorage, int kPacks>
struct HeadStepBody {
    using Arguments = HeadStepArguments;
    static constexpr Storage kDy = resultOf(kStorage);
    static constexpr Index kPack = HeadForwardBody<kStorage>::kPack;
    static constexpr Index kColumns = kLanes * kPack * kPacks;
    static constexpr int kResidentBlocks = 2;
    using Sum = typename HeadForwardBody<kStorage>::Sum;
    struct Shared {
        union {
            HeadSums sums[kThreads];
            float gradient[kWarps][kColumns];
        };
        Sum dots[kThreads];
        std::uint32_t last;
        PLUMB_HOST_DEVICE Shared() {}  // NOLINT(modernize-use-equals-default): the union forbids it
    };
    /// What a thread keeps of its row, and from row to row.
    struct Own {
        float h[kPacks][kPack];
        float gradient[kPacks][kPack] = {};
        double squares = 0;
        Seen dy;
        Seen g;
    };
    struct Factors {
        float y = 1;         ///< fp8: of a product of h and a weight
        float gradient = 1;  ///< of dy and h
        float input = 1;     ///< of dy and a weight
        float dy = 1;        ///< how dy is stored
        float g = 1;         ///< how g is stored
        float scale = 1;     ///< of a difference in dy
    };

    static Index blocks(const HeadStepArguments& a) { return headStepParts(a.head.rows).count; }

    template <class Block>
    PLUMB_BODY static void run(Block& block, Shared& shared, const Arguments& a) {
        const Parts parts = headStepParts(a.head.rows);
        auto* sums = static_cast<HeadSums*>(a.sums.partials);
        auto* gradients = reinterpret_cast<float*>(sums + parts.count);
        const Factors factors = factorsOf(a);
        for (Index part = block.index(); part < parts.count; part += block.count()) {
            typename Block::template PerThread<Own> own{};
            for (Index group = part * parts.size; group < (part + 1) * parts.size; ++group) {
                if (group * kWarps >= a.head.rows) break;
                rows(block, shared, a, factors, group * kWarps, own);
            }
            storeGradient(block, shared, a, gradients + part * a.head.dim, own);
            block.forThreads([&](int thread) {
                shared.sums[thread] = {own[thread].squares, own[thread].dy.tally(), own[thread].g.tally()};
            });
            addUp<kThreads>(block, shared.sums);
            block.forThreads([&](int thread) {
                if (thread == 0) sums[part] = shared.sums[0];
            });
        }
        if (!block.isLast(a.sums.ticket, shared.last, static_cast<std::uint32_t>(block.count()))) return;
        addPartials(block, shared.sums, sums, parts.count);
        block.forThreads([&](int thread) {
            for (Index column = thread; column < a.head.dim; column += kThreads) {
                float total = 0;
                for (Index part = 0; part < parts.count; ++part)
                    total += block.readFresh(gradients + part * a.head.dim + column);
                HeadWeightGradientBody<kStorage>::store(a.head, column, total * factors.gradient);
            }
            if (thread == 0) finish(a, shared.sums[0]);
        });
    }

private:
    PLUMB_BODY static Factors factorsOf(const HeadStepArguments& a) {
        const double lossScale = a.dyReport.lossScale == nullptr ? 1 : a.dyReport.lossScale[kLossScaleValue];
        Factors f;
        f.scale = static_cast<float>(2 / a.outputsOfStep * lossScale);
        if constexpr (Format<kStorage>::kScaled) {
            f.y = decodeFactor(a.head.h) * decodeFactor(a.head.weight);
            f.gradient = decodeFactor(a.head.h) * decodeFactor(a.head.dy);
            f.input = decodeFactor(a.head.dy) * decodeFactor(a.head.weight);
            f.dy = encodeFactor(a.head.dy);
            f.g = encodeFactor(a.inputGradient);
        }
        return f;
    }

    template <class Block, class Threads>
    PLUMB_BODY static void rows(Block& block, Shared& shared, const HeadStepArguments& a, const Factors& f,
                                Index first, Threads& own) {
        const auto* weight = static_cast<const TypeOf<kStorage>*>(a.head.weight.data);
        block.forThreads([&](int thread) {
            const Index row = first + thread / kLanes;
            float sum = 0;
            PLUMB_UNROLL
            for (int pack = 0; pack < kPacks; ++pack) {
                const Index column = columnOf(thread, pack);
                if (row >= a.head.rows || column >= a.head.dim) continue;
                readNumbers<kStorage>(a.head.h.data, row * a.head.dim + column, 1, own[thread].h[pack]);
                const auto w = loadPack<kPack, Reuse::Soon>(weight + column);
                PLUMB_UNROLL
                for (int i = 0; i < kPack; ++i)
                    sum += own[thread].h[pack][i] * Format<kStorage>::load(&w.v[i]);
            }
            shared.dots[thread].value = sum;
        });
        addUp<kLanes>(block, shared.dots);
        block.forThreads([&](int thread) {
            const Index row = first + thread / kLanes;
            if (row >= a.head.rows) return;
            const float dot = shared.dots[thread - thread % kLanes].value;
            const float y = Format<kStorage>::kScaled ? dot * f.y : dot;
            const float difference = y - a.t[row];
            const float v = f.scale * difference;
            TypeOf<kDy> stored;
            Format<kDy>::store(&stored, Format<kDy>::kScaled ? v * f.dy : v);
            if (thread % kLanes == 0) {
                a.head.y[row] = y;
                static_cast<TypeOf<kDy>*>(a.head.dy.data)[row] = stored;
                own[thread].squares += static_cast<double>(difference) * static_cast<double>(difference);
                if (a.dyReport.tally) see<kDy>(own[thread].dy, v, f.dy);
            }
            // As the products of their own read it.
            gradients(a, f, row, Format<gradientOf(kStorage)>::load(&stored), thread, own[thread]);
        });
    }

    PLUMB_BODY static Index columnOf(int thread, int pack) {
        return (thread % kLanes + pack * kLanes) * static_cast<Index>(kPack);
    }

    PLUMB_BODY static void gradients(const HeadStepArguments& a, const Factors& f, Index row, float dy,
                                     int thread, Own& own) {
        const auto* weight = static_cast<const TypeOf<kStorage>*>(a.head.weight.data);
        PLUMB_UNROLL
        for (int pack = 0; pack < kPacks; ++pack) {
            const Index column = columnOf(thread, pack);
            if (column >= a.head.dim) continue;
            const auto w = loadPack<kPack, Reuse::Soon>(weight + column);
            float g[kPack];
            PLUMB_UNROLL
            for (int i = 0; i < kPack; ++i) {
                const float h = own.h[pack][i];
                own.gradient[pack][i] += dy * h;
                g[i] = dy * Format<kStorage>::load(&w.v[i]);
                if constexpr (Format<kStorage>::kScaled) g[i] *= f.input;
                if (a.mask) g[i] = h > 0 ? g[i] : 0.0F;
                if (a.report.tally) see<kDy>(own.g, g[i], f.g);
            }
            writeNumbers<kDy>(a.inputGradient.data, row * a.head.dim + column, f.g, g);
        }
    }

    template <class Block, class Threads>
    PLUMB_BODY static void storeGradient(Block& block, Shared& shared, const HeadStepArguments& a, float* out,
                                         Threads& own) {
        block.forThreads([&](int thread) {
            PLUMB_UNROLL
            for (int pack = 0; pack < kPacks; ++pack) {
                PLUMB_UNROLL
                for (int i = 0; i < kPack; ++i)
                    shared.gradient[thread / kLanes][columnOf(thread, pack) + i] =
                        own[thread].gradient[pack][i];
            }
        });
        block.forThreads([&](int thread) {
            for (Index column = thread; column < a.head.dim; column += kThreads) {
                float total = 0;
                for (int warp = 0; warp < kWarps; ++warp) total += shared.gradient[warp][column];
                out[column] = total;
            }
        });
    }

    PLUMB_BODY static void finish(const HeadStepArguments& a, const HeadSums& seen) {
        if (a.dyReport.tally) reportTally(a.dyReport, kDy, seen.dy);
        if (a.report.tally) reportTally(a.report, kDy, seen.g);
        const double loss = seen.squares / a.outputsOfStep;
        a.loss[kLossValue] = (a.accumulateLoss ? a.loss[kLossValue] : 0.0) + loss;
        a.loss[kLossGradientSquares] = notANumber();
        a.loss[kLossUpdateSquares] = notANumber();
        a.loss[kLossWeightSquares] = notANumber();
    }
};

}  // namespace plumb::cuda
