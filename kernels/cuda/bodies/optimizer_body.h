// SPDX-License-Identifier: Apache-2.0
// The update of all parameters in one pass.
//
// Bytes per parameter with s states: read p 4, g 4 or 2, states 4 s; write p 4, states 4 s, and the narrow
// copy 2 or 1. With a master copy the weights are only written. Every stream of fp32 is moved in 16-byte
// accesses.
#pragma once

#include "kernels/common/optimizer_rules.h"
#include "kernels/cuda/bodies/end_of_step.h"

namespace plumb::cuda {

using common::RuleConstants;

/// Neighbours that a thread updates at once: 16 bytes of fp32.
inline constexpr Index kUpdatePack = 4;

/// What is the same for all elements of a part.
struct UpdateState {
    DeviceMatrix matrix;
    float factor = 1;  ///< factor of the gradient
    float decode = 1;  ///< 1 / scale of fp8 weights as they are stored, and ...
    float encode = 1;  ///< ... as they will be
    bool masters = false;
    bool tally = false;     ///< of the weights
    bool observed = false;  ///< all of it
};

/// The rule whose kernel serves `rule` too.
constexpr Rule kernelOf(Rule rule) {
    switch (rule) {
    case Rule::Nesterov:
        return Rule::Momentum;
    case Rule::AdamW:
        return Rule::Adam;
    case Rule::AdamWAmsgrad:
        return Rule::AdamAmsgrad;
    default:
        return rule;
    }
}

/// An element-wise rule as a policy of UpdateBody, and the one that has the same kernel.
template <Rule kRule>
struct RulePolicy {
    static_assert(kernelOf(kRule) == kRule);
    using Update = common::UpdateRule<kRule>;
    static constexpr int kStates = Update::kStates;
    static constexpr int kMostAtOnce = 6;
    RuleConstants constants;
    bool other = false;  ///< it is the other rule of the kernel

    PLUMB_BODY RulePolicy(const OptimizerArguments& a, Index /*matrix*/)
        : constants(a.controls.state->rule), other(a.rule != kRule) {}
    template <int kCount>
    PLUMB_BODY void apply(Index /*at*/, const float (&p)[kCount], const float (&g)[kCount],
                          float (&s)[kStates + 1][kCount], float (&updated)[kCount]) const {
        PLUMB_UNROLL
        for (int i = 0; i < kCount; ++i) {
            float states[kStates + 1];
            PLUMB_UNROLL
            for (int k = 0; k < kStates; ++k) states[k] = s[k][i];
            using common::FloatMath;
            if constexpr (kRule == Rule::Momentum || kRule == Rule::Adam || kRule == Rule::AdamAmsgrad)
                updated[i] = Update::template stepAs<FloatMath>(constants, p[i], g[i], states, other);
            else
                updated[i] = Update::template step<FloatMath>(constants, p[i], g[i], states);
            PLUMB_UNROLL
            for (int k = 0; k < kStates; ++k) s[k][i] = states[k];
        }
    }
};

/// What the updates of a rule consist of, whatever the parts are.
template <class Policy, Storage kWeight, Storage kGradient>
struct UpdateSteps {
    static constexpr int kStates = Policy::kStates;
    struct Shared {
        PartSums room[kThreads];
        std::uint32_t last;
    };

    PLUMB_BODY static UpdateState stateOf(const OptimizerArguments& a, Index matrix) {
        UpdateState state;
        state.matrix = a.parameters.matrices[matrix];
        state.factor = updateFactor(a);
        state.masters = a.parameters.masters;
        state.tally = talliesWeights(a);
        state.observed = a.writesStatistics;
        if constexpr (Format<kWeight>::kScaled) {
            const float* row = scalesRow(a, SlotKind::Weight, matrix + 1);
            state.decode = 1 / *row;
            state.encode = common::fp8NextScale(kWeight, row);
        }
        return state;
    }

    /// Neighbours as they are read.
    template <int kCount>
    struct Run {
        float p[kCount];
        float g[kCount];
        float s[kStates + 1][kCount];
    };
    template <int kCount>
    PLUMB_BODY static void readRun(const UpdateState& state, Index at, Run<kCount>& run) {
        if (kWeight == Storage::Fp32 || !state.masters)
            readNumbers<kWeight>(state.matrix.weight, at, state.decode, run.p);
        else
            readNumbers<Storage::Fp32>(state.matrix.master, at, 1, run.p);
        readNumbers<kGradient>(state.matrix.gradient, at, 1, run.g);
        PLUMB_UNROLL
        for (int k = 0; k < kStates; ++k) readNumbers<Storage::Fp32>(state.matrix.states[k], at, 1, run.s[k]);
    }
    template <int kCount>
    PLUMB_BODY static void updateRun(const Policy& policy, const UpdateState& state, Index at,
                                     Run<kCount>& run, PartSeen& sums) {
        auto& [p, g, s] = run;
        float updated[kCount];
        PLUMB_UNROLL
        for (int i = 0; i < kCount; ++i) g[i] *= state.factor;
        policy.apply(at, p, g, s, updated);
        PLUMB_UNROLL
        for (int k = 0; k < kStates; ++k)
            writeNumbers<Storage::Fp32, kCount, Reuse::None>(state.matrix.states[k], at, 1, s[k]);
        if (kWeight != Storage::Fp32 && state.masters)
            writeNumbers<Storage::Fp32, kCount, Reuse::None>(state.matrix.master, at, 1, updated);
        constexpr bool kPlain = requires { Policy::kPlainCodes; };
        writeNumbers<kWeight, kCount, Reuse::Soon, kPlain>(state.matrix.weight, at, state.encode, updated);
        float gradients = 0;
        float updates = 0;
        float parameters = 0;
        PLUMB_UNROLL
        for (int i = 0; i < kCount; ++i) {
            const float change = updated[i] - p[i];
            gradients += g[i] * g[i];
            updates += change * change;
            parameters += p[i] * p[i];
        }
        sums.squares.gradient += static_cast<double>(gradients);
        sums.squares.update += static_cast<double>(updates);
        sums.squares.parameter += static_cast<double>(parameters);
        PLUMB_UNROLL
        for (int i = 0; i < kCount; ++i)
            see<kWeight, kLeastTallies<kWeight>>(sums.numbers, updated[i], state.encode);
        // Two instances of each update would take twice as long to compile.
        if (state.observed) {
            PLUMB_UNROLL
            for (int i = 0; i < kCount; ++i) see<kWeight>(sums.numbers, updated[i], state.encode);
        }
    }

    template <class Block>
    PLUMB_BODY static void finish(Block& block, Shared& shared, const OptimizerArguments& a,
                                  const ParameterParts& parts, const PartSums* partials, bool skips) {
        StepSums squares;
        if (!skips) {
            addPartials(block, shared.room, partials, parts.count, SquaresOf{});
            squares = shared.room[0].squares;
            if (talliesWeights(a))
                forMatrices(
                    block, shared.room, a.parameters, parts, partials,
                    [&](Index matrix, const Tally& seen) { report(a, matrix, seen); }, TallyOf{});
        }
        endStep(block, a, skips, squares);
    }

    PLUMB_BODY static void report(const OptimizerArguments& a, Index matrix, const Tally& seen) {
        const Index slot = slotOf(a.parameters, SlotKind::Weight, matrix + 1);
        if (a.writesStatistics)
            common::reportStatistics(a.controls.statistics + slot * kStatisticCount, seen, true, 1);
        if constexpr (Format<kWeight>::kScaled) {
            float* row = scalesRow(a, SlotKind::Weight, matrix + 1);
            *row = common::fp8NextScale(kWeight, row);
            row[1 + a.controls.state->step % kAmaxHistory] = seen.amax;
        }
    }
};

template <class Policy, Storage kWeight, Storage kGradient>
struct UpdateBody : UpdateSteps<Policy, kWeight, kGradient> {
    using Steps = UpdateSteps<Policy, kWeight, kGradient>;
    using Arguments = OptimizerArguments;
    using Shared = typename Steps::Shared;
    /// Bytes that a thread reads of a pack; few states are few bytes.
    static constexpr int kBytes = static_cast<int>(
        kUpdatePack * (4 * Policy::kStates + sizeof(TypeOf<kGradient>) + sizeof(TypeOf<kWeight>)));
    /// As many as there are registers for: three states take many, fp8 does, and so do many packs at once ...
    static constexpr int kResidentBlocks =
        Format<kWeight>::kScaled || (Policy::kMostAtOnce > 2 && (Policy::kStates == 3 || kBytes <= 32)) ? 2
                                                                                                        : 3;
    /// ... and so many packs at once that the blocks of a multiprocessor have 32 KiB on their way.
    static constexpr int kWanted = (32768 + kThreads * kResidentBlocks - 1) / (kThreads * kResidentBlocks);
    static constexpr int kAtOnce =
        static_cast<int>(smaller(Policy::kMostAtOnce, (kWanted + kBytes - 1) / kBytes));

    static Index blocks(const OptimizerArguments& a) {
        return endOfParts(a, partsOf(a.parameters)) - a.firstPart;
    }

    template <class Block>
    PLUMB_BODY static void run(Block& block, Shared& shared, const Arguments& a) {
        const ParameterParts parts = partsOf(a.parameters);
        block.waitForEarlier();
        auto* partials = static_cast<PartSums*>(a.sums.partials);
        const bool skips = skipsUpdate(a.controls);
        if (!skips)
            for (Index index = a.firstPart + block.index(); index < endOfParts(a, parts);
                 index += block.count()) {
                const ParameterPart part = partAt(a.parameters, parts, index);
                update(block, shared, a, part);
                block.forThreads([&](int thread) {
                    if (thread == 0) partials[index] = shared.room[0];
                });
            }
        if (a.ends && block.isLast(a.sums.ticket, shared.last, static_cast<std::uint32_t>(block.count())))
            Steps::finish(block, shared, a, parts, partials, skips);
    }

private:
    PLUMB_HOST_DEVICE static constexpr Index endOfParts(const OptimizerArguments& a,
                                                        const ParameterParts& parts) {
        return a.partCount < 0 ? parts.count : a.firstPart + a.partCount;
    }

    using Pack = typename Steps::template Run<kUpdatePack>;

    template <class Block>
    PLUMB_BODY static void update(Block& block, Shared& shared, const OptimizerArguments& a,
                                  const ParameterPart& part) {
        const UpdateState state = Steps::stateOf(a, part.matrix);
        const Policy policy(a, part.matrix);
        block.forThreads([&](int thread) {
            constexpr Index kStride = kThreads * kUpdatePack;
            PartSeen sums;
            Index at = part.begin + thread * kUpdatePack;
            if constexpr (kAtOnce > 1) {
                for (; at + (kAtOnce - 1) * kStride + kUpdatePack <= part.end; at += kAtOnce * kStride) {
                    Pack packs[kAtOnce];
                    PLUMB_UNROLL
                    for (int i = 0; i < kAtOnce; ++i) Steps::readRun(state, at + i * kStride, packs[i]);
                    PLUMB_UNROLL
                    for (int i = 0; i < kAtOnce; ++i)
                        Steps::updateRun(policy, state, at + i * kStride, packs[i], sums);
                }
            }
            PLUMB_ROLLED
            for (; at + kUpdatePack <= part.end; at += kStride) {
                Pack pack;
                Steps::readRun(state, at, pack);
                Steps::updateRun(policy, state, at, pack, sums);
            }
            const Index rest = (part.end - part.begin) % kUpdatePack;
            if (thread < rest) {
                typename Steps::template Run<1> last;
                Steps::readRun(state, part.end - rest + thread, last);
                Steps::updateRun(policy, state, part.end - rest + thread, last, sums);
            }
            shared.room[thread] = sums.sums();
        });
        addSeen(block, shared.room, state.tally);
    }
};

}  // namespace plumb::cuda
