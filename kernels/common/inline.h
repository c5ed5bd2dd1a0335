// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

// The mathematics in this folder is compiled for every instruction set of the CPU backend and for devices.
// The linker keeps ONE copy of an inline function, whichever file it came from, so none may ever be left to
// it: all are inlined by force. Nothing from the standard library is called in them.
#ifdef __CUDACC__
#define PLUMB_COMMON __host__ __device__ __forceinline__
#define PLUMB_COMMON_LAMBDA
#else
#define PLUMB_COMMON inline __attribute__((always_inline))
#define PLUMB_COMMON_LAMBDA __attribute__((always_inline))
#endif

namespace plumb::common {

using Index = std::int64_t;

PLUMB_COMMON std::int32_t bitsOf(float value) {
#ifdef __CUDA_ARCH__
    return __float_as_int(value);
#else
    std::int32_t bits;
    __builtin_memcpy(&bits, &value, sizeof bits);
    return bits;
#endif
}
PLUMB_COMMON float floatOf(std::int32_t bits) {
#ifdef __CUDA_ARCH__
    return __int_as_float(bits);
#else
    float value;
    __builtin_memcpy(&value, &bits, sizeof value);
    return value;
#endif
}
PLUMB_COMMON constexpr Index smaller(Index a, Index b) { return a < b ? a : b; }

}  // namespace plumb::common
