// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// As in the CUDA headers.
struct CUstream_st;
using cudaStream_t = CUstream_st*;

namespace plumb::cuda {

/// inverses[slot] = 1 / the scale of its row in TensorRole::Scales, which is what the matrix library
/// multiplies fp8 operands with; 1 where there is no scale yet. Returns 0, or the cudaError_t of the launch.
[[nodiscard]] int launchInverseScales(const float* scales, float* inverses, std::int64_t slots,
                                      cudaStream_t stream);

}  // namespace plumb::cuda
