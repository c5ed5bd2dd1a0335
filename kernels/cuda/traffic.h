// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// As in the CUDA headers.
struct CUstream_st;
using cudaStream_t = CUstream_st*;

namespace plumb::cuda {

/// Ways to go through memory, as BandwidthPoint has them.
enum class Traffic : std::uint8_t { Read, Copy, Update };

/// One pass over arrays of `count` fp32 numbers, in 16-byte accesses: reads `in`; copies it to `inOut`; or
/// adds it to `inOut`, scaled. Both are aligned to 16 bytes, `count` is a multiple of 4. Returns 0, or the
/// cudaError_t of the launch.
[[nodiscard]] int launchTraffic(Traffic traffic, const float* in, float* inOut, std::int64_t count,
                                cudaStream_t stream);

/// A warp adds 1 to 32 numbers at `at` so many times, each time once it has read what it wrote: the work of
/// as many launches with one pass. Returns 0, or the cudaError_t of the launch.
[[nodiscard]] int launchPasses(float* at, std::int64_t passes, cudaStream_t stream);

}  // namespace plumb::cuda
