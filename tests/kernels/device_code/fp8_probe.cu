// SPDX-License-Identifier: Apache-2.0
// Eight numbers to fp8 and nothing else, so that the machine code can be counted: a cast has epilogues,
// scales and tallies around it. Nobody launches it.
#include "kernels/cuda/bodies/encode_body.h"

#include <cstring>

namespace plumb::cuda {

template <Storage kStorage>
__global__ void storeEight(const float4* from, uint2* to) {
    const float4 first = from[2 * threadIdx.x];
    const float4 second = from[2 * threadIdx.x + 1];
    const float numbers[8] = {first.x, first.y, first.z, first.w, second.x, second.y, second.z, second.w};
    Pack<TypeOf<kStorage>, 8> codes;
    storeNumbers<kStorage, false>(codes, numbers);
    uint2 words;
    memcpy(&words, &codes, sizeof words);
    to[threadIdx.x] = words;
}

template __global__ void storeEight<Storage::Fp8E4M3>(const float4*, uint2*);
template __global__ void storeEight<Storage::Fp8E5M2>(const float4*, uint2*);

}  // namespace plumb::cuda
