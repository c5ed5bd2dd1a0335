// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/plain_memory.h"

#include <cuda_runtime.h>

namespace plumb::cuda {

std::string whyNoDevice() {
    int devices = 0;
    const cudaError_t error = cudaGetDeviceCount(&devices);
    if (error != cudaSuccess)
        return std::string("no CUDA device can be used (") + cudaGetErrorString(error) + ")";
    return devices > 0 ? "" : "this machine has no CUDA device";
}

void* plainAllocate(std::size_t bytes) {
    void* memory = nullptr;
    return cudaMalloc(&memory, bytes) == cudaSuccess ? memory : nullptr;
}
void plainRelease(void* memory) { cudaFree(memory); }

int plainUpload(void* to, const void* from, std::size_t bytes) {
    return cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice);
}
int plainDownload(void* to, const void* from, std::size_t bytes) {
    return cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost);
}
int plainSynchronize() { return cudaDeviceSynchronize(); }

}  // namespace plumb::cuda
