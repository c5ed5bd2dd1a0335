// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/dtype.h"
#include "core/engine/backend.h"
#include "core/plan/control_tensors.h"
#include "kernels/cpu/kernels.h"

#include <array>
#include <cstdint>
#include <functional>

namespace plumb::cpu {

/// A tensor that training keeps track of, as it is stored now.
struct TrackedTensor {
    TensorRole role{};
    Dtype dtype = Dtype::Fp32;
    std::int64_t slot = -1;  ///< row in Statistics and Scales
    float scale = 1;         ///< stored number = value * scale; 0: fp8 that has no scale yet

    [[nodiscard]] Storage storage() const { return storageOf(dtype); }
    [[nodiscard]] std::size_t type() const { return static_cast<std::size_t>(storage()); }
    [[nodiscard]] bool isFp8() const { return dtype == Dtype::Fp8E4M3 || dtype == Dtype::Fp8E5M2; }
    [[nodiscard]] float decodeFactor() const { return 1 / scale; }
};

/// How a pass writes its part of a tensor.
struct WritePart {
    float factor = 1;        ///< EncodeArguments::factor
    Tally* tally = nullptr;  ///< EncodeArguments::tally
    bool write = true;       ///< false: only the tally is wanted
};

/// Writes tensors of one op and keeps the control tensors up to date with what was written:
///
/// - Statistics, on steps that write them: sums of squares and amaxes of all micro-batches together, and for
///   gradients of parameters after the last one; over- and underflow of fp16 and fp8, added up over these
///   steps. Gradients are given without the loss scale.
/// - LossScale: the mark that a gradient of a parameter is not finite, or did not fit in fp16.
/// - Scales: the amax of this step, and the scale of a tensor that has none yet, from its own
///   numbers: common::fp8Scale() for what is seen whole (isSeenWhole()), common::fp8FirstScale() for the
///   others. A scale changes at the end of a step only (the optimizer), so that recomputing gives the same
///   bits.
///
/// What a recomputation writes was seen before and is not looked at again, nor is a part of a sum. All sums
/// are over fixed parts, in order: the same for any number of threads.
class TensorWriter {
public:
    TensorWriter(const StepPlan& plan, const OpCall& call, const Kernels& kernels, int threads);

    /// Pre: a role that is tracked (statisticsSlot()).
    [[nodiscard]] TrackedTensor tensor(TensorRole role, std::int32_t layer) const;
    /// What dLoss/dy is multiplied with: 1 but with fp16.
    [[nodiscard]] double lossScale() const {
        return m_lossScale == nullptr ? 1 : m_lossScale[kLossScaleValue];
    }

    /// Whether what is written into `target` is to be looked at.
    [[nodiscard]] bool tallies(const TrackedTensor& target, Phase phase) const;

    /// `count` elements: epilogue, scale, rounding. fp32 may be in place, and then nothing may be left to do.
    void write(const TrackedTensor& target, Phase phase, Epilogue epilogue, const float* in, void* out,
               const void* mask, std::int64_t count);

    using Work = std::function<double(std::int64_t begin, std::int64_t end, const WritePart& part)>;
    /// Calls work(begin, end, part), for kernels that write by themselves, on parts of
    /// [0, units), whose borders are multiples of `unit`, and returns the sum of what it returned. `cost`:
    /// elements that one unit is worth. Calls it on all parts twice when the tensor needs its first scale.
    double run(const TrackedTensor& target, Phase phase, std::int64_t units, std::int64_t unit,
               std::int64_t cost, const Work& work);

private:
    static constexpr std::int64_t kMostParts = 256;
    struct Outcome {
        double sum = 0;
        Tally tally;
    };

    [[nodiscard]] float setFirstScale(const TrackedTensor& target, float largest);
    void report(const TrackedTensor& target, const Tally& tally);
    void reportStatistics(const TrackedTensor& target, const Tally& tally);

    Outcome forParts(std::int64_t units, std::int64_t unit, std::int64_t cost, const WritePart& part,
                     const Work& work);

    const RunConfig& m_config;
    const OpCall& m_call;
    const Kernels& m_kernels;
    int m_threads;
    bool m_isPartial = false;  ///< what the op writes is looked at when it is whole
    double* m_statistics = nullptr;
    double* m_lossScale = nullptr;  ///< fp16 only
    float* m_scales = nullptr;      ///< fp8 only
    std::array<Tally, kMostParts> m_tallies;
    std::array<double, kMostParts> m_sums;
};

}  // namespace plumb::cpu
