// SPDX-License-Identifier: Apache-2.0
// All parameters as one run of parts, and the sums over them.
#pragma once

#include "kernels/cuda/bodies/encode_body.h"

namespace plumb::cuda {

/// Parts of all matrices: none holds elements of two. Their size follows from the number of parameters.
struct ParameterParts {
    Index size = 0;
    Index perLayer = 0;
    Index count = 0;
};
inline constexpr Index kMostParameterParts = 16384;
inline constexpr Index kParameterRound = 1024;
PLUMB_HOST_DEVICE constexpr ParameterParts partsOf(const Parameters& p) {
    const Index all = p.layers * p.dim * p.dim + p.dim * p.outputs;
    ParameterParts parts;
    parts.size = partsOf(all, kParameterRound, kMostParameterParts).size;
    parts.perLayer = (p.dim * p.dim + parts.size - 1) / parts.size;
    parts.count = p.layers * parts.perLayer + (p.dim * p.outputs + parts.size - 1) / parts.size;
    return parts;
}

/// One of them.
struct ParameterPart {
    Index matrix = 0;
    Index begin = 0;
    Index end = 0;
};
PLUMB_BODY ParameterPart partAt(const Parameters& p, const ParameterParts& parts, Index index) {
    ParameterPart part;
    part.matrix = smaller(index / parts.perLayer, p.layers);
    const Index elements = p.dim * (part.matrix < p.layers ? p.dim : p.outputs);
    part.begin = (index - part.matrix * parts.perLayer) * parts.size;
    part.end = smaller(part.begin + parts.size, elements);
    return part;
}
/// The parts of one matrix.
PLUMB_BODY Index firstPartOf(const ParameterParts& parts, Index matrix) { return matrix * parts.perLayer; }
PLUMB_BODY Index partsOfMatrix(const Parameters& p, const ParameterParts& parts, Index matrix) {
    return matrix < p.layers ? parts.perLayer : parts.count - p.layers * parts.perLayer;
}

/// Rows of Statistics and Scales: see statisticsSlot(), whose order of kinds this is.
enum class SlotKind : std::int32_t { Activation, Weight, Gradient, ActivationGradient };
PLUMB_BODY Index slotOf(const Parameters& p, SlotKind kind, Index layer) {
    return static_cast<Index>(kind) * (p.layers + 2) + layer;
}
PLUMB_BODY Index slotsOf(const Parameters& p) { return 4 * (p.layers + 2); }

/// Calls work(matrix, sum) for every matrix with the sum of its partials: a warp adds up a matrix. By one
/// block.
template <class Block, class T, class Work, class Part = Whole>
PLUMB_BODY void forMatrices(Block& block, T* room, const Parameters& p, const ParameterParts& parts,
                            const T* partials, Work&& work, Part part = {}) {
    PLUMB_ROLLED
    for (Index first = 0; first < p.count(); first += kWarps) {
        block.forThreads([&](int thread) {
            const Index matrix = first + thread / kLanes;
            std::remove_reference_t<decltype(part(*room))> sum{};
            if (matrix < p.count()) {
                const T* from = partials + firstPartOf(parts, matrix);
                const Index count = partsOfMatrix(p, parts, matrix);
                PLUMB_UNROLL_FOUR
                for (Index i = thread % kLanes; i < count; i += kLanes)
                    sum.add(block.readFresh(&part(from[i])));
            }
            part(room[thread]) = sum;
        });
        addUp<kLanes>(block, room, part);
        block.forThreads([&](int thread) {
            const Index matrix = first + thread / kLanes;
            if (thread % kLanes == 0 && matrix < p.count()) work(matrix, part(room[thread]));
        });
    }
}

/// What one thread saw of a part.
struct PartSeen {
    StepSums squares;
    Seen numbers;
    PLUMB_COMMON PartSums sums() const {
        PartSums all;
        all.squares = squares;
        all.tally = numbers.tally();
        return all;
    }
};
/// The sum of a part over all threads of a block, in room[0]; without `tallies` there is nothing in the
/// tallies to add.
template <class Block>
PLUMB_BODY void addSeen(Block& block, PartSums* room, bool tallies) {
    addUp<kThreads>(block, room, SquaresOf{});
    if (tallies) addUp<kThreads>(block, room, TallyOf{});
}

/// Norm of all gradients, and what they hold.
template <Storage kGradient, Tallies kTallies>
struct GradientBody {
    using Arguments = GradientArguments;
    struct Shared {
        PartSums room[kThreads];
        std::uint32_t last;
    };
    static constexpr Index kPack = static_cast<int>(16 / sizeof(TypeOf<kGradient>));
    static constexpr int kResidentBlocks = 3;

    static Index blocks(const GradientArguments& a) { return partsOf(a.parameters).count; }

    template <class Block>
    PLUMB_BODY static void run(Block& block, Shared& shared, const Arguments& a) {
        const ParameterParts parts = partsOf(a.parameters);
        block.waitForEarlier();
        auto* partials = static_cast<PartSums*>(a.sums.partials);
        for (Index index = block.index(); index < parts.count; index += block.count()) {
            const ParameterPart part = partAt(a.parameters, parts, index);
            const void* gradient = a.parameters.matrices[part.matrix].gradient;
            block.forThreads([&](int thread) {
                PartSeen sums;
                Index at = part.begin + thread * kPack;
                PLUMB_UNROLL_FOUR
                for (; at + kPack <= part.end; at += kThreads * kPack) look<kPack>(gradient, at, sums);
                const Index rest = (part.end - part.begin) % kPack;
                if (thread < rest) look<1>(gradient, part.end - rest + thread, sums);
                shared.room[thread] = sums.sums();
            });
            addSeen(block, shared.room, kTallies != Tallies::None && a.tally);
            block.forThreads([&](int thread) {
                if (thread == 0) partials[index] = shared.room[0];
            });
        }
        if (!block.isLast(a.sums.ticket, shared.last, static_cast<std::uint32_t>(block.count()))) return;
        finish(block, shared, a, parts, partials);
    }

private:
    template <int kCount>
    PLUMB_BODY static void look(const void* gradient, Index at, PartSeen& sums) {
        float v[kCount];
        readNumbers<kGradient>(gradient, at, 1, v);
        float squares = 0;
        PLUMB_UNROLL
        for (int i = 0; i < kCount; ++i) {
            squares += v[i] * v[i];
            see<kGradient, kTallies>(sums.numbers, v[i], 1);
        }
        sums.squares.gradient += static_cast<double>(squares);
    }

    template <class Block>
    PLUMB_BODY static void finish(Block& block, Shared& shared, const GradientArguments& a,
                                  const ParameterParts& parts, const PartSums* partials) {
        const Controls& controls = a.controls;
        const double scale = controls.lossScale == nullptr ? 1 : controls.lossScale[kLossScaleValue];
        if (a.norm) {
            addPartials(block, shared.room, partials, parts.count, SquaresOf{});
            block.forThreads([&](int thread) {
                if (thread == 0)
                    controls.loss[kLossGradientSquares] = shared.room[0].squares.gradient / (scale * scale);
            });
        }
        if (kTallies == Tallies::None || !a.tally) return;
        const auto report = [&](Index matrix, const Tally& seen) {
            double* row =
                controls.statistics + slotOf(a.parameters, SlotKind::Gradient, matrix + 1) * kStatisticCount;
            if (a.writesStatistics) common::reportStatistics(row, seen, true, 1 / scale);
            if (controls.lossScale != nullptr && common::holdsNotFinite(seen))
                controls.lossScale[kLossScaleNotFinite] = 1;
        };
        forMatrices(block, shared.room, a.parameters, parts, partials, report, TallyOf{});
    }
};

}  // namespace plumb::cuda
