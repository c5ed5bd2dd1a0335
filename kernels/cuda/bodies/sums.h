// SPDX-License-Identifier: Apache-2.0
// The parts that work is cut into, and sums over them that come out with the same bits every time.
#pragma once

#include "kernels/common/report.h"
#include "kernels/cuda/bodies/block.h"
#include "kernels/cuda/kernel_arguments.h"

#include <type_traits>

namespace plumb::cuda {

using common::Tally;

/// Elements come in rounds of this many to a block; parts are whole rounds but for the last.
inline constexpr Index kRound = 2048;
/// Most parts of one tensor: 30 for each multiprocessor of a large device, so that the last ones to run do
/// not leave it idle for long, and few enough for one block to add up.
inline constexpr Index kMostParts = 4096;

/// Equal parts of a run of elements, the last one shorter.
struct Parts {
    Index size = kRound;
    Index count = 1;
};
PLUMB_HOST_DEVICE constexpr Parts partsOf(Index elements, Index round = kRound, Index most = kMostParts) {
    const Index rounds = (elements + round - 1) / round;
    const Index size = (rounds + most - 1) / most * round;
    Parts parts;
    parts.size = size < round ? round : size;
    parts.count = (elements + parts.size - 1) / parts.size;
    if (parts.count < 1) parts.count = 1;
    return parts;
}

/// Sums of squares that a step reports.
struct StepSums {
    double gradient = 0;
    double update = 0;
    double parameter = 0;
    PLUMB_COMMON void add(const StepSums& other) {
        gradient += other.gradient;
        update += other.update;
        parameter += other.parameter;
    }
};
struct DoubleSum {
    double value = 0;
    PLUMB_COMMON void add(const DoubleSum& other) { value += other.value; }
};

/// Sums of squares, and what was seen of the numbers.
template <class Squares>
struct SeenSums {
    Squares squares;
    Tally tally;
    PLUMB_COMMON void add(const SeenSums& other) {
        squares.add(other.squares);
        tally.add(other.tally);
    }
};
/// What a part of the parameters was seen to hold.
using PartSums = SeenSums<StepSums>;

// Which part of what is in the room is added up: reading the others as well would take registers that the
// loops over the elements do not need.
struct Whole {
    template <class T>
    PLUMB_COMMON T& operator()(T& all) const {
        return all;
    }
};
struct SquaresOf {
    template <class T>
    PLUMB_COMMON auto& operator()(T& all) const {
        return all.squares;
    }
};
struct TallyOf {
    template <class T>
    PLUMB_COMMON auto& operator()(T& all) const {
        return all.tally;
    }
};

/// A sum over `kGroup` neighbouring threads: room[k * kGroup] becomes that of group k, added in a tree.
template <int kGroup, class Block, class T, class Part = Whole>
PLUMB_BODY void addUp(Block& block, T* room, Part part = {}) {
    PLUMB_ROLLED
    for (int stride = kGroup / 2; stride >= kLanes; stride /= 2)
        block.forThreads([&](int thread) {
            if (thread % kGroup < stride) part(room[thread]).add(part(room[thread + stride]));
        });
    block.template warpSum<smaller(kGroup, kLanes)>(room, part);
}

/// The sum of `count` partials, in room[0]: thread t adds numbers t, t + 256, ..., then the threads' sums go
/// through a tree.
template <class Block, class T, class Part = Whole>
PLUMB_BODY void addPartials(Block& block, T* room, const T* partials, Index count, Part part = {}) {
    block.forThreads([&](int thread) {
        std::remove_reference_t<decltype(part(*room))> sum{};
        PLUMB_UNROLL_FOUR
        for (Index i = thread; i < count; i += kThreads) sum.add(block.readFresh(&part(partials[i])));
        part(room[thread]) = sum;
    });
    addUp<kThreads>(block, room, part);
}

/// What one thread saw: a tally in few registers. A thread never sees 2^32 numbers.
struct Seen {
    double squares = 0;
    std::int32_t amax = 0;  ///< bits of the magnitude
    std::uint32_t overflowed = 0;
    std::uint32_t underflowed = 0;

    PLUMB_COMMON Tally tally() const {
        Tally all;
        all.squares = squares;
        all.amax = common::floatOf(amax);
        all.overflowed = overflowed;
        all.underflowed = underflowed;
        return all;
    }
};

/// What an instance of a pass looks at: what nobody asks for takes neither instructions nor registers of its
/// main loop.
enum class Tallies : std::int32_t {
    None,
    Amax,  ///< what the next step needs: scales of fp8, and whether all is finite
    All,   ///< what steps that are observed report too
};
/// The least that a pass over numbers stored so looks at: of fp8 the amax, which nearly all of them need.
template <Storage kStorage>
inline constexpr Tallies kLeastTallies = common::Format<kStorage>::kScaled ? Tallies::Amax : Tallies::None;

/// Adds a number that is stored as kStorage times `factor`.
template <Storage kStorage, Tallies kTallies = Tallies::All>
PLUMB_BODY void see(Seen& seen, float v, float factor) {
    using F = common::Format<kStorage>;
    const std::int32_t magnitude = common::bitsOf(v) & common::kMagnitude;
    if constexpr (kTallies != Tallies::None) seen.amax = magnitude > seen.amax ? magnitude : seen.amax;
    if constexpr (kTallies == Tallies::All) {
        if constexpr (F::kCounts) {
            const std::int32_t scaled =
                F::kScaled ? common::bitsOf(v * factor) & common::kMagnitude : magnitude;
            seen.overflowed += scaled >= F::kOverflow ? 1U : 0U;
            seen.underflowed += magnitude > 0 && scaled <= F::kUnderflow ? 1U : 0U;
        }
        seen.squares += static_cast<double>(v) * static_cast<double>(v);
    }
}

PLUMB_BODY std::int64_t stepOf(const Clock& clock) {
    return clock.step >= 0 || clock.state == nullptr ? clock.step : clock.state->step;
}

/// TensorWriter's report: by one thread, when all is known.
PLUMB_BODY void reportTally(const Report& report, Storage storage, const Tally& tally) {
    const double unscale =
        report.gradient && report.lossScale != nullptr ? 1 / report.lossScale[kLossScaleValue] : 1;
    if (report.writesStatistics)
        common::reportStatistics(report.statistics + report.slot * kStatisticCount, tally, report.fresh,
                                 unscale);
    if (report.scales != nullptr && (storage == Storage::Fp8E4M3 || storage == Storage::Fp8E5M2))
        common::reportAmax(report.scales + report.slot * kScalesColumns, stepOf(report.clock), tally.amax,
                           report.firstMicroBatch);
}

/// Takes over into Scales what products saw, by all threads of one block.
template <class Block>
PLUMB_BODY void takeAmaxes(Block& block, const SeenAmaxes& seen) {
    if (seen.amaxes == nullptr) return;
    block.forThreads([&](int thread) {
        const std::int64_t step = stepOf(seen.clock);
        for (Index layer = 1 + thread; layer <= seen.layers; layer += kThreads) {
            const Index gradient = 3 * seen.rowsOfKind + layer;
            if (seen.activations)
                common::reportAmax(seen.scales + layer * kScalesColumns, step, seen.amaxes[layer],
                                   seen.firstActivations);
            if (seen.gradients && layer < seen.layers)
                common::reportAmax(seen.scales + gradient * kScalesColumns, step, seen.amaxes[gradient],
                                   seen.firstGradients);
        }
    });
}

/// Shared memory of a body that tallies.
struct TallyShared {
    Tally room[kThreads];
    std::uint32_t last;
};

/// What a body does at its end when it has tallied: the blocks' sums, then the report by the last one. Every
/// block comes here once for each of its parts' sums: partial `part` of `parts`.
template <class Block>
PLUMB_BODY void storeTally(Block& block, TallyShared& shared, typename Block::template PerThread<Seen>& own,
                           const Sums& sums, Index part) {
    block.forThreads([&](int thread) { shared.room[thread] = own[thread].tally(); });
    addUp<kThreads>(block, shared.room);
    block.forThreads([&](int thread) {
        if (thread == 0) static_cast<Tally*>(sums.partials)[part] = shared.room[0];
        own[thread] = Seen{};
    });
}
/// True in the last block, with the sum of all in shared.room[0].
template <class Block>
PLUMB_BODY bool finishTally(Block& block, TallyShared& shared, const Sums& sums, Index parts) {
    if (!block.isLast(sums.ticket, shared.last, static_cast<std::uint32_t>(block.count()))) return false;
    addPartials(block, shared.room, static_cast<const Tally*>(sums.partials), parts);
    return true;
}

}  // namespace plumb::cuda
