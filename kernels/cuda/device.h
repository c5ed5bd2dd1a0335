// SPDX-License-Identifier: Apache-2.0
// Owners of what the CUDA runtime hands out.
#pragma once

#include "core/base/quantity.h"
#include "kernels/cuda/check.h"

#include <memory>
#include <type_traits>

namespace plumb::cuda {

struct Release {
    void operator()(cudaStream_t stream) const { cudaStreamDestroy(stream); }
    void operator()(cudaEvent_t event) const { cudaEventDestroy(event); }
    void operator()(cudaGraph_t graph) const { cudaGraphDestroy(graph); }
    void operator()(cudaGraphExec_t graph) const { cudaGraphExecDestroy(graph); }
    void operator()(cublasLtHandle_t handle) const { cublasLtDestroy(handle); }
};
template <class Handle>
using Unique = std::unique_ptr<std::remove_pointer_t<Handle>, Release>;

struct FreeDevice {
    void operator()(void* memory) const { cudaFree(memory); }
};
struct FreePinned {
    void operator()(void* memory) const { cudaFreeHost(memory); }
};
/// Device memory of our own, outside of the pool that is counted.
using DeviceBlock = std::unique_ptr<void, FreeDevice>;
/// Host memory that devices read and write.
using PinnedBlock = std::unique_ptr<void, FreePinned>;

[[nodiscard]] Result<Unique<cudaStream_t>> makeStream();
[[nodiscard]] Result<Unique<cudaEvent_t>> makeEvent(bool timed);
/// Seconds from one timed event to another. Pre: the device has passed both.
[[nodiscard]] Result<Seconds> elapsedSeconds(cudaEvent_t begin, cudaEvent_t end);
[[nodiscard]] Result<DeviceBlock> allocateDevice(Bytes bytes);
/// `mapped`: also seen by the device, at the same address.
[[nodiscard]] Result<PinnedBlock> allocatePinned(Bytes bytes, bool mapped);

}  // namespace plumb::cuda
