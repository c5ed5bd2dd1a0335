// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/traffic.h"

namespace plumb::cuda {

namespace {

constexpr int kThreads = 256;

__global__ void readAll(const float4* in, float4* out, std::int64_t count) {
    const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * kThreads;
    float sum = 0;
    for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * kThreads + threadIdx.x; i < count;
         i += stride) {
        const float4 v = in[i];
        sum += v.x + v.y + v.z + v.w;
    }
    // Never true, but nobody knows: otherwise nothing would be read.
    if (sum == 1.2345678e30F) out[0].x = sum;
}

__global__ void copyAll(const float4* in, float4* out, std::int64_t count) {
    const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * kThreads;
    for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * kThreads + threadIdx.x; i < count;
         i += stride)
        out[i] = in[i];
}

__global__ void updateAll(const float4* in, float4* inOut, std::int64_t count) {
    const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * kThreads;
    for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * kThreads + threadIdx.x; i < count;
         i += stride) {
        const float4 a = in[i];
        float4 b = inOut[i];
        b.x += 1e-3F * a.x;
        b.y += 1e-3F * a.y;
        b.z += 1e-3F * a.z;
        b.w += 1e-3F * a.w;
        inOut[i] = b;
    }
}

// Volatile, so that each pass goes to memory and back.
__global__ void addPasses(float* at, std::int64_t passes) {
    volatile float* const own = at + threadIdx.x;
    for (std::int64_t pass = 0; pass < passes; ++pass) *own = *own + 1.0F;
}

}  // namespace

int launchPasses(float* at, std::int64_t passes, cudaStream_t stream) {
    constexpr unsigned kWarp = 32;
    addPasses<<<1, kWarp, 0, stream>>>(at, passes);
    return cudaGetLastError();
}

int launchTraffic(Traffic traffic, const float* in, float* inOut, std::int64_t count, cudaStream_t stream) {
    const std::int64_t packs = count / 4;
    if (packs <= 0) return cudaSuccess;
    // Enough blocks to fill any device several times over, few enough that none has nothing to do.
    const std::int64_t wanted = (packs + kThreads - 1) / kThreads;
    const auto blocks = static_cast<unsigned>(wanted < 8192 ? wanted : 8192);
    const auto* const from = reinterpret_cast<const float4*>(in);
    auto* const to = reinterpret_cast<float4*>(inOut);
    switch (traffic) {
    case Traffic::Read:
        readAll<<<blocks, kThreads, 0, stream>>>(from, to, packs);
        break;
    case Traffic::Copy:
        copyAll<<<blocks, kThreads, 0, stream>>>(from, to, packs);
        break;
    case Traffic::Update:
        updateAll<<<blocks, kThreads, 0, stream>>>(from, to, packs);
        break;
    }
    return cudaGetLastError();
}

}  // namespace plumb::cuda
