// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/cuda/bodies/launcher.h"
#include "kernels/cuda/device_kernels.h"

#include <cuda_runtime.h>

namespace plumb::cuda {

/// Blocks on a multiprocessor that the compiler has to leave registers for: what a body says, or its own
/// choice, which would rather put a few numbers into memory than have a block less. Before sm_90 memories are
/// so much slower that one less will do.
template <class Body>
consteval int residentBlocks() {
    if constexpr (!requires { Body::kResidentBlocks; }) return 0;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
    else if constexpr (Body::kResidentBlocks > 2)
        return Body::kResidentBlocks - 1;
#endif
    else
        return Body::kResidentBlocks;
}

/// A body as a kernel. What it shares lies in raw memory: the types have initial values, which shared memory
/// must not have.
template <class Body>
__global__ void __launch_bounds__(kThreads, residentBlocks<Body>())
    deviceKernel(const __grid_constant__ typename Body::Arguments arguments) {
    __shared__ alignas(16) unsigned char room[sizeof(typename Body::Shared)];
    DeviceBlock block;
    Body::run(block, *reinterpret_cast<typename Body::Shared*>(room), arguments);
}

/// See launcher.h.
class DeviceLauncher {
public:
    explicit DeviceLauncher(cudaStream_t stream) : m_stream(stream) {}

    template <class Body>
    int launch(Index blocks, const typename Body::Arguments& arguments) const {
        if (blocks <= 0) return cudaSuccess;
        const auto count = static_cast<unsigned>(smaller(blocks, kMostBlocks));
        deviceKernel<Body><<<count, kThreads, 0, m_stream>>>(arguments);
        return static_cast<int>(cudaGetLastError());
    }

private:
    cudaStream_t m_stream;
};

}  // namespace plumb::cuda
