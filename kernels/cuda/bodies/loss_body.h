// SPDX-License-Identifier: Apache-2.0
// Loss and its gradient in one pass.
#pragma once

#include "kernels/cuda/bodies/encode_body.h"

#include <type_traits>

namespace plumb::cuda {

/// What one thread saw.
struct LossSeen {
    double squares = 0;
    Seen dy;
};
using LossSums = SeenSums<DoubleSum>;

/// Not a number, without a library's help.
PLUMB_BODY double notANumber() { return static_cast<double>(common::floatOf(0x7fc00000)); }

/// The loss of a micro-batch; its norms become not a number until the optimizer knows them.
PLUMB_BODY void setLoss(double* row, double loss, bool accumulate) {
    row[kLossValue] = (accumulate ? row[kLossValue] : 0.0) + loss;
    row[kLossGradientSquares] = notANumber();
    row[kLossUpdateSquares] = notANumber();
    row[kLossWeightSquares] = notANumber();
}

/// What y is stored as where it is an activation, beside the gradient of that.
PLUMB_HOST_DEVICE constexpr Storage outputBeside(Storage gradient) {
    return gradient == Storage::Fp8E5M2 ? Storage::Fp8E4M3 : gradient;
}

/// `kIsActivation`: y is one, of a chain without a head, and may come from a ReLU.
template <Storage kTarget, Storage kOutput, bool kIsActivation, Tallies kTallies>
struct LossPass {
    using Arguments = Pass<LossArguments>;
    struct Shared {
        LossSums room[kThreads];
        std::uint32_t last;
    };
    static constexpr Index kPack = 4;
    /// Which sums there are.
    using Part = std::conditional_t<kTallies == Tallies::None, SquaresOf, Whole>;

    static Index blocks(const Arguments& pass) { return partsOf(pass.work.count).count; }

    template <class Block>
    PLUMB_BODY static void run(Block& block, Shared& shared, const Arguments& pass) {
        const LossArguments& a = pass.work;
        const Parts parts = partsOf(a.count);
        block.waitForEarlier();
        if (pass.firstScale && hasScale(a.report)) return;
        const double lossScale = a.report.lossScale == nullptr ? 1 : a.report.lossScale[kLossScaleValue];
        const auto scale = static_cast<float>(2 / a.outputsOfStep * lossScale);
        const float factor = pass.firstScale ? 1 : encodeFactor(a.dy);
        const float decoded = Format<kOutput>::kScaled ? decodeFactor(a.y) : 1;
        typename Block::template PerThread<LossSeen> own{};
        for (Index part = block.index(); part < parts.count; part += block.count()) {
            const Index begin = part * parts.size;
            const Index end = smaller(begin + parts.size, a.count);
            block.forThreads([&](int thread) {
                Index at = begin + thread * kPack;
                for (; at + kPack <= end; at += kThreads * kPack)
                    make<kPack>(pass, scale, decoded, factor, at, own[thread]);
                const Index rest = (end - begin) % kPack;
                if (thread < rest) make<1>(pass, scale, decoded, factor, end - rest + thread, own[thread]);
                shared.room[thread].squares.value = own[thread].squares;
                if constexpr (kTallies != Tallies::None) shared.room[thread].tally = own[thread].dy.tally();
                own[thread] = LossSeen{};
            });
            addUp<kThreads>(block, shared.room, Part{});
            block.forThreads([&](int thread) {
                if (thread == 0)
                    Part{}(static_cast<LossSums*>(a.sums.partials)[part]) = Part{}(shared.room[0]);
            });
        }
        if (!block.isLast(a.sums.ticket, shared.last, static_cast<std::uint32_t>(block.count()))) return;
        if (!pass.firstScale) takeAmaxes(block, a.seen);
        addPartials(block, shared.room, static_cast<const LossSums*>(a.sums.partials), parts.count, Part{});
        block.forThreads([&](int thread) {
            if (thread == 0) finish(pass, shared.room[0]);
        });
    }

private:
    template <int kCount>
    PLUMB_BODY static void make(const Arguments& pass, float scale, float decoded, float factor, Index at,
                                LossSeen& sums) {
        const LossArguments& a = pass.work;
        float y[kCount];
        readNumbers<kOutput>(a.y.data, at, decoded, y);
        const auto t = loadPack<kCount>(a.t + at);
        float v[kCount];
        PLUMB_UNROLL
        for (int i = 0; i < kCount; ++i) {
            const float difference = y[i] - t.v[i];
            sums.squares += static_cast<double>(difference) * static_cast<double>(difference);
            v[i] = scale * difference;
            if constexpr (kIsActivation)
                if (a.relu && y[i] <= 0) v[i] = 0;
            if (kTallies != Tallies::None && (pass.firstScale || a.report.tally))
                see<kTarget, kTallies>(sums.dy, v[i], factor);
        }
        if (!pass.firstScale && a.dy.data != nullptr) writeNumbers<kTarget>(a.dy.data, at, factor, v);
    }

    PLUMB_BODY static void finish(const Arguments& pass, const LossSums& seen) {
        const LossArguments& a = pass.work;
        if (pass.firstScale) {
            *scaleOf(a.report) = common::fp8FirstScale(kTarget, seen.tally.amax);
            return;
        }
        if (kTallies != Tallies::None && a.report.tally) reportTally(a.report, kTarget, seen.tally);
        setLoss(a.loss, seen.squares.value / a.outputsOfStep, a.accumulate);
    }
};

template <Storage kTarget, Tallies kTallies>
struct LossBody : LossPass<kTarget, Storage::Fp32, false, kTallies> {};
template <Storage kTarget, Tallies kTallies>
struct ChainLossBody : LossPass<kTarget, outputBeside(kTarget), true, kTallies> {};

}  // namespace plumb::cuda
