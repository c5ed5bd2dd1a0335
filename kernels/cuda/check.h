// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

#include <cublasLt.h>
#include <cuda_runtime_api.h>

namespace plumb::cuda {

/// What a failed call of the CUDA runtime, or of cuBLASLt, becomes: `call` is its text. Running out of memory
/// is OutOfMemory, a GPU that cannot be had or cannot run this build Unavailable, everything else RunFailed.
/// But where the GPU is lost, or a kernel faulted on it, every call fails, whatever it says of itself: that
/// is DeviceLost, with the same sentence from each.
[[nodiscard]] Error errorOf(cudaError_t result, const char* call);
[[nodiscard]] Error errorOf(cublasStatus_t result, const char* call);
/// The same of the launch functions of device_kernels.h, which return the cudaError_t as an int.
[[nodiscard]] Result<void> checkLaunch(int result, const char* function);

}  // namespace plumb::cuda

/// `PLUMB_CUDA(cudaStreamSynchronize(stream));` returns the Error from the enclosing function.
#define PLUMB_CUDA(call)                                                                                     \
    do {                                                                                                     \
        if (const cudaError_t plumbCode = (call); plumbCode != cudaSuccess)                                  \
            return plumb::cuda::errorOf(plumbCode, #call);                                                   \
    } while (false)
#define PLUMB_CUBLAS(call)                                                                                   \
    do {                                                                                                     \
        if (const cublasStatus_t plumbCode = (call); plumbCode != CUBLAS_STATUS_SUCCESS)                     \
            return plumb::cuda::errorOf(plumbCode, #call);                                                   \
    } while (false)
