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
    float factor = 1;  ///< of the gradient
    float decode = 1;  ///< of fp8 weights: as they are stored, and ...
    float encode = 1;  ///< ... as they will be
    bool masters = false;
    bool tally = false;
};

/// An element-wise rule as a policy of UpdateBody.
template <Rule kRule>
struct RulePolicy {
    using Update = common::UpdateRule<kRule>;
    static constexpr int kStates = Update::kStates;
    RuleConstants constants;

    PLUMB_BODY RulePolicy(const OptimizerArguments& a, Index /*matrix*/)
        : constants(a.controls.state->rule) {}
    template <int kCount>
    PLUMB_BODY void apply(Index /*at*/, const float (&p)[kCount], const float (&g)[kCount],
                          float (&s)[kStates + 1][kCount], float (&updated)[kCount]) const {
        PLUMB_UNROLL
        for (int i = 0; i < kCount; ++i) {
            float states[kStates + 1];
            PLUMB_UNROLL
            for (int k = 0; k < kStates; ++k) states[k] = s[k][i];
            updated[i] = Update::template step<common::FloatMath>(constants, p[i], g[i], states);
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
        if constexpr (Format<kWeight>::kScaled) {
            const float* row = scalesRow(a, SlotKind::Weight, matrix + 1);
            state.decode = 1 / *row;
            state.encode = common::fp8NextScale(kWeight, row);
        }
        return state;
    }

    template <int kCount>
    PLUMB_BODY static void updateRun(const Policy& policy, const UpdateState& state, Index at,
                                     float (&updated)[kCount], PartSeen& sums) {
        float p[kCount];
        float g[kCount];
        float s[kStates + 1][kCount];
        if (kWeight == Storage::Fp32 || !state.masters)
            readNumbers<kWeight>(state.matrix.weight, at, state.decode, p);
        else
            readNumbers<Storage::Fp32>(state.matrix.master, at, 1, p);
        readNumbers<kGradient>(state.matrix.gradient, at, 1, g);
        PLUMB_UNROLL
        for (int k = 0; k < kStates; ++k) readNumbers<Storage::Fp32>(state.matrix.states[k], at, 1, s[k]);
        PLUMB_UNROLL
        for (int i = 0; i < kCount; ++i) g[i] *= state.factor;
        policy.apply(at, p, g, s, updated);
        PLUMB_UNROLL
        for (int k = 0; k < kStates; ++k)
            writeNumbers<Storage::Fp32, kCount, Reuse::None>(state.matrix.states[k], at, 1, s[k]);
        if (kWeight != Storage::Fp32 && state.masters)
            writeNumbers<Storage::Fp32, kCount, Reuse::None>(state.matrix.master, at, 1, updated);
        writeNumbers<kWeight>(state.matrix.weight, at, state.encode, updated);
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
        if (state.tally) {
            PLUMB_UNROLL
            for (int i = 0; i < kCount; ++i) see<kWeight>(sums.numbers, updated[i], state.encode);
        }
    }

    template <class Block>
    PLUMB_BODY static void finish(Block& block, Shared& shared, const OptimizerArguments& a,
                                  const ParameterParts& parts, const PartSums* partials, bool skips) {
        StepSums squares;
        if (!skips) {
            addPartials(block, shared.room, partials, parts.count);
            squares = shared.room[0].squares;
            block.forThreads([](int /*thread*/) {});  // all have read it
            if (talliesWeights(a))
                forMatrices(block, shared.room, a.parameters, parts, partials,
                            [&](Index matrix, const PartSums& seen) { report(a, matrix, seen.tally); });
        }
        endStep(block, a, skips, squares);
    }

    PLUMB_BODY static void report(const OptimizerArguments& a, Index matrix, const Tally& seen) {
        const Index slot = slotOf(a.parameters, SlotKind::Weight, matrix + 1);
        common::reportStatistics(a.controls.statistics + slot * kStatisticCount, seen, a.observe, true, 1);
        if constexpr (Format<kWeight>::kScaled) {
            float* row = scalesRow(a, SlotKind::Weight, matrix + 1);
            *row = common::fp8NextScale(kWeight, row);
            row[1 + a.controls.state->step % kAmaxHistory] = seen.largest;
        }
    }
};

template <class Policy, Storage kWeight, Storage kGradient>
struct UpdateBody : UpdateSteps<Policy, kWeight, kGradient> {
    using Steps = UpdateSteps<Policy, kWeight, kGradient>;
    using Arguments = OptimizerArguments;
    using Shared = typename Steps::Shared;
    static constexpr int kResidentBlocks = 2;  ///< four streams of them keep the memory busy

    static Index blocks(const OptimizerArguments& a) { return partsOf(a.parameters).count; }

    template <class Block>
    PLUMB_BODY static void run(Block& block, Shared& shared, const Arguments& a) {
        const ParameterParts parts = partsOf(a.parameters);
        auto* partials = static_cast<PartSums*>(a.sums.partials);
        const bool skips = skipsUpdate(a.controls);
        if (!skips)
            for (Index index = block.index(); index < parts.count; index += block.count()) {
                const ParameterPart part = partAt(a.parameters, parts, index);
                update(block, shared, a, part);
                block.forThreads([&](int thread) {
                    if (thread == 0) partials[index] = shared.room[0];
                });
            }
        if (block.isLast(a.sums.ticket, shared.last, static_cast<std::uint32_t>(block.count())))
            Steps::finish(block, shared, a, parts, partials, skips);
    }

private:
    template <class Block>
    PLUMB_BODY static void update(Block& block, Shared& shared, const OptimizerArguments& a,
                                  const ParameterPart& part) {
        const UpdateState state = Steps::stateOf(a, part.matrix);
        const Policy policy(a, part.matrix);
        block.forThreads([&](int thread) {
            PartSeen sums;
            float updated[kUpdatePack];
            float last[1];
            Index at = part.begin + thread * kUpdatePack;
            for (; at + kUpdatePack <= part.end; at += kThreads * kUpdatePack)
                Steps::template updateRun<kUpdatePack>(policy, state, at, updated, sums);
            const Index rest = (part.end - part.begin) % kUpdatePack;
            if (thread < rest)
                Steps::template updateRun<1>(policy, state, part.end - rest + thread, last, sums);
            shared.room[thread] = sums.sums();
        });
        addUp<kThreads>(block, shared.room);
    }
};

}  // namespace plumb::cuda
