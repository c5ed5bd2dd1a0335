// SPDX-License-Identifier: Apache-2.0
// The conversions between fp8 and fp32 by CUDA's own functions: one instruction each on devices of compute
// capability 8.9 and newer, an emulation of it on a host.
#pragma once

#include "kernels/common/storage.h"
#include "kernels/cuda/bodies/block.h"

#include <cuda_fp8.h>

namespace plumb::cuda {

template <common::Storage kStorage>
inline constexpr __nv_fp8_interpretation_t kFp8Kind =
    kStorage == common::Storage::Fp8E4M3 ? __NV_E4M3 : __NV_E5M2;

/// Both codes in 16 bits, the first one in the lower half. What is too large becomes the largest finite
/// number.
template <common::Storage kStorage>
struct ToFp8Pair {
    PLUMB_BODY std::uint16_t operator()(float first, float second) const {
        return __nv_cvt_float2_to_fp8x2(make_float2(first, second), __NV_SATFINITE, kFp8Kind<kStorage>);
    }
};
/// The numbers of two codes; what is no number has the bits that the device gives it.
template <common::Storage kStorage>
PLUMB_BODY float2 fromFp8Pair(std::uint16_t codes) {
    return __half22float2(__half2(__nv_cvt_fp8x2_to_halfraw2(codes, kFp8Kind<kStorage>)));
}

}  // namespace plumb::cuda
