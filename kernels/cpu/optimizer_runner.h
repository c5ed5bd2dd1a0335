// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/entry_at.h"
#include "core/engine/backend.h"
#include "kernels/cpu/kernels.h"
#include "kernels/cpu/prepared_step.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace plumb::cpu {

/// A tensor of the optimizer as it is stored.
struct StoredTensor {
    std::byte* data = nullptr;
    Storage storage = Storage::Fp32;
    std::int64_t elementBytes = 4;
    float decodeFactor = 1;  ///< value = stored number * this
    float encodeFactor = 1;  ///< stored number = value * this

    [[nodiscard]] bool plain() const { return storage == Storage::Fp32; }
    [[nodiscard]] std::byte* at(std::int64_t element) const { return data + element * elementBytes; }
};

/// A parameter matrix with everything the optimizer has of it.
struct ParameterMatrix {
    StoredTensor weight, gradient;
    float* master = nullptr;
    float* states[3] = {};
    std::int64_t rows = 0;
    std::int64_t columns = 0;
    std::int64_t own = 0;   ///< elements that this rank updates, where all pointers lead; all, or a slice
    std::int64_t slot = 0;  ///< slot of the weight in Statistics and Scales
    bool counts = true;     ///< in sums of all ranks; of those that have the same numbers one does

    [[nodiscard]] std::int64_t count() const { return own; }
    /// The fp32 numbers that the rule changes; null when the weights have to be decoded.
    [[nodiscard]] float* parameters() const {
        if (master != nullptr) return master;
        return weight.plain() ? reinterpret_cast<float*>(weight.data) : nullptr;
    }
};

/// What a pass saw of a part of the parameters.
struct PartSums {
    StepSquares squares;
    Tally tally;     ///< of new weights, or of what else it looks at
    double sum = 0;  ///< whatever else the pass adds up
    void add(const PartSums& other);
};

/// Runs the optimizer's ops of one step: GradientNorm and OptimizerStep. Holds references only; made anew for
/// each op. Every sum is over fixed parts of the parameters, added in order, so that no result depends on the
/// number of threads.
class OptimizerRunner {
public:
    /// Pre: the operands of `op` and the plan's control tensors are resident.
    OptimizerRunner(const StepPlan& plan, const PreparedOp& op, const OpCall& call, const Kernels& kernels,
                    int threads);

    /// Loss[1] = sum of squares of all gradients, unscaled.
    void runNorm() const;
    /// Updates all parameters. Loss[1..3] become the sums of squares of the unscaled gradients (before they
    /// are clipped), of the update and of the parameters before it.
    ///
    /// fp16: where a value of the step was not finite nothing is updated, Loss[1] is not a number, Loss[2]
    /// and Loss[3] are 0, and the loss scale backs off; otherwise it may grow, as that of
    /// torch.amp.GradScaler. fp8: the scales of the next step are made from the amaxes of the last
    /// steps.
    void runStep();

private:
    /// Of all gradients as they are stored, the loss scale included.
    [[nodiscard]] double gradientSquares() const;
    void lookAtReducedGradients() const;
    void reportReducedGradients() const;
    [[nodiscard]] float gradientFactor() const;
    [[nodiscard]] PartSums runRule(std::int64_t step, float factor) const;
    [[nodiscard]] PartSums runAdafactor(std::int64_t step, float factor) const;
    void reportWeights(const ParameterMatrix& matrix, const Tally& tally) const;
    [[nodiscard]] bool skips() const;
    void backOff() const;
    void countGoodStep() const;
    void setWeightScales();
    void setOtherScales() const;
    void setScale(std::int64_t slot, Dtype dtype) const;

    const StepPlan& m_plan;
    const OpCall& m_call;
    const Kernels& m_kernels;
    int m_threads;
    std::vector<ParameterMatrix> m_matrices;
    bool m_looksAtWeights = false;  ///< for statistics, or because they are counted at every step
    double* m_loss = nullptr;
    double* m_lossScale = nullptr;  ///< fp16 only
    double* m_statistics = nullptr;
    float* m_scales = nullptr;  ///< fp8 only
};

/// The access of the rules to what is stored, shared by all of them.
class ParameterAccess {
public:
    ParameterAccess(const Kernels& kernels, bool looksAtWeights)
        : m_kernels(kernels), m_looksAtWeights(looksAtWeights) {}

    /// `count` elements from `begin` in fp32: where they are, or decoded into `room`.
    const float* read(const StoredTensor& from, std::int64_t begin, std::int64_t count, float* room) const {
        if (from.plain()) return reinterpret_cast<const float*>(from.data) + begin;
        entryAt(m_kernels.decode, from.storage)(from.at(begin), room, count, from.decodeFactor);
        return room;
    }
    /// The numbers that the rule changes.
    [[nodiscard]] float* parameters(const ParameterMatrix& matrix, std::int64_t begin, std::int64_t count,
                                    float* room) const {
        if (float* numbers = matrix.parameters()) return numbers + begin;
        read(matrix.weight, begin, count, room);
        return room;
    }
    /// Stores what the rule changed into the weights.
    void write(const ParameterMatrix& matrix, std::int64_t begin, std::int64_t count, const float* parameters,
               Tally& seen) const;
    /// Whether a rule can work on all of a matrix without a copy.
    [[nodiscard]] bool direct(const ParameterMatrix& matrix) const {
        return matrix.weight.plain() && matrix.gradient.plain() && matrix.master == nullptr &&
               !m_looksAtWeights;
    }
    [[nodiscard]] const OptimizerKernels& rules() const { return m_kernels.optimizer; }

private:
    const Kernels& m_kernels;
    bool m_looksAtWeights;
};

/// Updates one matrix by Adafactor; adds what it saw. `rate` is the learning rate.
void adafactorStep(const ParameterMatrix& matrix, const ParameterAccess& access, const RunConfig& config,
                   double rate, std::int64_t step, float gradientFactor, int threads, PartSums& total);

}  // namespace plumb::cpu
