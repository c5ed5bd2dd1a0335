// SPDX-License-Identifier: Apache-2.0
#include "core/plan/control_tensors.h"
#include "kernels/cuda/inverse_scales.h"

namespace plumb::cuda {

namespace {

__global__ void inverseScales(const float* scales, float* inverses, std::int64_t slots) {
    const std::int64_t slot = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (slot >= slots) return;
    const float scale = scales[slot * kScalesColumns];
    inverses[slot] = scale > 0 ? 1 / scale : 1;
}

}  // namespace

int launchInverseScales(const float* scales, float* inverses, std::int64_t slots, cudaStream_t stream) {
    constexpr int kThreads = 128;
    if (slots <= 0) return cudaSuccess;
    const auto blocks = static_cast<unsigned>((slots + kThreads - 1) / kThreads);
    inverseScales<<<blocks, kThreads, 0, stream>>>(scales, inverses, slots);
    return cudaGetLastError();
}

}  // namespace plumb::cuda
