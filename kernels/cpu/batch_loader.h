// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/backend.h"
#include "kernels/cpu/kernels.h"
#include "kernels/cpu/tensor_writer.h"

#include <cstdint>

namespace plumb::cpu {

/// Which rows of which step are to be loaded, and how.
struct BatchRequest {
    std::int64_t step = 0;
    std::int64_t firstSample = 0;   ///< of the micro-batch, in the batch that all ranks share
    const float* staged = nullptr;  ///< from a file: features [b, D], then targets [b, K]; null: synthetic
    void* x = nullptr;              ///< [b, D] in the activations' type
    float* t = nullptr;             ///< [b, K]
};

/// Fills the features and targets of a micro-batch.
///
/// Synthetic task: x is nearly normal, t[k] = sum_i x_i w*[i,k] + noise with w*[i,k] = ((i + k) mod D) /
/// norm, the lecture's 0, 1, 2, ... scaled so that t has variance 1 at every width (w* = 1 for D = 1). The
/// targets come from x before it is rounded. Every number depends on seed, step and its place in the
/// batch alone, so neither threads nor micro-batches change them.
///
/// Data from a file lie staged as fp32 and are rounded here.
class BatchLoader {
public:
    BatchLoader(const RunConfig& config, const Kernels& kernels, int threads);
    void load(const BatchRequest& request, TensorWriter& writer) const;

private:
    void synthesise(const BatchRequest& request, const TrackedTensor& features, std::int64_t rowBegin,
                    std::int64_t rowEnd, const WritePart& part) const;
    void copyStaged(const BatchRequest& request, const TrackedTensor& features, TensorWriter& writer) const;
    /// Elements [at, at + count) of x, from fp32.
    void store(const TrackedTensor& features, const float* in, void* x, std::int64_t at, std::int64_t count,
               const WritePart& part) const;

    RunConfig m_config;
    const Kernels& m_kernels;
    int m_threads;
    double m_scale = 1;  ///< 1 / norm
};

}  // namespace plumb::cpu
