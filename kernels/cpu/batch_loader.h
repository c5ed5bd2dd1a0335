// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/backend.h"
#include "kernels/cpu/kernels.h"

#include <cstdint>
#include <vector>

namespace plumb::cpu {

/// Which rows of which step are to be loaded, and how.
struct BatchRequest {
    std::int64_t step = 0;
    std::int64_t microBatch = 0;
    const BatchSource* source = nullptr;  ///< null: synthetic
    void* x = nullptr;                    ///< [b, D] in the compute type
    float* t = nullptr;                   ///< [b, K]
};

/// Fills the features and targets of a micro-batch.
///
/// Synthetic task: x is nearly normal, t[k] = sum_i x_i w*[i,k] + noise with w*[i,k] = ((i + k) mod D) /
/// norm, the lecture's 0, 1, 2, ... scaled so that t has variance 1 at every width (w* = 1 for D = 1). The
/// targets come from x before it is rounded to bf16. Every number depends on seed, step and its place in the
/// batch alone, so neither threads nor micro-batches change them.
class BatchLoader {
public:
    BatchLoader(const RunConfig& config, const Kernels& kernels, int threads);
    void load(const BatchRequest& request);

private:
    void synthesise(const BatchRequest& request, std::int64_t rowBegin, std::int64_t rowEnd) const;
    void copyRows(const BatchRequest& request);

    RunConfig m_config;
    const Kernels& m_kernels;
    int m_threads;
    double m_scale = 1;        ///< 1 / norm
    std::vector<float> m_row;  ///< one sample from a source on its way to bf16
};

}  // namespace plumb::cpu
