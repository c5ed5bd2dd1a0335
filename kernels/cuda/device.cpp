// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/device.h"

#include <fmt/format.h>

namespace plumb::cuda {

// Work on the legacy stream would wait for ours and ours for it; nobody here uses it, but libraries might.
Result<Unique<cudaStream_t>> makeStream() {
    cudaStream_t stream = nullptr;
    PLUMB_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    return Unique<cudaStream_t>(stream);
}

Result<Unique<cudaEvent_t>> makeEvent(bool timed) {
    cudaEvent_t event = nullptr;
    PLUMB_CUDA(cudaEventCreateWithFlags(&event, timed ? cudaEventDefault : cudaEventDisableTiming));
    return Unique<cudaEvent_t>(event);
}

Result<Seconds> elapsedSeconds(cudaEvent_t begin, cudaEvent_t end) {
    float milliseconds = 0;
    PLUMB_CUDA(cudaEventElapsedTime(&milliseconds, begin, end));
    return static_cast<double>(milliseconds) * 1e-3;
}

Result<DeviceBlock> allocateDevice(Bytes bytes) {
    void* memory = nullptr;
    PLUMB_CUDA(cudaMalloc(&memory, static_cast<std::size_t>(bytes)));
    return DeviceBlock(memory);
}

Result<PinnedBlock> allocatePinned(Bytes bytes, bool mapped) {
    void* memory = nullptr;
    const cudaError_t result = cudaHostAlloc(&memory, static_cast<std::size_t>(bytes),
                                             mapped ? cudaHostAllocMapped : cudaHostAllocDefault);
    if (result == cudaSuccess) return PinnedBlock(memory);
    Error error = errorOf(result, "cudaHostAlloc");
    // This is not the device's memory.
    if (error.code == ErrorCode::OutOfMemory)
        error = {ErrorCode::OutOfMemory,
                 fmt::format("the host has no {} of pinned memory left", bytesText(bytes)),
                 "end other programs, or raise the limit of locked memory (ulimit -l)"};
    return error;
}

}  // namespace plumb::cuda
