// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/cuda/bodies/launcher.h"
#include "kernels/cuda/device_kernels.h"
#include "kernels/cuda/early_start.h"

#include <cuda_runtime.h>

#include <atomic>

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

/// Whether kernels may start while the one in front of them in the stream ends, with its last blocks and what
/// they still have to write: bodies wait for that themselves, after their set-up. No kernel lets the next one
/// start any earlier, since its time would then be counted with both.
inline constexpr bool kStartsEarly = true;

/// Whether a kernel waits by itself, which the code for sm_90 and newer does: that is known of the code that
/// was loaded alone, since a new device also runs what was built for an older one.
template <class Body>
cudaError_t waitsItself(bool& waits) {
    static std::atomic<int> known = -1;  // of the device that asked last: 2 * its number + the answer
    int device = 0;
    if (const cudaError_t error = cudaGetDevice(&device); error != cudaSuccess) return error;
    int answer = known.load(std::memory_order_relaxed);
    if (answer < 0 || answer / 2 != device) {
        cudaFuncAttributes attributes{};
        const cudaError_t error = cudaFuncGetAttributes(&attributes, deviceKernel<Body>);
        if (error != cudaSuccess) return error;
        constexpr int kLeastVersion = 90;
        answer = 2 * device + (attributes.ptxVersion >= kLeastVersion ? 1 : 0);
        known.store(answer, std::memory_order_relaxed);
    }
    waits = answer % 2 == 1;
    return cudaSuccess;
}

/// See launcher.h.
class DeviceLauncher {
public:
    explicit DeviceLauncher(cudaStream_t stream) : m_stream(stream) {}

    template <class Body>
    int launch(const typename Body::Arguments& arguments) const {
        const Index blocks = Body::blocks(arguments);
        if (blocks <= 0) return cudaSuccess;
        bool isEarly = false;
        if (kStartsEarly)
            if (const cudaError_t error = waitsItself<Body>(isEarly); error != cudaSuccess)
                return static_cast<int>(error);
        if (isEarly)
            if (const cudaError_t error = mayStartEarly(m_stream, isEarly); error != cudaSuccess)
                return static_cast<int>(error);
        cudaLaunchAttribute early{};
        early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
        early.val.programmaticStreamSerializationAllowed = 1;
        cudaLaunchConfig_t config{};
        config.gridDim = dim3(static_cast<unsigned>(smaller(blocks, kMostBlocks)));
        config.blockDim = dim3(kThreads);
        config.stream = m_stream;
        config.attrs = isEarly ? &early : nullptr;
        config.numAttrs = isEarly ? 1 : 0;
        const cudaError_t error = cudaLaunchKernelEx(&config, deviceKernel<Body>, arguments);
        // An older one that nobody asked for comes out too, as it does of <<<>>>.
        const cudaError_t last = cudaGetLastError();
        return static_cast<int>(error != cudaSuccess ? error : last);
    }

private:
    cudaStream_t m_stream;
};

}  // namespace plumb::cuda
